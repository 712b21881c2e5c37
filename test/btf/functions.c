// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * functions: compares core/filesystem/ with the kernels in the given folders, as left by
 * test/guest/fetch.
 *
 *   functions [-p] DIRECTORY...   prints what is wrong with a row, then "ROWS rows, WRONG wrong".
 *                                 With -p a few wrong rows are planted, to see that each is found
 *   functions -t DIRECTORY...     prints the tables of docs/kernels.md
 *
 * A function must be in the BTF of the kernel, or of the module of its row, once, with the number
 * of arguments and the structs of its row. Where modules have no BTF (5.10), only its existence,
 * once, can be checked. A function that no kernel has is wrong, too.
 */
#include <bpf/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/filesystem/filesystem.h"

#define KERNELS_MAX 16
#define MODULES_MAX 64
#define ROWS_MAX 64

enum found { ABSENT, BY_NAME, BY_BTF };	/* BY_NAME: a symbol, nothing is known of its arguments */

struct named {
	const char *name;
	__u32 id;		/* of its type; 0: only a symbol */
};

struct types {
	char module[32];	/* "": the kernel itself */
	struct btf *btf;
	struct named *functions;	/* sorted by name */
	size_t nfunctions;
};

struct kernel {
	const char *directory, *name;
	char series[16];	/* of 6.1-generic: 6.1 */
	struct types types[MODULES_MAX];
	int ntypes;
};

static struct kernel kernels[KERNELS_MAX];
static int nkernels;

/* Of each row of each file system: the kernels that have its function and where it serves. */
struct row_use { unsigned int exists, serves; };

static char *read_file(const char *directory, const char *name)
{
	char path[1024], *text;
	FILE *file;
	long size;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "re");
	if (!file)
		return NULL;
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	text = calloc(1, size + 1);
	if (!text || fread(text, 1, size, file) != (size_t)size)
		exit(2);
	fclose(file);
	return text;
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static void add(struct types *types, const char *name, __u32 id)
{
	if (!(types->nfunctions & (types->nfunctions - 1)))
		types->functions = realloc(types->functions, (2 * types->nfunctions + 1) *
							     sizeof(*types->functions));
	if (!types->functions)
		exit(2);
	types->functions[types->nfunctions++] = (struct named){ name, id };
}

/* The functions of the kernel, or of a module; none if it is not a module there. */
static void types_read(struct types *types, const char *directory, const struct btf *base)
{
	char path[512];
	char *symbols;

	snprintf(path, sizeof(path), "%s/btf%s%s", directory, base ? "-" : "", types->module);
	if (!access(path, R_OK))
		types->btf = btf__parse_split(path, (struct btf *)base);
	for (__u32 id = base ? btf__type_cnt(base) : 1;
	     types->btf && id < btf__type_cnt(types->btf); id++) {
		const struct btf_type *t = btf__type_by_id(types->btf, id);

		if (btf_is_func(t))
			add(types, btf__name_by_offset(types->btf, t->name_off), id);
	}
	snprintf(path, sizeof(path), "symbols-%s", types->module);
	symbols = types->btf ? NULL : read_file(directory, path);	/* kept: names point there */
	for (char *name = symbols ? strtok(symbols, "\n") : NULL; name; name = strtok(NULL, "\n"))
		add(types, name, 0);
	qsort(types->functions, types->nfunctions, sizeof(*types->functions), compare);
}

static void kernel_open(struct kernel *kernel, const char *directory)
{
	kernel->directory = directory;
	kernel->name = strrchr(directory, '/') + 1;
	types_read(&kernel->types[0], directory, NULL);
	if (!kernel->types[0].btf) {
		fprintf(stderr, "functions: no kernel in %s\n", directory);
		exit(2);
	}
	snprintf(kernel->series, sizeof(kernel->series), "%.*s", (int)strcspn(kernel->name, "-"),
		 kernel->name);
	kernel->ntypes = 1;
}

