/* What the paths of segments say: landmarks, as landmarks.py; headings and list items. `_core.c` includes it. */

static inline bool is_separator(uint8_t c)
{
    return c == '#' || c == '.' || c == '_' || c == '-';
}

/* Whether an element has the name *name*, in which "#" is the level of a heading. */
static bool is_element(const uint8_t *text, const uint8_t *end, const char *name)
{
    Py_UCS4 next;

    for (; *name; name++, text++)
        if (text == end || (*name == '#' ? *text < '1' || *text > '6' : *text != (uint8_t)*name)) return false;
    next = text < end ? char_at(text) : '/';
    return !is_word(next) && next != '-';
}

static inline bool is_tag(const uint8_t *text, size_t length, const char *name)
{
    return length == strlen(name) && is_same_word(text, (const uint8_t *)name, length);
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
    if ((rule = member(&python.landmark_tags, start, length)) == NULL) {
        is_widget = around.rule == NULL && text < end && member(&python.widget_tags, start, length) != NULL;
        around.in_header |= is_tag(start, length, "header");
        around.in_content |= is_tag(start, length, "main") || is_tag(start, length, "article");
        while (is_widget && rule == NULL && text < end) {
            while (text < end && is_separator(*text)) text++;
            for (start = text; text < end && !is_separator(*text);) text++;
            if (text > start && member(&python.widget_words, start, (size_t)(text - start))) rule = words.widget;
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

/* How many bytes the beginnings of two paths share. */
static size_t same_bytes(bytes_t one, bytes_t other)
{
    size_t same = 0, least = one.size < other.size ? one.size : other.size;
    uint64_t eight[2];

    for (; least - same >= sizeof *eight; same += sizeof *eight) {
        memcpy(&eight[0], one.at + same, sizeof *eight);
        memcpy(&eight[1], other.at + same, sizeof *eight);
        if (eight[0] != eight[1]) break;
    }
    while (same < least && one.at[same] == other.at[same]) same++;
    return same;
}

/* How many elements of the path before are those of *path*. */
static size_t same_elements(const last_path_t *last, bytes_t path)
{
    size_t same = same_bytes(path, last->path), count = 0;

    while (count < last->count && last->ends[count] <= same &&
           (last->ends[count] == path.size || path.at[last->ends[count]] == '/')) count++;
    return count;
}

/* The landmark of a path. The elements of one that is not ASCII are not read for rules. */
static landmark_t landmark_of(last_path_t *last, bytes_t path)
{
    size_t count, from;
    landmark_t found = {NULL, false, false, false, false};

    if (last->count && equal(last->path, path)) return last->last;
    count = same_elements(last, path);
    from = count ? last->ends[count - 1] + 1 : 0;
    if (count) found = last->landmarks[count - 1];
    while (from <= path.size) {
        const uint8_t *start = path.at + from, *slash, *end;
        slash = from < path.size ? memchr(start, '/', path.size - from) : NULL;
        end = slash ? slash : path.at + path.size;
        if (from) {
            found.in_heading |= *start == 'h' && is_element(start, end, "h#");
            found.in_item |= *start == 'l' && is_element(start, end, "li");
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

/* The number of different paths of segments. Of no more changes from path to path than any page may have paths, that of these
 * is as good. -1 with an exception. */
static Py_ssize_t count_paths(const segment_t *segments, size_t count)
{
    Py_ssize_t changes = 0;
    PyObject *paths;

    for (size_t i = 0; i < count; i++) changes += i == 0 || !equal(segments[i].path, segments[i - 1].path);
    if (changes <= python.paths) return changes;
    if ((paths = PySet_New(NULL)) == NULL) return -1;
    for (size_t i = 0; i < count; i++) {
        PyObject *path;
        if (i > 0 && equal(segments[i].path, segments[i - 1].path)) continue;
        path = PyBytes_FromStringAndSize((const char *)segments[i].path.at, (Py_ssize_t)segments[i].path.size);
        if (path == NULL || PySet_Add(paths, path) < 0) {
            Py_XDECREF(path);
            Py_DECREF(paths);
            return -1;
        }
        Py_DECREF(path);
    }
    changes = PySet_GET_SIZE(paths);
    Py_DECREF(paths);
    return changes;
}

/* Reads the paths of segments. */
static void read_paths(segment_t *segments, size_t count, last_path_t *last)
{
    for (size_t i = 0; i < count; i++) segments[i].landmark = landmark_of(last, segments[i].path);
}

/* The landmark of the path of a segment: its rule is that of *given*, or by the Python function if the path is not in
 * ASCII, which updates *given*. Returns -1 with an exception. */
static int find_landmark(last_path_t *last, const segment_t *segment, landmark_t *out)
{
    PyObject *tuple = last->are_given ? PyDict_GetItem(last->given, segment->path_object) : NULL;
    int status;

    *out = segment->landmark;
    if (tuple) return read_landmark(tuple, out);
    if (!last->are_given && PyUnicode_IS_ASCII(segment->path_object)) return 0;
    tuple = PyObject_CallFunctionObjArgs(python.landmark_of_path, segment->path_object, last->given, NULL);
    if (tuple == NULL) return -1;
    status = read_landmark(tuple, out); /* the rule lives on in *given* */
    Py_DECREF(tuple);
    return status;
}
