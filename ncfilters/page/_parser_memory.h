/* A bound on the memory that the parser takes for a page, while it parses. `_core.c` includes it.
 *
 * lexbor gets its memory from functions that a program may replace. Within a bound, these count what is in use, and give none
 * beyond it: the parser stops, as it does when the system has no more. Other threads, and other work with a tree, have no bound.
 */

#ifdef __GLIBC__
#include <malloc.h>

static _Thread_local struct {
    size_t most, used; /* bytes; *most* is 0 without a bound */
    bool was_hit;
} parser_memory;

static bool has_memory(size_t bytes)
{
    if (!parser_memory.most || (bytes <= parser_memory.most && parser_memory.used <= parser_memory.most - bytes)) return true;
    parser_memory.was_hit = true;
    return false;
}

static void *counted(void *block)
{
    if (block && parser_memory.most) parser_memory.used += malloc_usable_size(block);
    return block;
}

static void count_freed(size_t size)
{
    parser_memory.used -= size < parser_memory.used ? size : parser_memory.used;
}

static void *bounded_malloc(size_t size)
{
    return has_memory(size) ? counted(malloc(size)) : NULL;
}

static void *bounded_calloc(size_t count, size_t size)
{
    bool is_too_large = size && count > SIZE_MAX / size;
    return !is_too_large && has_memory(count * size) ? counted(calloc(count, size)) : NULL;
}

static void *bounded_realloc(void *block, size_t size)
{
    size_t before = block && parser_memory.most ? malloc_usable_size(block) : 0;
    void *out;

    if (size > before && !has_memory(size - before)) return NULL;
    if ((out = realloc(block, size)) == NULL) return NULL;
    count_freed(before);
    return counted(out);
}

static void bounded_free(void *block)
{
    if (block && parser_memory.most) count_freed(malloc_usable_size(block));
    free(block);
}

/* Has the parser take its memory from these functions. */
static void bound_parser_memory(void *library)
{
    int (*set_up)(void *(*)(size_t), void *(*)(void *, size_t), void *(*)(size_t, size_t), void (*)(void *));
    void *found = dlsym(library, "lexbor_memory_setup");

    if (found == NULL) return; /* an older library: without a bound */
    memcpy(&set_up, &found, sizeof found);
    set_up(bounded_malloc, bounded_realloc, bounded_calloc, bounded_free);
}

static bool set_parser_memory(size_t most)
{
    bool was_hit = parser_memory.was_hit;

    parser_memory.most = most;
    parser_memory.used = 0;
    parser_memory.was_hit = false;
    return was_hit;
}
#else
static void bound_parser_memory(void *library)
{
}

static bool set_parser_memory(size_t most)
{
    return false;
}
#endif

/* The bytes that are free, but not given back to the system; SIZE_MAX if that is unknown. */
static size_t free_bytes(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    return mallinfo2().fordblks;
#else
    return SIZE_MAX;
#endif
}

PyDoc_STRVAR(return_memory_doc, "return_memory(least)\n--\n\n"
"Gives the memory that is free back to the system, if it is at least so many bytes.");

static PyObject *core_return_memory(PyObject *module, PyObject *least)
{
    size_t bytes = PyLong_AsSize_t(least);

    if (bytes == (size_t)-1 && PyErr_Occurred()) return NULL;
    if (bytes == 0 || free_bytes() >= bytes) return_freed_memory();
    Py_RETURN_NONE;
}

PyDoc_STRVAR(limit_parser_doc, "limit_parser(bytes)\n--\n\n"
"Bounds the memory that the parser takes in this thread from now on; 0 for no bound. Returns whether the bound before was met.");

static PyObject *core_limit_parser(PyObject *module, PyObject *most)
{
    size_t bytes = PyLong_AsSize_t(most);

    if (bytes == (size_t)-1 && PyErr_Occurred()) return NULL;
    return PyBool_FromLong(set_parser_memory(bytes));
}