static const struct types *module_types(struct kernel *kernel, const char *module)
{
	struct types *types;

	for (int i = 0; i < kernel->ntypes; i++)
		if (!strcmp(kernel->types[i].module, module))
			return &kernel->types[i];
	types = &kernel->types[kernel->ntypes++];
	if (kernel->ntypes > MODULES_MAX)
		exit(2);
	snprintf(types->module, sizeof(types->module), "%s", module);
	types_read(types, kernel->directory, kernel->types[0].btf);
	return types;
}

struct function {
	enum found found;
	int times;
	const struct btf *btf;
	const struct btf_type *proto;
};

static void find_in(const struct types *types, const char *name, struct function *function)
{
	const struct named key = { name, 0 };
	const struct named *at, *end = types->functions + types->nfunctions;

	at = bsearch(&key, types->functions, types->nfunctions, sizeof(key), compare);
	if (!at)
		return;
	while (at > types->functions && !compare(at - 1, &key))
		at--;
	for (; at < end && !compare(at, &key); at++) {
		function->found = at->id ? BY_BTF : BY_NAME;
		function->times++;
		function->btf = types->btf;
		if (at->id)
			function->proto = btf__type_by_id(
				types->btf, btf__type_by_id(types->btf, at->id)->type);
	}
}

static struct function find(struct kernel *kernel, const struct filesystem *fs,
			    const struct fs_function *row)
{
	const char *module = row->module ? row->module : fs->module;
	struct function function = { ABSENT };

	find_in(&kernel->types[0], row->function, &function);
	if (module)
		find_in(module_types(kernel, module), row->function, &function);
	return function;
}

/* The struct that an argument points to, "" if none. */
static const char *argument_struct(const struct function *function, int i)
{
	const struct btf_type *t;

	if (i >= btf_vlen(function->proto))
		return "";
	t = btf__type_by_id(function->btf, btf_params(function->proto)[i].type);
	if (!btf_is_ptr(t))
		return "";
	t = btf__type_by_id(function->btf, t->type);
	while (btf_is_mod(t))
		t = btf__type_by_id(function->btf, t->type);
	return btf_is_composite(t) || btf_is_fwd(t) ? btf__name_by_offset(function->btf, t->name_off) :
						      "";
}

/* What the first arguments of a shape are, after an idmap if there is one; of FS_PLAIN by operation. */
static const char *const *wanted_structs(const struct fs_function *row)
{
	static const char *const by_shape[FS_SHAPES][3] = {
		[FS_IOCB] = { "kiocb" },
		[FS_FILE_OPEN] = { "inode", "file" },
		[FS_ATOMIC_OPEN] = { "inode", "dentry", "file" },
		[FS_UNLINK_OR_RMDIR] = { "inode", "dentry" },
		[FS_SETATTR_OR_TRUNCATE] = { "dentry", "iattr" },
		[FS_IOCB_OF_SB] = { "kiocb" },
		[FS_OUTER_OF_SB] = { "file" },
		[FS_FILE_OF_SB] = { "file" },
		[FS_OUT_FILE_OF_SB] = { "pipe_inode_info", "file" },
		[FS_INODE_OF_SB] = { "inode" },
		[FS_DENTRY_OF_SB] = { "dentry" },
		[FS_IDMAP_DENTRY_OF_SB] = { "dentry" },
		[FS_PATH_OF_SB] = { "path" },
		[FS_FAULT_OF_SB] = { "vm_fault" },
		[FS_OPEN_OF_SB] = { "file" },
	};
	static const char *const by_op[FS_OPS][3] = {
		[FS_OPEN] = { "inode", "file" },
		[FS_FSYNC] = { "file" },
		[FS_GETATTR] = { "path", "kstat" },
		[FS_LOOKUP] = { "inode", "dentry" },
		[FS_CREATE] = { "inode", "dentry" },
		[FS_UNLINK] = { "inode", "dentry" },
		[FS_RENAME] = { "inode", "dentry", "inode" },
		[FS_MKDIR] = { "inode", "dentry" },
		[FS_RMDIR] = { "inode", "dentry" },
		[FS_LINK] = { "dentry", "inode", "dentry" },
		[FS_SYMLINK] = { "inode", "dentry" },
		[FS_READDIR] = { "file", "dir_context" },
		[FS_FALLOCATE] = { "file" },
		[FS_FLUSH] = { "file" },
		[FS_RELEASE] = { "inode", "file" },
		[FS_MMAP_FAULT] = { "vm_fault" },
		[FS_STATFS] = { "dentry", "kstatfs" },
	};

	return row->shape == FS_PLAIN ? by_op[row->op] : by_shape[row->shape];
}

