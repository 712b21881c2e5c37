/* layout OBJECT.bpf.o KERNEL.btf: compares the kernel types that a BPF object was written with
 * to those of a kernel. CO-RE finds out where a member is, but takes our word for what it is: a
 * __u64 that stands for a __u32 relocates well and reads garbage.
 *
 * The types compared are those that CO-RE relocations start from, with the structs inside them.
 * Each member must exist and be of the same kind, size and signedness; a pointer must point to
 * the same type. A type with a flavour (name___flavour) may be missing, and members of it too:
 * its user asks whether it exists. pt_regs is used without CO-RE, so there the offsets count.
 * One line for each difference; exit status 1 when there is one. */
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* .BTF.ext as Documentation/bpf/btf.rst has it; libbpf keeps this part to itself. */
struct ext_header {
	__u16 magic;
	__u8 version;
	__u8 flags;
	__u32 hdr_len;
	__u32 func_info_off, func_info_len;
	__u32 line_info_off, line_info_len;
	__u32 core_relo_off, core_relo_len;
};

struct ext_section {
	__u32 name_off;
	__u32 num_info;
};

struct member {
	__u32 type;
	__u32 bit_offset;
	__u32 bitfield_bits; /* 0: no bit field */
};

static struct btf *ours, *theirs;
static bool *seen; /* by type id of ours */
static int differences, compared;

static void differ(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	differences++;
}

static const char *flavour_of(const char *name)
{
	return strstr(name, "___");
}

static bool same_name(const char *local, const char *kernel)
{
	const char *flavour = flavour_of(local);
	size_t length = flavour ? (size_t)(flavour - local) : strlen(local);

	return strlen(kernel) == length && !strncmp(local, kernel, length);
}

static const struct btf_type *resolve(const struct btf *btf, __u32 *id)
{
	const struct btf_type *type = btf__type_by_id(btf, *id);

	while (btf_is_mod(type) || btf_is_typedef(type)) {
		*id = type->type;
		type = btf__type_by_id(btf, *id);
	}
	return type;
}

static const char *type_name(const struct btf *btf, const struct btf_type *type)
{
	return btf__name_by_offset(btf, type->name_off);
}

/* The members of anonymous structs and unions count as the outer one's. */
static bool find_member(const struct btf *btf, __u32 id, const char *name, struct member *found)
{
	const struct btf_type *type = resolve(btf, &id);
	const struct btf_member *m = btf_members(type);

	for (int i = 0; i < btf_vlen(type); i++) {
		const char *member_name = btf__name_by_offset(btf, m[i].name_off);
		__u32 offset = btf_member_bit_offset(type, i);
		__u32 inner = m[i].type;

		if (!strcmp(member_name, name)) {
			*found = (struct member){ m[i].type, offset, btf_member_bitfield_size(type, i) };
			return true;
		}
		if (!*member_name && btf_is_composite(resolve(btf, &inner)) &&
		    find_member(btf, inner, name, found)) {
			found->bit_offset += offset;
			return true;
		}
	}
	return false;
}

/* A char's sign is the compiler's choice, and the kernel's changed in 6.2 (-funsigned-char). */
static bool is_signed(const struct btf_type *type)
{
	return type->size > 1 && btf_int_encoding(type) & BTF_INT_SIGNED;
}

static bool is_number(const struct btf_type *type)
{
	return btf_is_int(type) || btf_is_any_enum(type);
}

static void compare_struct(__u32 id);

static void compare_types(const char *what, __u32 local_id, __u32 kernel_id)
{
	const struct btf_type *local = resolve(ours, &local_id);
	const struct btf_type *kernel = resolve(theirs, &kernel_id);

	if (is_number(local) && is_number(kernel)) {
		if (local->size != kernel->size)
			differ("%s: %u bytes here, %u in the kernel", what, local->size, kernel->size);
		else if (btf_is_int(local) && btf_is_int(kernel) && is_signed(local) != is_signed(kernel))
			differ("%s: signed on one side only", what);
	} else if (btf_is_ptr(local) && btf_is_ptr(kernel)) {
		__u32 local_to = local->type, kernel_to = kernel->type;

		local = resolve(ours, &local_to);
		kernel = resolve(theirs, &kernel_to);
		/* what it points to has its own line if we look into it; void * says nothing */
		if (btf_is_void(local) || btf_is_void(kernel))
			return;
		if (btf_is_composite(local) || btf_is_fwd(local)
			    ? !same_name(type_name(ours, local), type_name(theirs, kernel))
			    : btf_kind(local) != btf_kind(kernel) || local->size != kernel->size)
			differ("%s: points to '%s' here, to '%s' in the kernel", what,
			       type_name(ours, local), type_name(theirs, kernel));
	} else if (btf_is_array(local) && btf_is_array(kernel)) {
		if (btf_array(local)->nelems > btf_array(kernel)->nelems)
			differ("%s: %u elements here, %u in the kernel", what,
			       btf_array(local)->nelems, btf_array(kernel)->nelems);
		compare_types(what, btf_array(local)->type, btf_array(kernel)->type);
	} else if (btf_is_composite(local) && btf_kind(local) == btf_kind(kernel)) {
		if (!same_name(type_name(ours, local), type_name(theirs, kernel)))
			differ("%s: a '%s' here, a '%s' in the kernel", what,
			       type_name(ours, local), type_name(theirs, kernel));
		else
			compare_struct(local_id);
	} else {
		differ("%s: of another kind in the kernel", what);
	}
}

