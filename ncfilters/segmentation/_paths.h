/* What the paths of segments say: landmarks, as landmarks.py; headings and list items. `_core.c` includes it. */

/* The evidence of the elements around a segment: a rule (borrowed) or NULL, in a header, in the main content; and
 * whether it is in a heading or in a list item. */
typedef struct {
    PyObject *rule;
    bool in_header, in_content, in_heading, in_item;
} landmark_t;

static inline uint8_t ascii_lower(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c + 32) : c;
}

static inline bool is_separator(uint8_t c)
{
    return c == '#' || c == '.' || c == '_' || c == '-';
}

static bool is_word_of(PyObject *word, const uint8_t *text, size_t length)
{
    const uint8_t *own = PyUnicode_DATA(word);

    if ((size_t)PyUnicode_GET_LENGTH(word) != length) return false;
    for (size_t i = 0; i < length; i++)
        if (ascii_lower(text[i]) != own[i]) return false;
    return true;
}

/* The member of a tuple of words that ASCII text is, in any case (borrowed); NULL if there is none. */
static PyObject *member(PyObject *tuple, const uint8_t *text, size_t length)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++)
        if (is_word_of(PyTuple_GET_ITEM(tuple, i), text, length)) return PyTuple_GET_ITEM(tuple, i);
    return NULL;
}

/* Whether an element has the name *name*, in which "#" is the level of a heading. */
static bool is_named(const uint8_t *text, const uint8_t *end, const char *name)
{
    Py_UCS4 next;

    for (; *name; name++, text++)
        if (text == end || (*name == '#' ? *text < '1' || *text > '6' : *text != (uint8_t)*name)) return false;
    next = text < end ? char_at(text) : '/';
    return !is_word(next) && next != '-';
}

/* The landmark of an element in ASCII, within that of the elements around it. */
static landmark_t with_element(landmark_t around, const uint8_t *text, const uint8_t *end)
{
    const uint8_t *start = text;
    PyObject *rule;
    size_t length;
    bool is_widget;

    while (text < end && !is_separator(*text)) text++;
    length = (size_t)(text - start);
    if ((rule = member(python.landmark_tags, start, length)) == NULL) {
        is_widget = around.rule == NULL && text < end && member(python.widget_tags, start, length) != NULL;
        around.in_header |= is_word_of(words.header, start, length);
        around.in_content |= (length == 4 && is_word_of(words.main, start, length)) ||
                             (length == 7 && is_word_of(words.article, start, length));
        while (is_widget && rule == NULL && text < end) {
            while (text < end && is_separator(*text)) text++;
            for (start = text; text < end && !is_separator(*text);) text++;
            if (text > start && member(python.widget_words, start, (size_t)(text - start))) rule = words.widget;
        }
    }
    if (around.rule == NULL) around.rule = rule;
    return around;
}

enum { MAX_ELEMENTS = 256 };

/* The landmarks of the path before: those of its first elements are often those of the next path. */
typedef struct {
    PyObject *given; /* landmarks that Python knows; *are_given*: those of wrappers, which come first */
    bool are_given;
    bytes_t path;
    size_t count, ends[MAX_ELEMENTS];
    landmark_t landmarks[MAX_ELEMENTS], last;
} last_path_t;

/* How many elements of the path before are those of *path*. */
static size_t same_elements(const last_path_t *last, bytes_t path)
{
    size_t same = 0, count = 0, least = path.size < last->path.size ? path.size : last->path.size;

    while (same < least && path.at[same] == last->path.at[same]) same++;
    while (count < last->count && last->ends[count] <= same &&
           (last->ends[count] == path.size || path.at[last->ends[count]] == '/')) count++;
    return count;
}

/* The landmark of a path. The elements of one that is not ASCII are not read for rules. */
static landmark_t landmark_of(last_path_t *last, bytes_t path)
{
    size_t count = same_elements(last, path), from = count ? last->ends[count - 1] + 1 : 0;
    landmark_t found = {NULL, false, false, false, false};

    if (last->count && equal(last->path, path)) return last->last;
    if (count) found = last->landmarks[count - 1];
    while (from <= path.size) {
        const uint8_t *start = path.at + from, *slash, *end;
        slash = from < path.size ? memchr(start, '/', path.size - from) : NULL;
        end = slash ? slash : path.at + path.size;
        if (from) {
            found.in_heading |= is_named(start, end, "h#");
            found.in_item |= is_named(start, end, "li");
        }
        found = with_element(found, start, end);
        from = (size_t)(end - path.at) + 1;
        if (count < MAX_ELEMENTS) {
            last->ends[count] = from - 1;
            last->landmarks[count++] = found;
        }
    }
    last->path = path;
    last->count = count;
    last->last = found;
    return found;
}

static bool is_ascii(bytes_t text)
{
    for (size_t at = 0; at < text.size; at++)
        if (text.at[at] >= 0x80) return false;
    return true;
}

/* A landmark from a tuple as Python has it. Returns -1 with an exception. */
static int read_landmark(PyObject *tuple, landmark_t *out)
{
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != 3) {
        PyErr_SetString(PyExc_TypeError, "expected a landmark");
        return -1;
    }
    out->rule = PyTuple_GET_ITEM(tuple, 0) == Py_None ? NULL : PyTuple_GET_ITEM(tuple, 0);
    out->in_header = PyTuple_GET_ITEM(tuple, 1) == Py_True;
    out->in_content = PyTuple_GET_ITEM(tuple, 2) == Py_True;
    return 0;
}

/* The landmark of the path of a segment: its rule is that of *given*, or by the Python function if the path is not in
 * ASCII, which updates *given*. Returns -1 with an exception. */
static int find_landmark(last_path_t *last, const segment_t *segment, landmark_t *out)
{
    PyObject *tuple = last->are_given ? PyDict_GetItem(last->given, segment->path_object) : NULL;
    int status;

    *out = landmark_of(last, segment->path);
    if (tuple) return read_landmark(tuple, out);
    if (!last->are_given && is_ascii(segment->path)) return 0;
    tuple = PyObject_CallFunctionObjArgs(python.landmark_of_path, segment->path_object, last->given, NULL);
    if (tuple == NULL) return -1;
    status = read_landmark(tuple, out); /* the rule lives on in *given* */
    Py_DECREF(tuple);
    return status;
}
