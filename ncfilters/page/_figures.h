/* Images that stand as blocks of their own: as figures.py, which is the reference. `_core.c` includes it.
 *
 * Block elements have serial numbers: a figure knows those around it after they have ended. Those of items, cells and quotes are odd.
 */

/* A block (its dict), and the serials of the elements around it. Several figures may share one. */
typedef struct {
    size_t references;
    PyObject *block; /* owned */
    sizes_t elements;
} place_of_block_t;

typedef struct {
    PyObject *image; /* owned */
    sizes_t around;  /* serials of the elements around it, outside its <figure> */
    size_t element, figure; /* 0: none */
    place_of_block_t *before; /* shared; NULL if there is none */
    around_t marks;
    Py_ssize_t waited;
} figure_t;

/* The block elements that are open: serials, from the outermost, and which one is a figure (0: none). */
typedef struct {
    const size_t *serials;
    size_t count, figure;
} elements_t;

static void drop_place(place_of_block_t *place)
{
    if (place == NULL || --place->references > 0) return;
    Py_DECREF(place->block);
    PyMem_RawFree(place->elements.items);
    PyMem_RawFree(place);
}

static place_of_block_t *share_place(place_of_block_t *place)
{
    if (place) place->references++;
    return place;
}

static int copy_sizes(sizes_t *to, const size_t *items, size_t count)
{
    to->count = 0;
    if (reserve((void **)&to->items, 0, &to->capacity, count + 1, sizeof *to->items) < 0) return -1;
    memcpy(to->items, items, count * sizeof *items);
    to->count = count;
    return 0;
}

/* Makes *place* that of a block; another one if it is shared. NULL with an exception. */
static place_of_block_t *set_place(place_of_block_t *place, PyObject *block, elements_t around)
{
    if (place == NULL || place->references > 1) {
        drop_place(place);
        if ((place = PyMem_RawCalloc(1, sizeof *place)) == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        place->references = 1;
        place->block = Py_NewRef(block);
    } else Py_SETREF(place->block, Py_NewRef(block));
    if (copy_sizes(&place->elements, around.serials, around.count) == 0) return place;
    drop_place(place);
    return NULL;
}

static void free_figure(figure_t *figure)
{
    Py_XDECREF(figure->image);
    PyMem_RawFree(figure->around.items);
    free_around(&figure->marks);
    drop_place(figure->before);
}

/* Fills in a figure, which takes *marks* over, also if it fails. */
static int make_figure(figure_t *out, PyObject *image, elements_t around, place_of_block_t *before, around_t marks)
{
    size_t count = 0;

    memset(out, 0, sizeof *out);
    out->marks = marks;
    out->image = Py_NewRef(image);
    out->before = share_place(before);
    out->element = around.serials[around.count - 1];
    out->figure = around.figure;
    while (count < around.count && around.serials[count] != around.figure) count++;
    if (copy_sizes(&out->around, around.serials, count) == 0) return 0;
    free_figure(out);
    return -1;
}

static Py_ssize_t text_length(PyObject *block)
{
    PyObject *text = PyDict_GetItem(block, words.text);

    return text ? PyUnicode_GET_LENGTH(text) : 0;
}

static Py_ssize_t links_of(PyObject *block)
{
    PyObject *links = PyDict_GetItem(block, words.links);

    return links ? PyLong_AsSsize_t(links) : 0;
}

/* How near a block is to an image (see Figure._rank). */
typedef struct {
    size_t depth;
    bool is_text, is_outside; /* of items, cells and quotes that the image is not in */
    Py_ssize_t chars;
} rank_t;

static rank_t rank_of(const figure_t *figure, PyObject *block, const size_t *elements, size_t count)
{
    PyObject *tag = PyDict_GetItem(block, words.tag);
    rank_t out = {0, true, true, 0};

    if (tag && (PyUnicode_CompareWithASCIIString(tag, "figcaption") == 0 ||
                PyUnicode_CompareWithASCIIString(tag, "caption") == 0)) out.is_text = false;
    while (out.depth < count && out.depth < figure->around.count &&
           figure->around.items[out.depth] == elements[out.depth]) out.depth++;
    for (size_t i = out.depth; i < count; i++) out.is_outside &= !(elements[i] & 1);
    out.chars = text_length(block) - links_of(block);
    if (out.chars > markup.enough_chars) out.chars = markup.enough_chars;
    return out;
}

static bool is_as_near(rank_t one, rank_t other)
{
    if (one.depth != other.depth) return one.depth > other.depth;
    if (one.is_text != other.is_text) return one.is_text;
    if (one.is_outside != other.is_outside) return one.is_outside;
    return one.chars >= other.chars;
}

/* Adds an image to the field `figure` of a block. */
static int add_image(PyObject *block, PyObject *image)
{
    PyObject *images = PyDict_GetItem(block, words.figure);

    if (images) return PyList_Append(images, image);
    if ((images = PyList_New(1)) == NULL) return -1;
    PyList_SET_ITEM(images, 0, Py_NewRef(image));
    return set_new(block, words.figure, images);
}

/* Adds the image to the block before it or to *after*, which may be NULL. */
static int attach_figure(const figure_t *figure, PyObject *after, elements_t around)
{
    const place_of_block_t *before = figure->before;
    PyObject *image, *copy;
    bool is_before;
    int status = -1;

    if (before == NULL && after == NULL) return 0;
    is_before = before && (after == NULL ||
                           is_as_near(rank_of(figure, before->block, before->elements.items, before->elements.count),
                                      rank_of(figure, after, around.serials, around.count)));
    if ((image = linked_image(figure->image, &figure->marks, NULL, NULL, 0)) == NULL) return -1;
    if (!is_before) status = add_image(after, image);
    else if ((copy = PyDict_Copy(image)) != NULL) {
        if (PyDict_SetItem(copy, words.after, Py_True) == 0) status = add_image(before->block, copy);
        Py_DECREF(copy);
    }
    Py_DECREF(image);
    return status;
}

/* Whether a link around an image leads to an image; -1 with an exception. */
static int is_linked_to_image(const figure_t *figure)
{
    for (size_t i = 0; i < figure->marks.count; i++) {
        PyObject *entry = figure->marks.items[i].entry, *found;
        int answer;
        if (!is_kind(entry, "link")) continue;
        if ((found = PyObject_CallOneArg(markup.is_image_address, PyTuple_GET_ITEM(entry, 1))) == NULL) return -1;
        answer = PyObject_IsTrue(found);
        Py_DECREF(found);
        if (answer) return answer;
    }
    return 0;
}

/* Whether the image is not attached to a block in these elements (see Figure.waits); -1 with an exception. */
static int waits(figure_t *figure, PyObject *block, elements_t around, bool is_caption)
{
    if (++figure->waited >= markup.max_waited) return 0;
    if (links_of(block) == text_length(block)) {
        int is_link = is_linked_to_image(figure);
        if (is_link) return is_link;
    }
    if (figure->figure == 0) return is_caption;
    for (size_t i = 0; i < around.count; i++)
        if (around.serials[i] == figure->figure) return 1;
    return 0;
}

/* Adds text of the `<figcaption>` of an image. */
static int add_caption(const figure_t *figure, PyObject *block)
{
    PyObject *caption = PyDict_GetItem(figure->image, words.caption), *text = PyDict_GetItem(block, words.text);

    if (text == NULL) return 0;
    if (caption == NULL || PyUnicode_GET_LENGTH(caption) == 0) return PyDict_SetItem(figure->image, words.caption, text);
    return set_new(figure->image, words.caption, PyUnicode_FromFormat("%U %U", caption, text));
}
