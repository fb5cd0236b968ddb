/* The days in a text: as dates.py, whose patterns these functions are; of usual characters (see `_author_text.h`). `_core.c` includes
 * it.
 */

/* What `setup_days` gets. */
static struct {
    PyObject *months; /* owned: the names of months and their numbers, a dict */
    int first_year, last_year;
} calendar;

/* A day as it is written. */
typedef struct {
    size_t start, end;
    int year, month, day;
} written_day_t;

static int number_of(chars_t t, size_t start, size_t end)
{
    int number = 0;

    for (size_t at = start; at < end; at++) number = number * 10 + (int)(t.at[at] - '0');
    return number;
}

static bool is_digit_here(chars_t t, size_t p)
{
    return p < t.size && is_digit(t.at[p]);
}

/* What is behind a year from 1900 to 2099; NONE if there is none. */
static size_t behind_year(chars_t t, size_t p)
{
    if (p + 4 > t.size || !is_digit_here(t, p + 2) || !is_digit_here(t, p + 3)) return NONE;
    return (t.at[p] == '1' && t.at[p + 1] == '9') || (t.at[p] == '2' && t.at[p + 1] == '0') ? p + 4 : NONE;
}

/* What is behind one or two digits, behind which is no other; NONE if they are not there. */
static size_t behind_day(chars_t t, size_t p)
{
    size_t end = behind_digits(t, p);

    return end == p || end > p + 2 ? NONE : end;
}

/* What is behind 3 to 13 letters, behind which is no other; NONE if they are not there. */
static size_t behind_month(chars_t t, size_t p)
{
    enum { LEAST = 3, MOST = 13 };
    size_t end = p;

    while (end < t.size && end - p <= MOST && is_letter(t.at[end])) end++;
    return end - p < LEAST || end - p > MOST ? NONE : end;
}

static bool is_day_sign(Py_UCS4 c)
{
    return c == '-' || c == '/' || c == '.';
}

/* What is behind one to *most* white spaces, hyphens and other *signs* of ASCII; NONE if there are none, or more. */
static size_t behind_joint(chars_t t, size_t p, size_t most, const char *signs)
{
    size_t end = p;

    while (end < t.size && (is_blank(t.at[end]) || t.at[end] == '-' ||
                            (t.at[end] && t.at[end] < 0x80 && strchr(signs, (int)t.at[end])))) end++;
    return end == p || end > p + most ? NONE : end;
}

static size_t skip_sign(chars_t t, size_t p, Py_UCS4 sign)
{
    return is_at(t, p, sign) ? p + 1 : p;
}

/* What is behind one of some words; the place itself if none is there. */
static size_t skip_one(chars_t t, size_t p, const char *const *words_of)
{
    for (; *words_of; words_of++) {
        size_t end = behind(t, p, *words_of);
        if (end != NONE) return end;
    }
    return p;
}

/* The same of a sign and spaces as in "3. 5. 2024": what is behind it. NONE if it is not there. */
static size_t behind_sign(chars_t t, size_t p, Py_UCS4 sign)
{
    return is_at(t, p, sign) ? skip_sign(t, p + 1, ' ') : NONE;
}

/* _YEAR_FIRST */
static bool is_year_first(chars_t t, size_t p, written_day_t *out)
{
    size_t year = behind_year(t, p), month, month_end, day, end;

    if (year == NONE || year >= t.size || !is_day_sign(t.at[year])) return false;
    month = behind_sign(t, year, t.at[year]);
    if ((month_end = behind_day(t, month)) == NONE || (day = behind_sign(t, month_end, t.at[year])) == NONE) return false;
    if ((end = behind_day(t, day)) == NONE) return false;
    *out = (written_day_t){p, end, number_of(t, p, year), number_of(t, month, month_end), number_of(t, day, end)};
    return true;
}

/* _COMPACT */
static bool is_compact(chars_t t, size_t p, written_day_t *out)
{
    enum { DAY = 8, TIME = 6 };
    size_t end = behind_digits(t, p), last = p + DAY;
    bool is_end;

    if (behind_year(t, p) == NONE || end < last) return false;
    is_end = end == last && (end == t.size || (end + 1 == t.size && t.at[end] == '\n') || t.at[end] == 'T' || t.at[end] == ' ');
    if (!is_end && end != last + TIME) return false;
    *out = (written_day_t){p, last, number_of(t, p, p + 4), number_of(t, p + 4, p + 6), number_of(t, p + 6, last)};
    return true;
}

