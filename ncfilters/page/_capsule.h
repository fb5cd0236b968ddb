/* The blocks of a page in a capsule, without Python objects of their texts. `_core.c` includes it. */

#include "_columns.h"
#include "../text/_bytes.h"

static void free_columns(columns_t *columns)
{
    for (size_t at = 0; columns->blocks && at < columns->count; at++) {
        Py_XDECREF(columns->blocks[at].tag_object);
        Py_XDECREF(columns->blocks[at].path_object);
    }
    PyMem_RawFree(columns->blocks);
    PyMem_RawFree(columns->texts);
    free_arena(&columns->arena);
    PyMem_RawFree(columns);
}

static void free_capsule(PyObject *capsule)
{
    columns_t *columns = PyCapsule_GetPointer(capsule, COLUMNS_NAME);

    if (columns) free_columns(columns);
}

static columns_t *columns_in(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, COLUMNS_NAME);
}

/* Whether bytes are UTF-8. */
static bool is_utf8(const char *text, size_t length)
{
    const uint8_t *at = (const uint8_t *)text, *end = at + length;
    int size;

    while (at < end) {
        uint64_t eight;
        if (end - at >= 8) {
            memcpy(&eight, at, 8);
            if (!(eight & 0x8080808080808080u)) {
                at += 8;
                continue;
            }
        }
        if (*at < 0x80) at++;
        else if ((size = character_size(at, end)) != 0) at += size;
        else return false;
    }
    return true;
}

/* Fills a block of the columns, which takes over the objects of the *block*. Returns -1 with an exception; texts are strict, as in
 * dict_of_block. */
static int set_shown_block(shown_block_t *to, const block_t *block, const char *texts)
{
    Py_ssize_t tag_size, path_size;

    *to = (shown_block_t){
        .text = texts + block->start,
        .text_size = block->length,
        .chars = block->chars,
        .links = block->links,
        .tag_object = block->name,
        .path_object = block->path,
        .markup = block->markup,
        .hidden = HIDING_NAMES[block->hidden],
        .origin = block->origin == OF_NOSCRIPT ? "noscript" : block->origin == OF_SHADOW ? "shadow" : NULL,
        .is_line = block->is_line,
        .is_pre = block->is_pre,
        .is_bold = block->is_bold,
    };
    memcpy(to->marker, block->marker, COLUMN_MARKER_SIZE);
    if ((to->tag = PyUnicode_AsUTF8AndSize(block->name, &tag_size)) == NULL) return -1;
    if ((to->path = PyUnicode_AsUTF8AndSize(block->path, &path_size)) == NULL) return -1;
    to->tag_size = (size_t)tag_size;
    to->path_size = (size_t)path_size;
    if (is_utf8(to->text, to->text_size)) return 0;
    Py_XDECREF(PyUnicode_DecodeUTF8(to->text, (Py_ssize_t)to->text_size, NULL)); /* for its exception */
    return -1;
}

_Static_assert(sizeof(block_t) >= sizeof(shown_block_t), "a block of the columns takes the place of one of the walk");

/* Makes the blocks of the walk those of columns, which then own them. They are not copied: large pages have many. Returns -1
 * with an exception. */
static int move_blocks(columns_t *columns, builder_t *builder)
{
    char *blocks = (char *)builder->blocks;
    size_t count = builder->block_count;
    int status = 0;

    builder->blocks = NULL;
    builder->block_count = builder->block_capacity = 0;
    columns->blocks = (shown_block_t *)(void *)blocks;
    for (size_t at = 0; at < count; at++) {
        block_t own;
        memcpy(&own, blocks + at * sizeof own, sizeof own);
        if (status == 0) {
            status = set_shown_block(&columns->blocks[at], &own, columns->texts);
            columns->count++;
        } else {
            Py_DECREF(own.name);
            Py_DECREF(own.path);
        }
    }
    return status;
}

/* The blocks in a capsule, which then owns their texts; NULL with an exception. */
static PyObject *capsule_of_blocks(builder_t *builder)
{
    columns_t *columns = PyMem_RawCalloc(1, sizeof *columns);
    PyObject *out;

    if (columns == NULL) return PyErr_NoMemory();
    columns->texts = builder->texts.data;
    builder->texts.data = NULL;
    columns->has_markup = builder->page != NULL;
    if (builder->page) {
        columns->arena = builder->page->arena;
        builder->page->arena = (arena_t){NULL};
    }
    if (move_blocks(columns, builder) < 0) {
        free_columns(columns);
        return NULL;
    }
    if ((out = PyCapsule_New(columns, COLUMNS_NAME, free_capsule)) == NULL) free_columns(columns);
    return out;
}

