# cython: boundscheck=False, wraparound=False, cdivision=True
"""Bounds on memory and depth of a page, while it is parsed (see parser_memory.py).

lexbor gets its memory from functions that a program may replace. Within bounds, these count what is in use, and give
none beyond it: the parser stops, as it does when the system has no more. The lists of open elements and of formatting
elements are the two blocks of LIST_BYTES that it begins with. Each thread has bounds of its own. Where the C library is
not glibc, there are none. The attributes of the tags of a page are counted in a loop over its bytes.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport SIZE_MAX
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcmp

cdef extern from *:
    """
    #include <stdlib.h>
    #ifdef __GLIBC__
    #include <malloc.h>
    #define NC_IS_GLIBC 1
    #define NC_THREAD_LOCAL __thread
    #if __GLIBC_PREREQ(2, 33)
    #define nc_free_bytes() mallinfo2().fordblks
    #else
    #define nc_free_bytes() SIZE_MAX
    #endif
    #else
    #define NC_IS_GLIBC 0
    #define NC_THREAD_LOCAL
    #define nc_free_bytes() 0
    #define malloc_usable_size(block) 0
    #define malloc_trim(pad) 0
    #define mallopt(name, value) 0
    #define M_MMAP_THRESHOLD 0
    #define M_TRIM_THRESHOLD 0
    #endif
    static NC_THREAD_LOCAL size_t nc_most, nc_used; /* bytes; no bound: 0 */
    static NC_THREAD_LOCAL int nc_was_hit, nc_num_lists; /* the bound that was met; known lists */
    static NC_THREAD_LOCAL void *nc_lists[2];
    """
    bint NC_IS_GLIBC
    int M_MMAP_THRESHOLD, M_TRIM_THRESHOLD
    size_t nc_most, nc_used
    int nc_was_hit, nc_num_lists
    void *nc_lists[2]
    size_t nc_free_bytes() noexcept nogil
    size_t malloc_usable_size(void *block) noexcept nogil
    int malloc_trim(size_t pad) noexcept nogil
    int mallopt(int name, int value) noexcept nogil

cdef extern from "<dlfcn.h>":
    void *dlopen(const char *path, int mode)
    void *dlsym(void *library, const char *name)
    enum: RTLD_LAZY
    enum: RTLD_NOLOAD

ctypedef void *(*malloc_f)(size_t) noexcept nogil
ctypedef void *(*realloc_f)(void *, size_t) noexcept nogil
ctypedef void *(*calloc_f)(size_t, size_t) noexcept nogil
ctypedef void (*free_f)(void *) noexcept nogil
ctypedef int (*setup_f)(malloc_f, realloc_f, calloc_f, free_f) noexcept nogil

# Freed memory stays in the process for the next page, up to some bytes: else each page takes its memory from the system
# again, piece by piece. Blocks beyond the first limit are given back at once.
cdef enum: MAX_KEPT_BLOCK = 3 << 20, MAX_KEPT = 32 << 20
cdef enum: OPEN = 1024, LIST_BYTES = 128 * 8, BY_MEMORY = 1, BY_DEPTH = 2
MAX_OPEN = OPEN
cdef bint is_set_up = False, has_bounds = False


cpdef int limit_parser(size_t most) except -1:
    cdef int was_hit = nc_was_hit
    global nc_most, nc_used, nc_was_hit, nc_num_lists
    if not is_set_up:
        set_up()
    nc_most = most if has_bounds else 0
    nc_used = nc_was_hit = nc_num_lists = 0
    return was_hit


cpdef bint is_bounded():
    return has_bounds


cpdef return_memory(size_t least):
    if least == 0 or nc_free_bytes() >= least:
        malloc_trim(0)


cdef int set_up() except -1:
    """Has the parser take its memory from the functions below. An older library, which has no such call, has no bound."""
    global is_set_up, has_bounds
    is_set_up = True
    from selectolax import lexbor  # start-up: --help needs no parser
    cdef bytes path = lexbor.__file__.encode()
    cdef void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD)
    cdef setup_f found = <setup_f>dlsym(library, "lexbor_memory_setup") if library else NULL
    if NC_IS_GLIBC and found:
        mallopt(M_MMAP_THRESHOLD, MAX_KEPT_BLOCK)
        mallopt(M_TRIM_THRESHOLD, MAX_KEPT)
        has_bounds = True
        found(bounded_malloc, bounded_realloc, bounded_calloc, bounded_free)
    return 0


cdef inline bint may_take(size_t size) noexcept nogil:
    global nc_was_hit
    if not nc_most or (size <= nc_most and nc_used <= nc_most - size):
        return True
    nc_was_hit = BY_MEMORY
    return False


cdef inline bint is_list(void *block) noexcept nogil:
    return nc_num_lists > 0 and block is nc_lists[0] or nc_num_lists > 1 and block is nc_lists[1]


cdef inline void *counted(void *block) noexcept nogil:
    global nc_used
    if block and nc_most:
        nc_used += malloc_usable_size(block)
    return block


cdef inline void count_freed(size_t size) noexcept nogil:
    global nc_used
    nc_used -= size if size < nc_used else nc_used


cdef void *bounded_malloc(size_t size) noexcept nogil:
    global nc_num_lists
    cdef void *out
    if not nc_most:
        return malloc(size)
    out = counted(malloc(size)) if may_take(size) else NULL
    if size == LIST_BYTES and nc_num_lists < 2:
        nc_lists[nc_num_lists] = out
        nc_num_lists += 1
    return out


cdef void *bounded_calloc(size_t count, size_t size) noexcept nogil:
    if size and count > SIZE_MAX // size or not may_take(count * size):
        return NULL
    return counted(calloc(count, size))


cdef void *bounded_realloc(void *block, size_t size) noexcept nogil:
    global nc_was_hit
    cdef size_t before = malloc_usable_size(block) if block and nc_most else 0
    cdef void *out
    cdef bint grows_list = nc_most > 0 and block and is_list(block)
    if grows_list and size > OPEN * sizeof(void *):
        nc_was_hit = BY_DEPTH
        return NULL
    if size > before and not may_take(size - before):
        return NULL
    out = realloc(block, size)
    if not out:
        return NULL
    if grows_list:
        nc_lists[1 if block is nc_lists[1] else 0] = out
    count_freed(before)
    return counted(out)


cdef void bounded_free(void *block) noexcept nogil:
    if block and nc_most:
        count_freed(malloc_usable_size(block))
    free(block)


RAW_ELEMENTS = (b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noembed", b"noframes")

ctypedef const unsigned char *at_t
# What a byte may be in a tag. A page ends with a zero, which is none of these.
cdef enum: SPACE = 1, SLASH = 2, END = 4, EQUALS = 8, MAX_NAME = 8
cdef unsigned char[256] BYTES
BYTES[c" "] = BYTES[c"\t"] = BYTES[c"\n"] = BYTES[c"\r"] = BYTES[c"\f"] = SPACE
BYTES[c"/"], BYTES[c">"], BYTES[c"="] = SLASH, END, EQUALS


cdef inline at_t skip(at_t at, at_t end, int kinds) noexcept nogil:
    """Behind the bytes of some kinds."""
    while at < end and BYTES[at[0]] & kinds:
        at += 1
    return at


cdef inline at_t stop(at_t at, at_t end, int kinds) noexcept nogil:
    """The next byte of some kinds."""
    while at < end and not BYTES[at[0]] & kinds:
        at += 1
    return at


cdef inline at_t find(at_t at, at_t end, int byte) noexcept nogil:
    """The next place of a byte; the end of the page if there is none."""
    cdef at_t found = <at_t>memchr(at, byte, end - at) if at < end else NULL
    return found if found else end


cdef bint is_name(at_t at, at_t end, const char *name, Py_ssize_t size) noexcept nogil:
    """Whether a name, which is in lower case, is here, in any case."""
    cdef Py_ssize_t i
    if end - at < size:
        return False
    for i in range(size):
        if at[i] | 32 != name[i]:
            return False
    return True


cdef at_t raw_end(at_t at, at_t end, bytes name) noexcept:
    """Where the text of an element ends: at its end tag."""
    cdef const char *own = PyBytes_AS_STRING(name)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(name)
    while True:
        at = find(at, end, c"<")
        if at >= end or at + 1 < end and at[1] == c"/" and is_name(at + 2, end, own, size):
            return at
        at += 1


cdef at_t comment_end(at_t at, at_t end) noexcept nogil:
    while True:
        at = find(at, end, c"-")
        if at >= end or end - at >= 3 and at[1] == c"-" and at[2] == c">":
            return at
        at += 1


cpdef Py_ssize_t most_attributes(bytes html):
    cdef at_t at = <at_t>PyBytes_AS_STRING(html)
    cdef at_t end = at + PyBytes_GET_SIZE(html)
    cdef at_t name
    cdef Py_ssize_t most = 0, count, size
    cdef bytes raw
    while True:
        at = find(at, end, c"<")
        if at >= end:
            return most
        if end - at >= 4 and memcmp(at, b"<!--", 4) == 0:
            at = comment_end(at + 2, end)
            continue
        at += 1
        if at >= end or not c"a" <= at[0] | 32 <= c"z":
            continue
        name, at = at, stop(at, end, SPACE | SLASH | END)
        size, count = at - name, 0
        while True:
            at = skip(at, end, SPACE | SLASH)
            if at >= end or BYTES[at[0]] == END:
                break
            count += 1
            at = skip(stop(at + 1, end, SPACE | SLASH | END | EQUALS), end, SPACE)
            if at < end and at[0] == c"=":
                at = skip(at + 1, end, SPACE)
                if at < end and (at[0] == c'"' or at[0] == c"'"):
                    at = find(at + 1, end, at[0]) + 1
                else:
                    at = stop(at, end, SPACE | END)
        if count > most:
            most = count
        if size <= MAX_NAME and name[0] | 32 in (c"s", c"t", c"x", c"i", c"n"):
            for raw in RAW_ELEMENTS:
                if size == PyBytes_GET_SIZE(raw) and is_name(name, end, PyBytes_AS_STRING(raw), size):
                    at = raw_end(at, end, raw)
                    break