/* _NUMERIC */
static bool is_numeric(chars_t t, size_t p, bool month_first, written_day_t *out)
{
    size_t one = behind_day(t, p), two, two_end, year, end;
    int first, second;

    if (one == NONE || one >= t.size || !is_day_sign(t.at[one])) return false;
    two = behind_sign(t, one, t.at[one]);
    if ((two_end = behind_day(t, two)) == NONE || (year = behind_sign(t, two_end, t.at[one])) == NONE) return false;
    if ((end = behind_year(t, year)) == NONE) return false;
    if (is_digit_here(t, end) && !(is_digit_here(t, end + 1) && is_at(t, end + 2, ':') && is_digit_here(t, end + 3))) return false;
    first = number_of(t, p, one);
    second = number_of(t, two, two_end);
    if (first <= 12 && (second > 12 || (month_first && t.at[one] != '.')))
        *out = (written_day_t){p, end, number_of(t, year, end), first, second};
    else *out = (written_day_t){p, end, number_of(t, year, end), second, first};
    return true;
}

/* The number of the month that letters name; 0 if they name none; UNUSUAL_MONTH if only Python knows, or with an exception. */
enum { UNUSUAL_MONTH = -1 };

static int month_of(chars_t t, size_t start, size_t end)
{
    own_chars_t lower;
    PyObject *string, *number;
    bool is_ascii = true;

    for (size_t at = start; at < end; at++) is_ascii = is_ascii && t.at[at] < 0x80;
    lower_chars(chars_between(t, start, end), &lower);
    if ((string = string_of_chars(chars_of(&lower))) == NULL) return UNUSUAL_MONTH;
    number = PyDict_GetItemWithError(calendar.months, string);
    Py_DECREF(string);
    if (number) return (int)PyLong_AsLong(number);
    return is_ascii && !PyErr_Occurred() ? 0 : UNUSUAL_MONTH;
}

/* _DAY_MONTH: the month is not known yet, but between two places */
static bool is_day_month(chars_t t, size_t p, written_day_t *out, size_t *month, size_t *month_end)
{
    static const char *const ordinals[] = {"st", "nd", "rd", "th", "er", ".", NULL}, *const of[] = {"of ", "de ", "d'", NULL},
                                                                                      *const of_year[] = {"del ", "de ", "of ", NULL};
    size_t day = behind_day(t, p), end, year;

    if (day == NONE) return false;
    end = is_at(t, day, 0xB0) ? day + 1 : skip_one(t, day, ordinals);
    if ((end = behind_joint(t, end, 3, ",/")) == NONE) return false;
    *month = is_at(t, end + 1, 0x2019) && behind(t, end, "d") != NONE ? end + 2 : skip_one(t, end, of);
    if ((*month_end = behind_month(t, *month)) == NONE) return false;
    if ((end = behind_joint(t, skip_sign(t, *month_end, '.'), 3, ",/")) == NONE) return false;
    year = skip_one(t, end, of_year);
    if ((end = behind_year(t, year)) == NONE || is_digit_here(t, end)) return false;
    *out = (written_day_t){p, end, number_of(t, year, end), 0, number_of(t, p, day)};
    return true;
}

/* What is behind a time and, perhaps, a zone between a day and its year, `,? +\d\d:\d\d(?::\d\d)? (?:[A-Z]{3,4} )?`; NONE if it is
 * not there. */
static size_t behind_time(chars_t t, size_t p)
{
    size_t at = skip_sign(t, p, ','), end = at, zone;

    while (is_at(t, end, ' ')) end++;
    if (end == at || behind_digits(t, end) < end + 2 || !is_at(t, end + 2, ':') || behind_digits(t, end + 3) < end + 5) return NONE;
    end += 5;
    if (is_at(t, end, ':') && behind_digits(t, end + 1) >= end + 3) end += 3;
    if (!is_at(t, end, ' ')) return NONE;
    zone = ++end;
    while (zone < t.size && t.at[zone] < 0x80 && is_letter(t.at[zone])) zone++;
    return zone - end >= 3 && zone - end <= 4 && is_at(t, zone, ' ') ? zone + 1 : end;
}

/* _MONTH_DAY */
static bool is_month_day(chars_t t, size_t p, written_day_t *out, size_t *month, size_t *month_end)
{
    static const char *const ordinals[] = {"st", "nd", "rd", "th", NULL};
    size_t day, day_end, end, year;

    *month = p;
    if ((*month_end = behind_month(t, p)) == NONE) return false;
    if ((day = behind_joint(t, skip_sign(t, *month_end, '.'), 3, "")) == NONE || (day_end = behind_day(t, day)) == NONE) return false;
    end = skip_one(t, day_end, ordinals);
    year = behind_joint(t, end, 4, ",");
    if (year == NONE || behind_year(t, year) == NONE || is_digit_here(t, year + 4)) year = behind_time(t, end);
    if (year == NONE || (end = behind_year(t, year)) == NONE || is_digit_here(t, end)) return false;
    *out = (written_day_t){p, end, number_of(t, year, end), 0, number_of(t, day, day_end)};
    return true;
}

