/* The fields of markup of a segment as JSON. `_output.h` includes it. */

enum { MAX_VALUE_DEPTH = 16 };

/* The numbers below 1,000, as most are: their digits, and how many. */
static struct { char digits[3], size; } small_numbers[1000];

static void fill_small_numbers(void)
{
    for (int number = 0; number < 1000; number++) {
        char digits[3] = {(char)('0' + number / 100), (char)('0' + number / 10 % 10), (char)('0' + number % 10)};
        int size = number >= 100 ? 3 : number >= 10 ? 2 : 1;
        memcpy(small_numbers[number].digits, digits + 3 - size, (size_t)size);
        small_numbers[number].size = (char)size;
    }
}

/* Writes a number of up to 18 digits without the detour over a format. */
static void put_integer(output_t *out, long long number)
{
    char digits[20];
    size_t at = sizeof digits;

    if (number >= 0 && number < 1000) {
        memcpy(out->data + out->size, &small_numbers[number], sizeof *small_numbers);
        out->size += (size_t)small_numbers[number].size;
        return;
    }
    if (number < 0 || number >= 1000000000000000000LL) {
        put_number(out, number);
        return;
    }
    do digits[--at] = (char)('0' + number % 10); while ((number /= 10) > 0);
    put_plain(out, digits + at, sizeof digits - at);
}

static int put_string(output_t *out, PyObject *string)
{
    bytes_t bytes;

    if (bytes_of(string, &bytes) < 0 || make_room(out, SEGMENT_ROOM) < 0) return -1;
    PUT(out, "\"");
    if (put_content(out, bytes) < 0) return -1;
    PUT(out, "\"");
    return 0;
}

static int put_value(output_t *out, PyObject *value, int depth);

/* Writes the items of a list or a tuple. */
static int put_items(output_t *out, PyObject *sequence, int depth)
{
    Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence);

    PUT(out, "[");
    for (Py_ssize_t i = 0; i < count; i++) {
        if (put_value(out, PySequence_Fast_GET_ITEM(sequence, i), depth) < 0 || make_room(out, SEGMENT_ROOM) < 0) return -1;
        if (i + 1 < count) PUT(out, ",");
    }
    PUT(out, "]");
    return 0;
}

static int put_dict(output_t *out, PyObject *dict, int depth)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;
    bool is_first = true;

    PUT(out, "{");
    while (PyDict_Next(dict, &at, &name, &value)) {
        if (make_room(out, SEGMENT_ROOM) < 0) return -1;
        if (!is_first) PUT(out, ",");
        is_first = false;
        if (put_string(out, name) < 0) return -1;
        PUT(out, ":");
        if (put_value(out, value, depth) < 0) return -1;
    }
    if (make_room(out, SEGMENT_ROOM) < 0) return -1;
    PUT(out, "}");
    return 0;
}

/* Writes a value as orjson does. Returns -1 with an exception, also for values that markup does not have. */
static int put_value(output_t *out, PyObject *value, int depth)
{
    int overflow = 0;
    long long number;

    if (depth > MAX_VALUE_DEPTH || make_room(out, SEGMENT_ROOM) < 0) return -1;
    if (PyUnicode_CheckExact(value)) return put_string(out, value);
    if (PyList_CheckExact(value) || PyTuple_CheckExact(value)) return put_items(out, value, depth + 1);
    if (PyDict_CheckExact(value)) return put_dict(out, value, depth + 1);
    if (value == Py_True) PUT(out, "true");
    else if (value == Py_False) PUT(out, "false");
    else if (value == Py_None) PUT(out, "null");
    else {
        number = PyLong_CheckExact(value) ? PyLong_AsLongLongAndOverflow(value, &overflow) : (overflow = 1);
        if (overflow) {
            PyErr_SetString(PyExc_TypeError, "markup has strings, integers, lists and dicts");
            return -1;
        }
        put_integer(out, number);
    }
    return 0;
}

/* Whether a field is one that segments have without markup, which `put_segment` writes. */
static bool is_plain_field(PyObject *name)
{
    PyObject *const plain[] = {words.text, words.tag, words.path, words.links, words.br,
                               words.marker, words.hidden, words.pre, words.bold, words.origin};

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (name == plain[i]) return true;
    return false;
}

/* ---- markup that is no Python object. Each part is written into room that `put_text` leaves, or that it makes. */

static int put_text(output_t *out, bytes_t text)
{
    if (text.at == NULL) PUT(out, "null");
    else {
        PUT(out, "\"");
        if (put_content(out, text) < 0) return -1;
        PUT(out, "\"");
    }
    return 0;
}

