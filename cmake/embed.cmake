# cmake -DFILE= -DNAME= -DHEADER= -P embed.cmake: writes a header with the bytes of a file, for
# NAME_object(), which returns them.
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "................................" "\\0\n" bytes "${bytes}")
string(REGEX REPLACE "[0-9a-f][0-9a-f]" "0x\\0," bytes "${bytes}")
file(WRITE ${HEADER} "/* Made by cmake/embed.cmake: a BPF object, compressed. */
#include <stddef.h>

static const unsigned char ${NAME}_bytes[] = {
${bytes}
};

static inline const void *${NAME}_object(size_t *size)
{
	*size = sizeof(${NAME}_bytes);
	return ${NAME}_bytes;
}
")
