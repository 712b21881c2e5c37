"""btf_of_image.py FILE: prints the types (BTF) in a kernel that is no ELF file. They are known by their
header (Documentation/bpf/btf.rst), whose lengths must make sense."""
import struct
import sys

HEADER = struct.Struct("<HBBIIIII")     # magic, version, flags, its length; types and strings: where, length
BEGINNING = struct.pack("<HBB", 0xeb9f, 1, 0)
FIRST_NAME = b"\0"                      # of the strings


def types(image):
    at = image.find(BEGINNING)
    while at >= 0:
        _, _, _, head, types_at, types_len, strings_at, strings_len = HEADER.unpack_from(image, at)
        end = at + head + strings_at + strings_len
        if (head >= HEADER.size and strings_at >= types_at + types_len and types_len and
                end <= len(image) and image[at + head + strings_at:][:1] == FIRST_NAME and
                image[end - 1:end] == FIRST_NAME):
            return image[at:end]
        at = image.find(BEGINNING, at + 4)
    return None


with open(sys.argv[1], "rb") as file:
    found = types(file.read())
if not found:
    sys.exit(f"{sys.argv[1]}: no types")
sys.stdout.buffer.write(found)