/* What begins a field and a span: all bytes of it are copied, for which there is room. */
typedef struct {
    char text[24];
    uint8_t size;
} start_t;
#define START(text) {text, sizeof(text) - 1}
static const start_t FIELD_STARTS[FIELD_COUNT] = {
    [F_LEVEL] = START(",\"level\":"), [F_DEPTH] = START(",\"depth\":"), [F_ITEM] = START(",\"item\":"),
    [F_QUOTE] = START(",\"quote\":"), [F_NEW_QUOTE] = START(",\"new_quote\":"),
    [F_TABLE] = START(",\"table\":"), [F_CODE] = START(",\"code\":"),
    [F_SPANS] = START(",\"spans\":"), [F_FIGURE] = START(",\"figure\":"), [F_CELLS] = START(",\"cells\":"),
    [F_CODE_TEXT] = START(",\"code_text\":"), [F_CODE_LANGUAGE] = START(",\"code_language\":"), [F_NOTE] = START(",\"note\":"),
    [F_LINES] = START(",\"lines\":"),
};
static const start_t SPAN_KIND_TEXTS[SPAN_KINDS] = {
    [LINK_SPAN] = START(",\"link\""), [EM_SPAN] = START(",\"em\""), [STRONG_SPAN] = START(",\"strong\""),
    [CODE_SPAN] = START(",\"code\""), [SUP_SPAN] = START(",\"sup\""), [SUB_SPAN] = START(",\"sub\""), [DEL_SPAN] = START(",\"del\""),
    [MARK_SPAN] = START(",\"mark\""), [MATH_SPAN] = START(",\"math\""), [IMAGE_SPAN] = START(",\"image\""),
    [NOTE_SPAN] = START(",\"note\""), [ASIDE_SPAN] = START(",\"aside\""), [FOOTNOTE_SPAN] = START(",\"footnote\""),
    [TASK_SPAN] = START(",\"task\""),
};

static inline void put_start(output_t *out, const start_t *start)
{
    memcpy(out->data + out->size, start->text, sizeof start->text);
    out->size += start->size;
}

static void put_name(output_t *out, const char *name)
{
    put_plain(out, name, strlen(name));
}

/* Writes `,"name":text`, if there is one. */
static int put_named_text(output_t *out, const char *name, bytes_t text)
{
    if (text.at == NULL) return 0;
    PUT(out, ",\"");
    put_name(out, name);
    PUT(out, "\":");
    return put_text(out, text);
}

static int put_image(output_t *out, const image_t *image)
{
    if (make_room(out, SEGMENT_ROOM) < 0) return -1;
    if (image->formula) {
        PyErr_SetString(PyExc_ValueError, "a formula among images");
        return -1;
    }
    PUT(out, "{\"src\":");
    if (put_text(out, image->src) < 0 || put_named_text(out, "alt", image->alt) < 0) return -1;
    if (image->is_link_first && put_named_text(out, "link", image->link) < 0) return -1;
    if (put_named_text(out, "caption", image->caption) < 0) return -1;
    if (!image->is_link_first && put_named_text(out, "link", image->link) < 0) return -1;
    if (image->has_place) {
        PUT(out, ",\"row\":");
        put_integer(out, image->row);
        PUT(out, ",\"column\":");
        put_integer(out, image->column);
    }
    if (image->is_after) PUT(out, ",\"after\":true");
    PUT(out, "}");
    return 0;
}

static int put_span(output_t *out, const span_t *span)
{
    const entry_t *entry = span->entry;

    if (make_room(out, SEGMENT_ROOM) < 0) return -1;
    PUT(out, "[");
    put_integer(out, (long long)span->start);
    PUT(out, ",");
    put_integer(out, (long long)span->end);
    put_start(out, &SPAN_KIND_TEXTS[entry->kind]);
    if (entry->values > 0) {
        PUT(out, ",");
        if (entry->image ? put_image(out, entry->image) < 0 : put_text(out, entry->value) < 0) return -1;
    }
    if (entry->values > 1) PUT(out, ",\"" DISPLAY "\"");
    PUT(out, "]");
    return 0;
}

/* Writes `"name":number`, after a comma unless it is the first. */
static void put_named_number(output_t *out, const char *name, long long number)
{
    PUT(out, "\"");
    put_name(out, name);
    PUT(out, "\":");
    put_integer(out, number);
}

static int put_cell(output_t *out, const cell_t *cell)
{
    if (make_room(out, SEGMENT_ROOM) < 0) return -1;
    PUT(out, "{");
    put_named_number(out, "start", (long long)cell->start);
    PUT(out, ",");
    put_named_number(out, "end", (long long)cell->end);
    PUT(out, ",");
    put_named_number(out, "row", cell->row);
    PUT(out, ",");
    put_named_number(out, "column", cell->column);
    if (cell->rows > 1) {
        PUT(out, ",");
        put_named_number(out, "rows", cell->rows);
    }
    if (cell->columns > 1) {
        PUT(out, ",");
        put_named_number(out, "columns", cell->columns);
    }
    if (cell->is_header) PUT(out, ",\"header\":true");
    PUT(out, "}");
    return 0;
}