/* _YEAR_MONTH_DAY */
static bool is_year_month_day(chars_t t, size_t p, written_day_t *out, size_t *month, size_t *month_end)
{
    size_t year = behind_year(t, p), end, day;

    if (year == NONE) return false;
    end = skip_sign(t, year, '.');
    if (is_at(t, end, ' ') && is_at(t, end + 1, 'm') && is_at(t, end + 2, '.')) end += 3;
    if ((*month = behind_joint(t, end, 2, ",")) == NONE || (*month_end = behind_month(t, *month)) == NONE) return false;
    if ((day = behind_joint(t, skip_sign(t, *month_end, '.'), 2, "")) == NONE || (end = behind_day(t, day)) == NONE) return false;
    *out = (written_day_t){p, end, number_of(t, p, year), 0, number_of(t, day, end)};
    return true;
}

/* Whether there is such a day, of these years. */
static bool is_real_day(const written_day_t *day)
{
    static const int lengths[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = day->year % 4 == 0 && (day->year % 100 != 0 || day->year % 400 == 0);

    if (day->year < calendar.first_year || day->year > calendar.last_year || day->month < 1 || day->month > 12 || day->day < 1)
        return false;
    return day->day <= lengths[day->month - 1] && (day->month != 2 || day->day < 29 || is_leap);
}

/* The first day of each form in a text; some are none. */
enum { DAY_FORMS = 5 };
typedef struct {
    written_day_t items[DAY_FORMS];
    size_t count;
} readings_t;

static void add_day(readings_t *to, const written_day_t *day)
{
    to->items[to->count++] = *day;
}

/* Adds the first day of a form with the name of a month, if there is one. *may_begin*: whether it may begin at a place. Returns -1 if
 * only Python knows, perhaps with an exception. */
static int add_named_day(readings_t *to, chars_t t, bool (*may_begin)(chars_t, size_t),
                         bool (*is_form)(chars_t, size_t, written_day_t *, size_t *, size_t *))
{
    written_day_t day;
    size_t month, month_end;

    for (size_t p = 0; p < t.size; p++) {
        if (!may_begin(t, p) || !is_form(t, p, &day, &month, &month_end)) continue;
        day.month = month_of(t, month, month_end);
        if (day.month < 0) return -1;
        if (day.month > 0) {
            add_day(to, &day);
            return 0;
        }
        if (is_form != is_month_day) p = day.end - 1; /* the month may be the end of a word */
    }
    return 0;
}

static bool may_begin_with_digit(chars_t t, size_t p)
{
    return is_digit(t.at[p]) && (p == 0 || !is_digit(t.at[p - 1]));
}

static bool may_begin_with_letter(chars_t t, size_t p)
{
    bool is_capital = t.at[p] >= 'A' && t.at[p] <= 'Z';

    if (p > 0 && is_capital && t.at[p - 1] >= 'a' && t.at[p - 1] <= 'z') return true;
    return is_letter(t.at[p]) && (p == 0 || !(is_letter(t.at[p - 1]) || is_digit(t.at[p - 1])));
}

static bool has_sign_of_day(chars_t t)
{
    for (size_t i = 0; i < t.size; i++)
        if (is_day_sign(t.at[i])) return true;
    return false;
}

/* Whether a text has "tháng", in small letters. */
static bool has_vietnamese_month(chars_t t)
{
    static const Py_UCS4 month[] = {'t', 'h', 0xE1, 'n', 'g'};
    enum { LENGTH = sizeof month / sizeof *month };

    for (size_t i = 0; i + LENGTH <= t.size; i++)
        if (memcmp(t.at + i, month, sizeof month) == 0) return true;
    return false;
}

/* Adds the first days of the forms with numbers alone. */
static void add_numeric_days(readings_t *to, chars_t t, bool month_first)
{
    written_day_t day;
    bool has_sign = has_sign_of_day(t), is_found = false;

    for (size_t p = 0; has_sign && !is_found && p < t.size; p++)
        if (may_begin_with_digit(t, p) && is_year_first(t, p, &day)) is_found = true;
    for (size_t p = 0; !is_found && p < t.size; p++)
        if (may_begin_with_digit(t, p) && is_compact(t, p, &day)) is_found = true;
    if (is_found) add_day(to, &day);
    for (size_t p = 0; has_sign && p < t.size; p++)
        if (may_begin_with_digit(t, p) && is_numeric(t, p, month_first, &day)) {
            add_day(to, &day);
            return;
        }
}

/* Reads the days in a text. Returns whether it is usual, and -1 with an exception. */
static int read_days(PyObject *text, bool month_first, readings_t *out)
{
    Py_UCS4 room[MAX_AUTHOR_TEXT];
    chars_t t;

    out->count = 0;
    if (calendar.months == NULL || !read_chars(text, room, &t) || has_vietnamese_month(t)) return false;
    add_numeric_days(out, t, month_first);
    if (add_named_day(out, t, may_begin_with_digit, is_day_month) == 0 && add_named_day(out, t, may_begin_with_letter, is_month_day) == 0 &&
        add_named_day(out, t, may_begin_with_digit, is_year_month_day) == 0) return true;
    return PyErr_Occurred() ? -1 : false;
}

static bool is_earlier_day(const written_day_t *own, const written_day_t *other)
{
    return own->start < other->start || (own->start == other->start && own->end < other->end);
}

/* Drops what is no day, and sorts the others by their places. */
static void sort_days(readings_t *days)
{
    size_t count = 0;

    for (size_t at = 0; at < days->count; at++) {
        written_day_t own = days->items[at];
        size_t to = count;
        if (!is_real_day(&own)) continue;
        for (; to > 0 && is_earlier_day(&own, &days->items[to - 1]); to--) days->items[to] = days->items[to - 1];
        days->items[to] = own;
        count++;
    }
    days->count = count;
}

/* The first day in a text, as YYYY-MM-DD; empty if there is none, None if the text is unusual. */
static PyObject *day_in_text(PyObject *text, bool month_first)
{
    readings_t found;
    int status = read_days(text, month_first, &found);
    size_t first = 0;

    if (status < 0) return NULL;
    if (status == 0) Py_RETURN_NONE;
    sort_days(&found);
    if (found.count == 0) return PyUnicode_FromStringAndSize("", 0);
    for (size_t at = 1; at < found.count && found.items[at].start == found.items[0].start; at++) { /* the earliest of those at one place */
        const written_day_t *own = &found.items[at], *other = &found.items[first];
        if ((own->year * 100 + own->month) * 100 + own->day < (other->year * 100 + other->month) * 100 + other->day) first = at;
    }
    return PyUnicode_FromFormat("%d-%02d-%02d", found.items[first].year, found.items[first].month, found.items[first].day);
}

PyDoc_STRVAR(first_day_doc, "first_day(text, month_first)\n--\n\n"
"The first day in a text, as YYYY-MM-DD; empty if there is none, None if the text is unusual. As dates.iso_day.");

static PyObject *core_first_day(PyObject *module, PyObject *args)
{
    PyObject *text;
    int month_first;

    return PyArg_ParseTuple(args, "Up", &text, &month_first) ? day_in_text(text, month_first) : NULL;
}

PyDoc_STRVAR(day_spans_doc, "day_spans(text)\n--\n\n"
"The start and the end of the first day of each form in a text; of those that overlap, the first. None if the text is unusual. As\n"
"dates.day_spans.");

static PyObject *core_day_spans(PyObject *module, PyObject *text)
{
    PyObject *out;
    readings_t found;
    size_t last = 0;
    int status;

    if (!PyUnicode_Check(text)) return PyErr_Format(PyExc_TypeError, "expected a string");
    if ((status = read_days(text, false, &found)) < 0) return NULL;
    if (status == 0) Py_RETURN_NONE;
    sort_days(&found);
    out = PyList_New(0);
    for (size_t at = 0; out && at < found.count; at++) {
        const written_day_t *day = &found.items[at];
        if (at > 0 && day->start < last) continue;
        last = day->end;
        if (append_object(out, Py_BuildValue("(nn)", (Py_ssize_t)day->start, (Py_ssize_t)day->end)) < 0) Py_CLEAR(out);
    }
    return out;
}

PyDoc_STRVAR(setup_days_doc, "setup_days(months, first_year, last_year)\n--\n\n"
"Takes over the names of months, a dict with their numbers, and the years of pages.");

static PyObject *core_setup_days(PyObject *module, PyObject *args)
{
    PyObject *months;
    int first_year, last_year;

    if (!PyArg_ParseTuple(args, "O!ii", &PyDict_Type, &months, &first_year, &last_year)) return NULL;
    calendar.first_year = first_year;
    calendar.last_year = last_year;
    Py_XSETREF(calendar.months, Py_NewRef(months));
    Py_RETURN_NONE;
}
