/* Segments of a page that may have its title, its author or its date: searched for the Python functions that read them, as the
 * functions of page_segments.py do one by one. `_core.c` includes it.
 *
 * What is found may be more than what is looked for, but for titles: Python functions read the text. Words are in lower case, with
 * "|" between two.
 */

#include "_head_text.h"

/* ---- what is listed */

/* The text of a segment, and its characters. */
typedef struct {
    bytes_t text;
    size_t chars;
} read_text_t;

/* The segments in a capsule; NULL with an exception. */
static const listed_t *listed_of(PyObject *capsule)
{
    marked_page_t *marked = PyCapsule_GetPointer(capsule, MARKED_PAGE_NAME);

    return marked ? &marked->listed : NULL;
}

/* Reads the text of a segment; of a dict without one, it is empty. Returns -1 with an exception. */
static int read_text(const listed_segment_t *own, read_text_t *out)
{
    PyObject *string = own->dict ? PyDict_GetItem(own->dict, words.text) : NULL;

    if (own->segment) *out = (read_text_t){own->segment->text, own->segment->chars};
    else *out = (read_text_t){{(const uint8_t *)"", 0}, 0};
    if (string == NULL || !PyUnicode_Check(string)) return 0;
    out->chars = (size_t)PyUnicode_GET_LENGTH(string);
    return bytes_of(string, &out->text);
}

/* Whether a segment is known to have other than *least* to *most* characters. */
static bool has_other_size(const listed_segment_t *own, Py_ssize_t least, Py_ssize_t most)
{
    return own->segment && ((Py_ssize_t)own->chars < least || (Py_ssize_t)own->chars > most);
}

/* Adds the number of a segment to a list. Returns -1 with an exception. */
static int add_number(PyObject *numbers, size_t number)
{
    return append_object(numbers, PyLong_FromSize_t(number));
}

enum { MAX_AROUND = 32 };

/* The segments around one: those after it, then those before it, each the nearer the sooner. */
typedef struct {
    size_t numbers[MAX_AROUND], count;
    read_text_t texts[MAX_AROUND];
} around_t;

/* Reads the segments around that with the number *place*. Returns -1 with an exception. */
static int read_around(const listed_t *listed, Py_ssize_t place, Py_ssize_t before, Py_ssize_t after, around_t *out)
{
    out->count = 0;
    if (place < 0 || (size_t)place >= listed->count || before < 0 || after < 0 || before > MAX_AROUND ||
        after > MAX_AROUND - before) {
        PyErr_SetString(PyExc_ValueError, "no such segments");
        return -1;
    }
    for (size_t number = (size_t)place + 1; number <= (size_t)(place + after) && number < listed->count; number++)
        out->numbers[out->count++] = number;
    for (size_t number = (size_t)place; number > 0 && place - (Py_ssize_t)number < before; number--)
        if (number - 1 < listed->count) out->numbers[out->count++] = number - 1;
    for (size_t i = 0; i < out->count; i++)
        if (read_text(&listed->items[out->numbers[i]], &out->texts[i]) < 0) return -1;
    return 0;
}

#include "_title_search.h"
#include "_names_beside.h"

/* ---- authors and days */

/* The last element of the path of a segment. */
static bytes_t last_element(const segment_t *own)
{
    size_t start = own->path.size;

    while (start > 0 && own->path.at[start - 1] != '/') start--;
    return (bytes_t){own->path.at + start, own->path.size - start};
}

/* Whether the element of a segment may be of an author, or one of its links lead to one. */
static bool may_name_author(const listed_segment_t *listed, const listed_words_t *named, const listed_words_t *led)
{
    const segment_t *own = listed->segment;

    if (own == NULL || own->marked || may_have_one_of(last_element(own), named)) return true;
    for (size_t i = 0; own->markup && i < own->markup->span_count; i++) {
        const entry_t *entry = own->markup->spans[i].entry;
        if (entry->kind == LINK_SPAN && may_have_one_of(entry->value, led)) return true;
    }
    return false;
}

PyDoc_STRVAR(marked_around_doc, "marked_around(capsule, place, before, after, most, byline, named, led, others, (unnamed, chars), with_author, with_day,\n"
"changes)\n--\n\n"
"The numbers of the segments around that with the number *place* that may say, *with_day*, a day or, *with_author*, an author, of\n"
"those with at most *most* characters; and whether each may have a day, be a byline, name an author, have one of the words *others*,\n"
"and have a name beside a day, in at most *chars* characters (see beside_t). *byline*: how bylines begin. Of authors say, beside a day, the elements and addresses that have words in\n"
"*named* and *led*. With *changes* that are not empty, only days beside one of these words count.");

