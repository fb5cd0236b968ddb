/* The segments of a page with markup in a capsule, for those who look for its author and its date: a dict is made for a
 * segment that they read (see page_segments.py). `_core.c` includes it.
 */

#define MARKED_PAGE_NAME "ncfilters.segmentation.marked_page"

typedef struct {
    page_t page;
    PyObject *columns, *others; /* owned: what the segments point to */
    listed_t listed;
} marked_page_t;

static void free_marked_page(marked_page_t *marked)
{
    close_page(&marked->page);
    Py_XDECREF(marked->columns);
    Py_XDECREF(marked->others);
    PyMem_RawFree(marked->listed.items);
    PyMem_RawFree(marked);
}

static void free_marked_capsule(PyObject *capsule)
{
    marked_page_t *marked = PyCapsule_GetPointer(capsule, MARKED_PAGE_NAME);

    if (marked) free_marked_page(marked);
}

/* A page for segments of columns and for *others*; NULL with an exception. */
static marked_page_t *new_marked_page(PyObject *columns, PyObject *others)
{
    columns_t *own = PyCapsule_GetPointer(columns, COLUMNS_NAME);
    marked_page_t *out = own ? PyMem_RawCalloc(1, sizeof *out) : NULL;

    if (out == NULL) return own ? (marked_page_t *)PyErr_NoMemory() : NULL;
    out->columns = Py_NewRef(columns);
    out->others = Py_NewRef(others);
    out->listed.items = PyMem_RawCalloc(own->count + (size_t)PyList_GET_SIZE(others) + 1, sizeof *out->listed.items);
    if (out->listed.items == NULL) PyErr_NoMemory();
    else if (!own->has_markup) PyErr_SetString(PyExc_ValueError, "columns without markup");
    else {
        out->page.carrier.arena = &own->arena;
        return out;
    }
    free_marked_page(out);
    return NULL;
}

PyDoc_STRVAR(marked_segments_doc, "marked_segments(columns, dropped, others, with_text, functions)\n--\n\n"
"As `json_segments`, for columns with markup; *others* are triples, with the dict of the segment. *functions*: those of\n"
"markup.py for groups, and those that clean code and mark formulas. The fifth value is a capsule of all segments, for the\n"
"functions below.");

static PyObject *core_marked_segments(PyObject *module, PyObject *args)
{
    PyObject *columns, *dropped, *others, *json = NULL, *sample = NULL, *capsule = NULL, *finish, *clean_code, *mark_delimited;
    marked_page_t *marked;
    page_t *page;
    int with_text;
    Py_ssize_t paths = 0;

    if (!PyArg_ParseTuple(args, "OO!O!p(OOO)", &columns, &PyList_Type, &dropped, &PyList_Type, &others, &with_text, &finish,
                          &clean_code, &mark_delimited) || (marked = new_marked_page(columns, others)) == NULL) return NULL;
    page = &marked->page;
    page->carrier.finish = finish;
    page->clean_code = clean_code;
    page->mark_delimited = mark_delimited;
    if (read_page(page, PyCapsule_GetPointer(columns, COLUMNS_NAME), dropped) == 0 && mark_page(page) == 0) {
        paths = paths_of_page(page, others);
        sample = paths < 0 ? NULL : with_text ? sample_of(page->segments, page->count, PyList_GET_SIZE(others) > 0) : Py_NewRef(Py_None);
        if (sample)
            json = json_of_segments(page->segments, page->count, PyCapsule_GetPointer(columns, COLUMNS_NAME), others,
                                    &marked->listed);
    }
    if (json) capsule = PyCapsule_New(marked, MARKED_PAGE_NAME, free_marked_capsule);
    if (capsule) return Py_BuildValue("(NnnNN)", json, (Py_ssize_t)marked->listed.count, paths, sample, capsule);
    free_marked_page(marked);
    Py_XDECREF(json);
    Py_XDECREF(sample);
    return NULL;
}

/* The segment with a number, in a capsule; NULL with an exception. */
static listed_segment_t *listed_in(PyObject *capsule, Py_ssize_t number)
{
    marked_page_t *marked = PyCapsule_GetPointer(capsule, MARKED_PAGE_NAME);

    if (marked == NULL) return NULL;
    if (number >= 0 && (size_t)number < marked->listed.count) return &marked->listed.items[number];
    PyErr_SetString(PyExc_IndexError, "no such segment");
    return NULL;
}

PyDoc_STRVAR(marked_segment_doc, "marked_segment(capsule, number)\n--\n\n"
"The dict of a segment: its text, its tag, its path, its origin and, of a short text, its links.");

static PyObject *core_marked_segment(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    Py_ssize_t number;
    listed_segment_t *own;

    if (!PyArg_ParseTuple(args, "On", &capsule, &number) || (own = listed_in(capsule, number)) == NULL) return NULL;
    return own->dict ? Py_NewRef(own->dict) : dict_for_head(own->segment);
}
