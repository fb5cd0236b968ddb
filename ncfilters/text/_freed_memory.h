/* Memory of a process that reads one page after the other. */

#ifndef NC_FREED_MEMORY_H
#define NC_FREED_MEMORY_H

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Lets freed memory stay in the process, up to some bytes, for the next page: else each page takes its memory from the
 * system again, piece by piece. Blocks beyond the first limit are still given back at once. */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    enum { MAX_KEPT_BLOCK = 3 << 20, MAX_KEPT = 32 << 20 };

    mallopt(M_MMAP_THRESHOLD, MAX_KEPT_BLOCK);
    mallopt(M_TRIM_THRESHOLD, MAX_KEPT);
#endif
}

/* Gives all freed memory back: what stays in use behind it keeps that of a tree. */
static inline void return_freed_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

#endif