static PyObject *core_marked_around(PyObject *module, PyObject *args)
{
    PyObject *capsule, *tuple, *strings[5], *out;
    Py_ssize_t place, before, after, most;
    int with_author, with_day;
    const listed_words_t *named, *led, *others, *changes = NULL;
    beside_t beside;
    const listed_t *listed;
    around_t around;
    byline_t byline;
    bool have_days[MAX_AROUND + 1] = {false}, has_day = false;

    if (!PyArg_ParseTuple(args, "OnnnnO!UUU(Un)ppU", &capsule, &place, &before, &after, &most, &PyTuple_Type, &tuple, &strings[0],
                          &strings[1], &strings[2], &strings[4], &beside.most, &with_author, &with_day, &strings[3]) || read_byline(tuple, &byline) < 0) return NULL;
    if ((named = known_words(strings[0])) == NULL || (led = known_words(strings[1])) == NULL ||
        (others = known_words(strings[2])) == NULL || (beside.unnamed = known_words(strings[4])) == NULL || (listed = listed_of(capsule)) == NULL ||
        read_around(listed, place, before, after, &around) < 0) return NULL;
    if (PyUnicode_GET_LENGTH(strings[3]) && (changes = known_words(strings[3])) == NULL) return NULL;
    for (size_t i = 0; i < around.count; i++) {
        have_days[i] = (Py_ssize_t)around.texts[i].chars <= most && may_have_day(around.texts[i].text);
        has_day |= have_days[i];
    }
    out = PyList_New(0);
    for (size_t i = 0; out && i < around.count; i++) {
        const listed_segment_t *own = &listed->items[around.numbers[i]];
        bool may_say, is_of_author, has_name, is_wanted;
        if ((Py_ssize_t)around.texts[i].chars > most) continue;
        /* a label may stand before a day */
        may_say = (with_author || have_days[i] || have_days[i + 1]) && may_be_byline(around.texts[i].text, &byline);
        is_of_author = with_author && has_day && may_name_author(own, named, led);
        has_name = with_author && have_days[i] && may_have_name_beside(&around.texts[i], &byline, &beside);
        is_wanted = (with_day && have_days[i]) || may_say || is_of_author || has_name;
        if (is_wanted && changes) /* a label may stand before the change */
            is_wanted = may_have_one_of(around.texts[i].text, changes) ||
                        (!have_days[i] && i + 1 < around.count && may_have_one_of(around.texts[i + 1].text, changes));
        if (is_wanted && append_object(out, Py_BuildValue("(nNNNNN)", (Py_ssize_t)around.numbers[i], PyBool_FromLong(have_days[i]),
                                                          PyBool_FromLong(may_say), PyBool_FromLong(is_of_author),
                                                          PyBool_FromLong(may_have_one_of(around.texts[i].text, others)), PyBool_FromLong(has_name))) < 0)
            Py_CLEAR(out);
    }
    return out;
}

PyDoc_STRVAR(marked_bylines_doc, "marked_bylines(capsule, first, count, most, byline)\n--\n\n"
"The numbers of the segments that may be bylines, of the *count* from *first* on, of those with at most *most* characters.");

static PyObject *core_marked_bylines(PyObject *module, PyObject *args)
{
    PyObject *capsule, *tuple, *out;
    Py_ssize_t first, count, most;
    const listed_t *listed;
    byline_t byline;

    if (!PyArg_ParseTuple(args, "OnnnO!", &capsule, &first, &count, &most, &PyTuple_Type, &tuple) ||
        read_byline(tuple, &byline) < 0 || (listed = listed_of(capsule)) == NULL) return NULL;
    out = PyList_New(0);
    for (size_t i = first < 0 ? 0 : (size_t)first; out && count-- > 0 && i < listed->count; i++) {
        read_text_t text;
        if (read_text(&listed->items[i], &text) < 0) Py_CLEAR(out);
        else if ((Py_ssize_t)text.chars > most || !may_be_byline(text.text, &byline)) continue;
        else if (add_number(out, i) < 0) Py_CLEAR(out);
    }
    return out;
}

PyDoc_STRVAR(marked_with_name_doc, "marked_with_name(capsule, key, most, first, last, byline)\n--\n\n"
"The numbers of the segments that may have *key* in their key, of those with at most *most* characters; but for those from\n"
"*first* to *last*, they may be bylines, too.");

