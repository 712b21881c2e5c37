// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Functions that Debian 13's libelf.a (0.192) calls but lacks, and that are not needed here. With
 * this file the static binary is built there as on Debian 12, and is as small.
 */
#include <stddef.h>

#define GAP __attribute__((weak)) extern	/* used only where libelf.a lacks it */

/*
 * elf_begin() and elf_end() call these to make and to clear the tree of what
 * elf_getdata_rawchunk() has read. calloc() made it empty, and it stays empty, as fstrace
 * does not call that function. If it did, the link would fail, as eu_tsearch(), which adds to the
 * tree, is lacking too.
 */
GAP void eu_search_tree_init(void *tree);
GAP void eu_search_tree_fini(void *tree, void (*free_node)(void *));

void eu_search_tree_init(void *tree)
{
	(void)tree;
}

void eu_search_tree_fini(void *tree, void (*free_node)(void *))
{
	(void)tree;
	(void)free_node;
}

/*
 * Sections compressed by zstd. libelf reads only our own BPF objects, which have none; the library
 * would add 700 KB. So each call fails, and libelf reports "cannot decompress data".
 */
GAP unsigned int ZSTD_isError(size_t code);
GAP size_t ZSTD_decompress(void *to, size_t to_size, const void *from, size_t from_size);
GAP void *ZSTD_createCCtx(void);
GAP size_t ZSTD_freeCCtx(void *context);
GAP size_t ZSTD_compressStream2(void *context, void *to, void *from, int end);

unsigned int ZSTD_isError(size_t code)
{
	return code != 0;
}

size_t ZSTD_decompress(void *to, size_t to_size, const void *from, size_t from_size)
{
	(void)to;
	(void)to_size;
	(void)from;
	(void)from_size;
	return -1;
}

void *ZSTD_createCCtx(void)
{
	return NULL;
}

size_t ZSTD_freeCCtx(void *context)
{
	(void)context;
	return 0;
}

size_t ZSTD_compressStream2(void *context, void *to, void *from, int end)
{
	(void)context;
	(void)to;
	(void)from;
	(void)end;
	return -1;
}