/* Methods whose first argument is an idmap since 5.12. The shapes of the others are as they are. */
static bool may_have_idmap(const struct fs_function *row)
{
	return row->shape == FS_IDMAP_DENTRY_OF_SB || row->shape == FS_SETATTR_OR_TRUNCATE ||
	       (row->shape == FS_PLAIN && fs_op_args[row->op][0] < fs_op_args[row->op][1]);
}

/* Why a function does not match its row; NULL if it does. */
static const char *complaint(const struct fs_function *row, const struct function *function)
{
	static char text[128];
	const uint8_t *args = row->args[0] ? row->args : fs_op_args[row->op];
	const char *const *wanted = wanted_structs(row), *got;
	int nargs, skip = 0;

	if (function->times != 1) {
		snprintf(text, sizeof(text), "there %d times", function->times);
		return text;
	}
	if (function->found == BY_NAME)
		return NULL;
	nargs = btf_vlen(function->proto);
	if (nargs < args[0] || nargs > (args[1] ? args[1] : args[0])) {
		snprintf(text, sizeof(text), "%d arguments, not %d to %d", nargs, args[0],
			 args[1] ? args[1] : args[0]);
		return text;
	}
	got = argument_struct(function, 0);
	if (may_have_idmap(row))
		skip = !strcmp(got, "user_namespace") || !strcmp(got, "mnt_idmap");
	for (int i = 0; i < 3 && wanted[i]; i++) {
		got = argument_struct(function, skip + i);
		if (strcmp(got, wanted[i])) {
			snprintf(text, sizeof(text), "argument %d points to '%s', not '%s'",
				 skip + i + 1, got, wanted[i]);
			return text;
		}
	}
	return NULL;
}

/* Whether the kernel lacks a row's function and has what that came with, or the other way round. */
static bool is_parted(int k, const struct filesystem *fs, const struct fs_function *row,
		      const struct function *function)
{
	struct fs_function other = *row;

	if (!row->with)
		return false;
	other.function = row->with;
	return (find(&kernels[k], fs, &other).found == ABSENT) != (function->found == ABSENT);
}

/* Finds the rows of a file system in a kernel. Prints what is wrong, and returns how often. */
static int check(int k, const struct filesystem *fs, struct row_use *use)
{
	bool served = false;	/* by the row before, or one that it replaces */
	int wrong = 0;

	for (const struct fs_function *row = fs->functions; row->function; row++, use++) {
		struct function function = find(&kernels[k], fs, row);
		const char *why;

		if (!row->fallback)
			served = false;
		if (is_parted(k, fs, row, &function)) {
			printf("%s: %s: %s: did not come with %s\n", kernels[k].name, fs->name,
			       row->function, row->with);
			wrong++;
		}
		if (function.found == ABSENT)
			continue;
		use->exists |= 1u << k;
		if (served)
			continue;
		served = true;
		use->serves |= 1u << k;
		why = complaint(row, &function);
		if (!why)
			continue;
		printf("%s: %s: %s: %s: %s\n", kernels[k].name, fs->name, fs_op_names[row->op],
		       row->function, why);
		wrong++;
	}
	return wrong;
}