static PyObject *core_marked_with_name(PyObject *module, PyObject *args)
{
    PyObject *capsule, *string, *tuple, *out;
    Py_ssize_t most, first, last;
    const listed_t *listed;
    byline_t byline;
    bytes_t key;

    if (!PyArg_ParseTuple(args, "OUnnnO!", &capsule, &string, &most, &first, &last, &PyTuple_Type, &tuple) ||
        bytes_of(string, &key) < 0 || read_byline(tuple, &byline) < 0 || (listed = listed_of(capsule)) == NULL) return NULL;
    out = PyList_New(0);
    for (size_t i = 0; out && i < listed->count; i++) {
        bool is_near = (Py_ssize_t)i >= first && (Py_ssize_t)i <= last;
        read_text_t text;
        if (has_other_size(&listed->items[i], 0, most)) continue;
        if (read_text(&listed->items[i], &text) < 0) {
            Py_CLEAR(out);
            break;
        }
        if ((Py_ssize_t)text.chars > most || (!is_near && !may_be_byline(text.text, &byline))) continue;
        if (has_key_within(text.text, key) != 0 && add_number(out, i) < 0) Py_CLEAR(out);
    }
    return out;
}

/* Whether a text begins with the first two bytes of one of some words, in any case. */
static bool has_two_letters_of(bytes_t text, const listed_words_t *starts)
{
    for (size_t number = starts->heads[ascii_lower(text.at[0])]; number > 0; number = starts->nexts[number - 1]) {
        bytes_t word = starts->items[number - 1];
        if (word.size < 2 || word.at[1] == ascii_lower(text.at[1])) return true;
    }
    return false;
}

/* Whether a text may begin with one of some words in folded case. */
static bool may_start(bytes_t text, const listed_words_t *starts)
{
    enum { LONGEST = 32 }; /* more than a start has */
    bytes_t start = {text.at, text.size < LONGEST ? text.size : LONGEST};

    if (text.size == 0 || (text.at[0] < 0x80 && starts->heads[ascii_lower(text.at[0])] == 0)) return false;
    if (text.at[0] < 0x80 && has_start(text, starts)) return true;
    if (text.at[0] >= 0x80 && !Py_UNICODE_ISALPHA(char_at(text.at))) return false; /* a sign */
    if (text.size > 1 && text.at[0] < 0x80 && text.at[1] < 0x80 && !has_two_letters_of(text, starts)) return false;
    for (size_t at = 0; at < start.size; at++)
        if (start.at[at] >= 0x80) return true;
    return false;
}

/* Whether the first bytes of a segment are known to be those of no word. */
static bool has_other_start(const listed_segment_t *own, const listed_words_t *starts)
{
    if (own->segment == NULL) return false;
    for (size_t i = 0; i < sizeof own->start; i++)
        if (own->start[i] >= 0x80) return false;
    for (size_t number = starts->heads[ascii_lower(own->start[0])]; number > 0; number = starts->nexts[number - 1]) {
        bytes_t word = starts->items[number - 1];
        if (is_same_word(own->start, word.at, word.size < sizeof own->start ? word.size : sizeof own->start)) return false;
    }
    return true;
}

/* A text without the "By" that it begins with, if no colon is behind that: alone it is no label. */
static bytes_t behind_by(bytes_t text)
{
    bool is_by = text.size > 2 && is_same_word(text.at, (const uint8_t *)"by", 2) && text.at[2] != ':';

    return is_by ? (bytes_t){text.at + 2, text.size - 2} : text;
}

PyDoc_STRVAR(marked_labels_doc, "marked_labels(capsule, most, starts, authors, days, with_author, with_day)\n--\n\n"
"The numbers of the segments that may begin with one of *starts*, and, *with_author*, may have one of the words *authors*, or,\n"
"*with_day*, one of *days* and a day, which may be in the next segment, of those with at most *most* characters. Beyond ASCII, a\n"
"text may have any of *days*.");

static PyObject *core_marked_labels(PyObject *module, PyObject *args)
{
    PyObject *capsule, *strings[3], *out;
    Py_ssize_t most;
    int with_author, with_day;
    const listed_words_t *starts, *authors, *days;
    const listed_t *listed;

    if (!PyArg_ParseTuple(args, "OnUUUpp", &capsule, &most, &strings[0], &strings[1], &strings[2], &with_author, &with_day) ||
        (starts = known_words(strings[0])) == NULL || (authors = known_words(strings[1])) == NULL ||
        (days = known_words(strings[2])) == NULL || (listed = listed_of(capsule)) == NULL) return NULL;
    out = PyList_New(0);
    for (size_t i = 0; out && i < listed->count; i++) {
        read_text_t own, next = {{NULL, 0}, 0};
        bool is_wanted;
        if (has_other_size(&listed->items[i], 1, most) || has_other_start(&listed->items[i], starts)) continue;
        if (read_text(&listed->items[i], &own) < 0) Py_CLEAR(out);
        if (out == NULL || (Py_ssize_t)own.chars > most || !may_start(own.text, starts)) continue;
        is_wanted = with_author && (has_one_of(behind_by(own.text), authors) || has_like_ascii(own.text));
        if (!is_wanted && with_day && may_have_one_of(own.text, days)) {
            if (i + 1 < listed->count && read_text(&listed->items[i + 1], &next) < 0) Py_CLEAR(out);
            is_wanted = out && (may_have_day(own.text) || may_have_day(next.text));
        }
        if (is_wanted && add_number(out, i) < 0) Py_CLEAR(out);
    }
    return out;
}

