/* The segments of jusText's paragraphs: as justext_blocks.assign_types. `_core.c` includes it. */

/* Whether a path, in ASCII, has a heading: `\bh\d\b`. */
static bool has_heading(bytes_t path)
{
    const uint8_t *end = path.at + path.size;

    for (const uint8_t *at = path.at; (at = memchr(at, 'h', (size_t)(end - at))) != NULL; at++) {
        if (end - at < 2 || at[1] < '0' || at[1] > '9' || (at > path.at && is_word(at[-1]))) continue;
        if (end - at == 2 || !is_word(at[2])) return true;
    }
    return false;
}

/* Whether an element of a path is a list item. */
static bool has_item(bytes_t path)
{
    const uint8_t *end = path.at + path.size;

    for (const uint8_t *at = path.at; at && end - at >= 2; at = (at = memchr(at, '/', (size_t)(end - at))) ? at + 1 : NULL)
        if (at[0] == 'l' && at[1] == 'i' && (end - at == 2 || at[2] == '/')) return true;
    return false;
}

static bool is_in_ascii(bytes_t text)
{
    for (size_t at = 0; at < text.size; at++)
        if (text.at[at] >= 0x80) return false;
    return true;
}

/* Fills the segments of paragraphs; false for a path beyond ASCII. */
static bool read_paragraphs(segment_t *segments, const columns_t *columns)
{
    for (size_t i = 0; i < columns->count; i++) {
        segment_t *own = &segments[i];
        *own = segment_of_block(&columns->blocks[i]);
        if (!is_in_ascii(own->path)) return false;
        own->type = has_heading(own->path) ? words.h : has_item(own->path) ? words.l : words.p;
    }
    return true;
}

PyDoc_STRVAR(json_paragraphs_doc, "json_paragraphs(columns, with_text)\n--\n\n"
"As `json_segments`, of paragraphs of jusText. Raises ValueError for a path beyond ASCII.");

static PyObject *core_json_paragraphs(PyObject *module, PyObject *args)
{
    PyObject *capsule, *others = PyList_New(0), *json = NULL, *sample = NULL;
    columns_t *columns;
    segment_t *segments = NULL;
    int with_text;
    Py_ssize_t count = 0, paths = -1;

    if (others && PyArg_ParseTuple(args, "Op", &capsule, &with_text) &&
        (columns = PyCapsule_GetPointer(capsule, COLUMNS_NAME)) != NULL) {
        count = (Py_ssize_t)columns->count;
        if ((segments = PyMem_RawMalloc((columns->count + 1) * sizeof *segments)) == NULL) PyErr_NoMemory();
        else if (!read_paragraphs(segments, columns)) PyErr_SetString(PyExc_ValueError, "a path beyond ASCII");
        else paths = count_paths(segments, columns->count);
        if (paths >= 0) sample = with_text ? sample_of(segments, columns->count, false) : Py_NewRef(Py_None);
        if (sample) json = json_of_segments(segments, columns->count, columns, others, NULL);
    }
    PyMem_RawFree(segments);
    Py_XDECREF(others);
    if (json) return Py_BuildValue("(NnnN)", json, count, paths, sample);
    Py_XDECREF(sample);
    return NULL;
}