/* Every named member of type ID of ours, also in anonymous structs, with struct KERNEL_ID. */
static void compare_members(__u32 id, const char *name, __u32 kernel_id, bool fixed, __u32 base)
{
	const struct btf_type *type = resolve(ours, &id);
	const struct btf_member *m = btf_members(type);

	for (int i = 0; i < btf_vlen(type); i++) {
		const char *member_name = btf__name_by_offset(ours, m[i].name_off);
		__u32 offset = base + btf_member_bit_offset(type, i);
		struct member member;
		char what[256];

		if (!*member_name) {
			compare_members(m[i].type, name, kernel_id, fixed, offset);
			continue;
		}
		snprintf(what, sizeof(what), "%s.%s", name, member_name);
		compared++;
		if (!find_member(theirs, kernel_id, member_name, &member)) {
			if (!flavour_of(name))
				differ("%s: not in the kernel", what);
		} else if (fixed) {
			if (member.bit_offset != offset)
				differ("%s: at byte %u here, %u in the kernel", what, offset / 8,
				       member.bit_offset / 8);
		} else if (!member.bitfield_bits != !btf_member_bitfield_size(type, i)) {
			differ("%s: a bit field on one side only", what);
		} else {
			compare_types(what, m[i].type, member.type);
		}
	}
}

static void compare_struct(__u32 id)
{
	const struct btf_type *type = resolve(ours, &id);
	const char *name = type_name(ours, type), *flavour = flavour_of(name);
	char base[128];
	int kernel_id;

	if (!btf_is_composite(type) || seen[id])
		return;
	seen[id] = true;
	snprintf(base, sizeof(base), "%.*s", flavour ? (int)(flavour - name) : (int)strlen(name), name);
	kernel_id = btf__find_by_name_kind(theirs, base, btf_kind(type));
	if (kernel_id > 0)
		compare_members(id, name, kernel_id, !strcmp(name, "pt_regs"), 0);
	else if (!flavour)
		differ("%s: no such type in the kernel", name);
}

static Elf_Data *find_section(Elf *elf, const char *wanted)
{
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names))
		return NULL;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(section, &header))
			return NULL;
		name = elf_strptr(elf, names, header.sh_name);
		if (name && !strcmp(name, wanted))
			return elf_getdata(section, NULL);
	}
	return NULL;
}

/* The types that the relocations of .BTF.ext start from. */
static int compare_relocated(Elf *elf)
{
	const Elf_Data *ext = find_section(elf, ".BTF.ext");
	const struct ext_header *header;
	const char *at, *end;
	__u32 record_size;

	if (!ext || ext->d_size < sizeof(*header))
		return -EINVAL;
	header = ext->d_buf;
	at = (const char *)ext->d_buf + header->hdr_len + header->core_relo_off;
	end = at + header->core_relo_len;
	if (end > (const char *)ext->d_buf + ext->d_size)
		return -EINVAL;
	if (!header->core_relo_len)
		return 0;
	record_size = *(const __u32 *)at;
	at += sizeof(record_size);
	while (at < end) {
		const struct ext_section *section = (const void *)at;

		at += sizeof(*section);
		for (__u32 i = 0; i < section->num_info; i++, at += record_size)
			compare_struct(((const struct bpf_core_relo *)at)->type_id);
	}
	return 0;
}

int main(int argc, char **argv)
{
	int id, fd;
	Elf *elf;

	if (argc != 3) {
		fprintf(stderr, "usage: layout OBJECT.bpf.o KERNEL.btf\n");
		return 2;
	}
	ours = btf__parse_elf(argv[1], NULL);
	theirs = btf__parse(argv[2], NULL);
	if (!ours || !theirs) {
		fprintf(stderr, "layout: no BTF in '%s'\n", argv[ours ? 2 : 1]);
		return 2;
	}
	elf_version(EV_CURRENT);
	fd = open(argv[1], O_RDONLY);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	seen = calloc(btf__type_cnt(ours), sizeof(*seen));
	if (!seen || compare_relocated(elf)) {
		fprintf(stderr, "layout: cannot read .BTF.ext of '%s'\n", argv[1]);
		return 2;
	}
	id = btf__find_by_name_kind(ours, "pt_regs", BTF_KIND_STRUCT);
	if (id > 0)
		compare_struct(id);
	printf("%d members compared\n", compared);
	elf_end(elf);
	close(fd);
	btf__free(theirs);
	btf__free(ours);
	free(seen);
	return differences > 0;
}