PyDoc_STRVAR(marked_days_doc, "marked_days(capsule, least, most, limit)\n--\n\n"
"The numbers of the segments that may have a day, of the first *limit* of *least* to *most* characters that have \"19\" or \"20\".");

static PyObject *core_marked_days(PyObject *module, PyObject *args)
{
    PyObject *capsule, *out;
    Py_ssize_t least, most, limit;
    const listed_t *listed;

    if (!PyArg_ParseTuple(args, "Onnn", &capsule, &least, &most, &limit) || (listed = listed_of(capsule)) == NULL) return NULL;
    out = PyList_New(0);
    for (size_t i = 0; out && limit > 0 && i < listed->count; i++) {
        read_text_t own;
        if (has_other_size(&listed->items[i], least, most)) continue;
        if (read_text(&listed->items[i], &own) < 0) {
            Py_CLEAR(out);
            break;
        }
        if ((Py_ssize_t)own.chars < least || (Py_ssize_t)own.chars > most) continue;
        if (!has_bytes(own.text, (bytes_t){(const uint8_t *)"20", 2}) && !has_bytes(own.text, (bytes_t){(const uint8_t *)"19", 2}))
            continue;
        limit--;
        if (may_have_day(own.text) && add_number(out, i) < 0) Py_CLEAR(out);
    }
    return out;
}

/* The numbers of the segments around a place, of those of *least* to *most* characters, whose text is wanted. */
static PyObject *numbers_around(PyObject *args, bool (*is_wanted)(bytes_t))
{
    PyObject *capsule, *out;
    Py_ssize_t place, before, after, least, most;
    const listed_t *listed;
    around_t around;

    if (!PyArg_ParseTuple(args, "Onnnnn", &capsule, &place, &before, &after, &least, &most) ||
        (listed = listed_of(capsule)) == NULL || read_around(listed, place, before, after, &around) < 0) return NULL;
    out = PyList_New(0);
    for (size_t i = 0; out && i < around.count; i++) {
        if ((Py_ssize_t)around.texts[i].chars < least || (Py_ssize_t)around.texts[i].chars > most) continue;
        if (is_wanted(around.texts[i].text) && add_number(out, around.numbers[i]) < 0) Py_CLEAR(out);
    }
    return out;
}

static bool has_digit(bytes_t text)
{
    size_t at = 0;

    while (at < text.size && !Py_ISDIGIT(text.at[at])) at++;
    return at < text.size;
}

PyDoc_STRVAR(marked_digits_doc, "marked_digits(capsule, place, before, after, least, most)\n--\n\n"
"The numbers of the segments around that with the number *place* that have a digit of ASCII, of those of *least* to *most*\n"
"characters.");

static PyObject *core_marked_digits(PyObject *module, PyObject *args)
{
    return numbers_around(args, has_digit);
}

/* Whether a text may be a full name: two to four words, two of which begin with a capital letter. */
static bool may_be_full_name(bytes_t text)
{
    size_t spaces = 0, capitals = 0;

    for (size_t at = 0; at < text.size; at++) {
        spaces += text.at[at] == ' ';
        capitals += text.at[at] >= 0x80 ? 2 : Py_ISUPPER(text.at[at]) != 0;
    }
    return spaces >= 1 && spaces <= 3 && capitals >= 2;
}

PyDoc_STRVAR(marked_names_doc, "marked_names(capsule, place, before, after, least, most)\n--\n\n"
"The numbers of the segments around that with the number *place* that may be full names, of those of *least* to *most* characters.");

static PyObject *core_marked_names(PyObject *module, PyObject *args)
{
    return numbers_around(args, may_be_full_name);
}

PyDoc_STRVAR(marked_long_doc, "marked_long(capsule, least)\n--\n\n"
"The number of the first segment of at least so many characters; -1 if there is none.");

static PyObject *core_marked_long(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    Py_ssize_t least;
    const listed_t *listed;

    if (!PyArg_ParseTuple(args, "On", &capsule, &least) || (listed = listed_of(capsule)) == NULL) return NULL;
    for (size_t i = 0; i < listed->count; i++) {
        read_text_t own;
        if (has_other_size(&listed->items[i], least, UINT32_MAX)) continue;
        if (read_text(&listed->items[i], &own) < 0) return NULL;
        if ((Py_ssize_t)own.chars >= least) return PyLong_FromSize_t(i);
    }
    return PyLong_FromLong(-1);
}