/* Writes the items of a field that is a list. */
static int put_list(output_t *out, const markup_t *markup, enum field field)
{
    size_t count = field == F_SPANS ? markup->span_count : field == F_CELLS ? markup->cell_count : markup->figure_count;

    PUT(out, "[");
    for (size_t i = 0; i < count; i++) {
        int status = field == F_SPANS ? put_span(out, &markup->spans[i])
                     : field == F_CELLS ? put_cell(out, &markup->cells[i]) : put_image(out, markup->figures[i]);
        if (status < 0) return -1;
        if (i + 1 < count) PUT(out, ",");
    }
    if (make_room(out, SEGMENT_ROOM) < 0) return -1;
    PUT(out, "]");
    return 0;
}

/* Writes the fields of markup, in their order. Returns -1 with an exception. */
static int put_markup(output_t *out, const markup_t *markup)
{
    for (size_t i = 0; i < markup->count; i++) {
        enum field field = (enum field)markup->order[i];
        int status = 0;
        if (make_room(out, SEGMENT_ROOM) < 0) return -1;
        put_start(out, &FIELD_STARTS[field]);
        switch (field) {
        case F_SPANS: case F_FIGURE: case F_CELLS: status = put_list(out, markup, field); break;
        case F_CODE_TEXT: status = put_text(out, markup->texts->code_text); break;
        case F_CODE_LANGUAGE: status = put_text(out, markup->texts->code_language); break;
        case F_NOTE:
            PUT(out, "{\"id\":");
            if ((status = put_text(out, markup->texts->note)) == 0) PUT(out, "}");
            break;
        case F_LINES: PUT(out, "true"); break;
        default: put_integer(out, markup->numbers[field]);
        }
        if (status < 0) return -1;
    }
    return make_room(out, SEGMENT_ROOM);
}

/* What stands for the cells of a row in the dict of a segment. */
#define KEPT_CELLS Py_Ellipsis

/* Writes the fields of markup that the dict of a segment has, in their order. Returns -1 with an exception. */
static int put_fields_of_dict(output_t *out, PyObject *dict, const markup_t *markup)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;

    while (PyDict_Next(dict, &at, &name, &value)) {
        if (is_plain_field(name)) continue;
        if (make_room(out, SEGMENT_ROOM) < 0) return -1;
        PUT(out, ",");
        if (put_string(out, name) < 0) return -1;
        PUT(out, ":");
        if ((value == KEPT_CELLS ? put_list(out, markup, F_CELLS) : put_value(out, value, 0)) < 0) return -1;
    }
    return make_room(out, SEGMENT_ROOM);
}

/* The links of a text: a list as that of its spans; NULL with an exception. */
static PyObject *list_of_links(const markup_t *markup)
{
    PyObject *out = PyList_New(0);

    for (size_t i = 0; out && i < markup->span_count; i++)
        if (markup->spans[i].entry->kind == LINK_SPAN &&
            append_object(out, list_of_span(&markup->spans[i])) < 0) Py_CLEAR(out);
    return out;
}

/* What a segment says to those who look for its author and its date: its text, its tag, its path, its origin, and the links of
 * a short text. NULL with an exception. */
static PyObject *dict_for_head(const segment_t *segment)
{
    enum { MAX_SEARCHED = 400 }; /* characters */
    bool has_spans = segment->marked == NULL && segment->chars <= MAX_SEARCHED && has_field(segment->markup, F_SPANS);
    PyObject *out = segment->marked ? PyDict_Copy(segment->marked) : PyDict_New();
    PyObject *text = string_of(segment->text);
    const char *cells = FIELD_NAMES[F_CELLS];

    if (out && PyDict_GetItemString(out, cells) == KEPT_CELLS && PyDict_DelItemString(out, cells) < 0) Py_CLEAR(out);
    if (out && (text == NULL || PyDict_SetItem(out, words.text, text) < 0 ||
                PyDict_SetItem(out, words.tag, segment->block->tag_object) < 0 ||
                PyDict_SetItem(out, words.path, segment->path_object) < 0 ||
                (segment->block->origin &&
                 set_new_field(out, "origin", PyUnicode_InternFromString(segment->block->origin)) < 0) ||
                (has_spans && set_new_field(out, "spans", list_of_links(segment->markup)) < 0))) Py_CLEAR(out);
    Py_XDECREF(text);
    return out;
}