PyDoc_STRVAR(columns_doc, "columns(root, node_at, holders, most, is_condensed)\n--\n\n"
"As `blocks`, in a capsule for other functions. If the page *is_condensed*, holders are only those that may hold something, and\n"
"LookupError is raised where text that has been cut would be read.");

static PyObject *core_columns(PyObject *module, PyObject *args)
{
    unsigned long long root;
    builder_t builder = {0};
    PyObject *out = NULL;
    int is_condensed;

    if (!PyArg_ParseTuple(args, "KOOnp", &root, &builder.node_at, &builder.holders, &builder.max_blocks, &is_condensed) ||
        !is_ready()) return NULL;
    builder.is_condensed = builder.has_few_holders = is_condensed;
    if (build(&builder, (node_t *)(uintptr_t)root) == 0) out = capsule_of_blocks(&builder);
    free_builder(&builder);
    return out;
}

PyDoc_STRVAR(marked_columns_doc, "marked_columns(root, node_at, holders, links, items, details, most, is_condensed)\n--\n\n"
"As `marked_blocks`: a capsule as that of `columns`, whose blocks have their markup; None if an image has details that are no\n"
"formula. Images that are formulas are in their places. If the page\n"
"*is_condensed*, holders are only those that may hold something, and all JSON-LD.");

static PyObject *core_marked_columns(PyObject *module, PyObject *args)
{
    return read_marked(args, true);
}

PyDoc_STRVAR(column_text_doc, "column_text(columns, all)\n--\n\n"
"The joined texts of the blocks: of *all*, or of those without origin.");

static PyObject *core_column_text(PyObject *module, PyObject *args)
{
    PyObject *capsule, *out;
    columns_t *columns;
    buffer_t text = {0};
    int all;

    if (!PyArg_ParseTuple(args, "Op", &capsule, &all) || (columns = columns_in(capsule)) == NULL) return NULL;
    for (size_t at = 0; at < columns->count; at++) {
        const shown_block_t *block = &columns->blocks[at];
        if ((all || block->origin == NULL) && append_bytes(&text, block->text, block->text_size) < 0) {
            PyMem_RawFree(text.data);
            return NULL;
        }
    }
    out = PyUnicode_DecodeUTF8(text.data ? text.data : "", (Py_ssize_t)text.length, NULL);
    PyMem_RawFree(text.data);
    return out;
}

PyDoc_STRVAR(column_state_doc, "column_state(columns, prose_chars, block_chars, links)\n--\n\n"
"The number of blocks, and whether those of at least *block_chars* characters with a share of links below *links* have\n"
"fewer than *prose_chars* together.");

static PyObject *core_column_state(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    columns_t *columns;
    Py_ssize_t left, least;
    double links;

    if (!PyArg_ParseTuple(args, "Onnd", &capsule, &left, &least, &links) || (columns = columns_in(capsule)) == NULL)
        return NULL;
    for (size_t at = 0; left > 0 && at < columns->count; at++) {
        const shown_block_t *block = &columns->blocks[at];
        if (block->chars >= (size_t)least && (double)block->links < links * (double)block->chars)
            left -= (Py_ssize_t)block->chars;
    }
    return Py_BuildValue("(nO)", (Py_ssize_t)columns->count, left > 0 ? Py_True : Py_False);
}

PyDoc_STRVAR(column_noscript_doc, "column_noscript(columns, chars)\n--\n\n"
"The number and the text of each block of `<noscript>` with at least so many *chars*.");

static PyObject *core_column_noscript(PyObject *module, PyObject *args)
{
    PyObject *capsule, *out;
    columns_t *columns;
    Py_ssize_t least;

    if (!PyArg_ParseTuple(args, "On", &capsule, &least) || (columns = columns_in(capsule)) == NULL) return NULL;
    out = PyList_New(0);
    for (size_t at = 0; out && at < columns->count; at++) {
        const shown_block_t *block = &columns->blocks[at];
        if (block->origin == NULL || strcmp(block->origin, "noscript") != 0 || block->chars < (size_t)least) continue;
        if (append_new(out, Py_BuildValue("(ns#)", (Py_ssize_t)at, block->text, (Py_ssize_t)block->text_size)) < 0)
            Py_CLEAR(out);
    }
    return out;
}
