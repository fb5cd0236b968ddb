/* The formatting elements that a parser opens again in each block: as broken_markup.end_formatting, which is the reference.
 * `_core.c` includes it. */

/* Bounds on what is open, and on what is open around open tables; beyond them Python looks. */
enum { MAX_OPEN_ELEMENTS = 1000, MAX_AROUND = 100000 };

static const char *const FORMATTED_NAMES[] = {"b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong",
                                              "tt", "u", "table", "tr", "td", "th"};
enum { FORMATTED_COUNT = sizeof FORMATTED_NAMES / sizeof *FORMATTED_NAMES, TABLE_NUMBER = 13 };

/* An open element: the number of its name, and its attributes as they are written. */
typedef struct {
    int name;
    const uint8_t *attributes;
    size_t size;
} formatted_t;

typedef struct {
    formatted_t open[MAX_OPEN_ELEMENTS];
    size_t count;
    formatted_t *around; /* what was open around each open table, one after the other */
    size_t *starts;      /* where that of each table starts */
    size_t around_count, table_count;
} open_formatting_t;

/* The number of the name at *at*, whose end is *stop*; -1 if it is none of these, -2 if it cannot be told. */
static int formatted_name(const uint8_t *at, const uint8_t *end, const uint8_t **stop)
{
    enum { MAX_NAME = 6 };
    char name[MAX_NAME + 1];
    int length = 0;

    while (at < end && length < MAX_NAME && Py_ISALPHA(*at)) name[length++] = lower((char)*at++);
    name[length] = '\0';
    *stop = at;
    if (at < end && *at >= 0x80) return -2; /* white space, or a letter in another case */
    if (length == 0 || at >= end || !(*at == '/' || *at == '>' || SPACES[*at])) return -1;
    for (int number = 0; number < FORMATTED_COUNT; number++)
        if (strcmp(FORMATTED_NAMES[number], name) == 0) return number;
    return -1;
}

/* Restores what was open around the innermost table. */
static void restore_open(open_formatting_t *all)
{
    size_t start = all->starts[all->table_count - 1];

    all->count = all->around_count - start;
    memcpy(all->open, all->around + start, all->count * sizeof *all->open);
}

/* Changes what is open as the tag of a table or of a cell does. Returns whether that is within the bounds. */
static bool pass_table(open_formatting_t *all, int name, bool is_end)
{
    if (name != TABLE_NUMBER) {
        if (all->table_count) restore_open(all);
    } else if (!is_end) {
        if (all->around_count + all->count > MAX_AROUND || all->table_count == MAX_AROUND) return false;
        all->starts[all->table_count++] = all->around_count;
        memcpy(all->around + all->around_count, all->open, all->count * sizeof *all->open);
        all->around_count += all->count;
    } else if (all->table_count) {
        restore_open(all);
        all->around_count = all->starts[--all->table_count];
    }
    return true;
}

/* Opens a formatting element, of which the parser keeps so many equal ones. Returns whether there is room. */
static bool open_formatted(open_formatting_t *all, formatted_t own, size_t max_equal)
{
    size_t equal_ones = 0;

    for (size_t i = 0; i < all->count; i++)
        equal_ones += all->open[i].name == own.name && all->open[i].size == own.size &&
                      memcmp(all->open[i].attributes, own.attributes, own.size) == 0;
    if (equal_ones >= max_equal) return true;
    if (all->count == MAX_OPEN_ELEMENTS) return false;
    all->open[all->count++] = own;
    return true;
}

static void close_formatted(open_formatting_t *all, int name)
{
    size_t at = all->count;

    while (at > 0 && all->open[at - 1].name != name) at--;
    if (at == 0) return;
    memmove(all->open + at - 1, all->open + at, (all->count - at) * sizeof *all->open);
    all->count--;
}

/* Whether more than *left* formatting elements may be opened again. */
static bool may_copy(open_formatting_t *all, const html_t *html, long long left, size_t max_equal)
{
    const uint8_t *end = html->data + html->length, *at = html->data;
    long long tags = 0; /* since the last one of these */

    while (at < end && (at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        bool is_end = ++at < end && *at == '/', is_good;
        const uint8_t *stop, *close;
        int name = formatted_name(at + is_end, end, &stop);
        if (name == -2) return true;
        for (close = stop; name >= 0 && close < end && *close != '<' && *close != '>';) close++;
        if (name < 0 || close >= end || *close == '<') {
            tags++;
            continue;
        }
        if (all->count > 1 && (left -= (long long)all->count * tags) < 0) return true;
        tags = 0;
        at = close + 1;
        if (name >= TABLE_NUMBER) is_good = pass_table(all, name, is_end);
        else if (is_end) close_formatted(all, name), is_good = true;
        else is_good = open_formatted(all, (formatted_t){name, stop, (size_t)(close - stop)}, max_equal);
        if (!is_good) return true;
    }
    return false;
}

PyDoc_STRVAR(may_copy_formatting_doc, "may_copy_formatting(utf8, left, max_equal)\n--\n\n"
"Whether broken_markup.end_formatting may end the formatting of a page.");

static PyObject *core_may_copy_formatting(PyObject *module, PyObject *args)
{
    const char *data;
    Py_ssize_t size, left, max_equal;
    open_formatting_t *all;
    PyObject *answer = NULL;

    if (!PyArg_ParseTuple(args, "y#nn", &data, &size, &left, &max_equal)) return NULL;
    if ((all = PyMem_RawCalloc(1, sizeof *all)) == NULL) return PyErr_NoMemory();
    all->around = PyMem_RawMalloc(MAX_AROUND * sizeof *all->around);
    all->starts = PyMem_RawMalloc(MAX_AROUND * sizeof *all->starts);
    if (all->around && all->starts) {
        html_t html = {(const uint8_t *)data, (size_t)size};
        answer = PyBool_FromLong(may_copy(all, &html, left, (size_t)max_equal));
    } else PyErr_NoMemory();
    PyMem_RawFree(all->around);
    PyMem_RawFree(all->starts);
    PyMem_RawFree(all);
    return answer;
}