static int check_all(const struct filesystem *fs, struct row_use *use)
{
	int wrong = 0, i = 0;

	for (int k = 0; k < nkernels; k++)
		wrong += check(k, fs, use);
	for (const struct fs_function *row = fs->functions; row->function; row++, i++) {
		if (use[i].exists)
			continue;
		printf("%s: %s: %s: no kernel has it\n", fs->name, fs_op_names[row->op],
		       row->function);
		wrong++;
	}
	return wrong;
}

/* Where a function serves, if not wherever the file system is; two kernels of a series are one. */
static void print_series(unsigned int serves, unsigned int present)
{
	const char *before = "";
	int n = 0;

	for (int k = 0; k < nkernels; k++)
		for (int other = 0; other < nkernels; other++)
			if (!strcmp(kernels[k].series, kernels[other].series) && serves >> other & 1)
				serves |= (present >> k & 1) << k;
	if (serves == present)
		return;
	for (int k = 0; k < nkernels; k++) {
		if (!(serves >> k & 1) || !strcmp(kernels[k].series, before))
			continue;
		printf("%s%s", n++ ? ", " : " (", before = kernels[k].series);
	}
	printf(")");
}

static void print_table(const struct filesystem *fs, const struct row_use *use)
{
	unsigned int present = 0;	/* the kernels that have a function of its own */
	int op = -1, i;

	for (i = 0; fs->functions[i].function; i++)
		if (!fs_shape_is_shared(fs->functions[i].shape) || !fs->module)
			present |= use[i].exists;
	printf("\n### %s", fs->name);
	for (i = 0; fs->types[i]; i++)
		if (strcmp(fs->types[i], fs->name))
			printf("%s%s", strcmp(fs->types[0], fs->name) || i > 1 ? ", " : " (also ",
			       fs->types[i]);
	printf("%s\n\n| operation | kernel functions", i > 1 ? ")" : "");
	for (i = 0; fs->functions[i].function; i++) {
		const struct fs_function *row = &fs->functions[i];

		if (!(use[i].serves & present))
			continue;
		if ((int)row->op != op)
			printf(" |\n%s| %s | ", op < 0 ? "|---|---|\n" : "", fs_op_names[row->op]);
		else
			printf(", ");
		op = row->op;
		printf("`%s`%s", row->function, fs_shape_is_shared(row->shape) ? "\\*" : "");
		print_series(use[i].serves & present, present);
	}
	printf(" |\n");
}

/* Each of these must be found wrong. */
static const struct filesystem planted = {
	.name = "planted",
	.module = "xfs",
	.functions = (const struct fs_function[]){
		{ .op = FS_READ, .function = "ext4_planted" },
		{ .op = FS_READ, .function = "ext4_file_read_iter", .args = { 3 } },
		{ .op = FS_READ, .function = "ext4_file_open", .shape = FS_IOCB },
		{ .op = FS_GETATTR, .function = "ext4_lookup", .args = { 3 } },
		{ .op = FS_SETATTR, .function = "xfs_vn_getattr", .args = { 4, 5 },
		  .shape = FS_SETATTR_OR_TRUNCATE },
		{ 0 } },
};

int main(int argc, char **argv)
{
	const struct filesystem *const plant[] = { &planted, NULL };
	const struct filesystem *const *fs = filesystem_table;
	bool table = false;
	int opt, rows = 0, wrong = 0;

	while ((opt = getopt(argc, argv, "pt")) != -1)
		switch (opt) {
		case 'p': fs = plant; break;
		case 't': table = true; break;
		default: return 2;
		}
	for (; optind < argc && nkernels < KERNELS_MAX; optind++)
		kernel_open(&kernels[nkernels++], argv[optind]);
	for (; *fs; fs++) {
		struct row_use use[ROWS_MAX] = { 0 };

		wrong += check_all(*fs, use);
		for (int i = 0; (*fs)->functions[i].function; i++)
			rows++;
		if (table)
			print_table(*fs, use);
	}
	if (!table)
		printf("%d rows, %d wrong\n", rows, wrong);
	return wrong > 0;
}
