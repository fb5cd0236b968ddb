/* The likely text of a page: as page_language.likely_text, which is the reference. `_core.c` includes it. */

/* A text, and its place among others. */
typedef struct {
    bytes_t text;
    size_t number;
} sampled_t;

typedef struct {
    uint8_t *data;
    size_t size, capacity;
} sample_t;

static int by_size(const void *one, const void *other)
{
    const sampled_t *a = one, *b = other;

    if (a->text.size != b->text.size) return a->text.size > b->text.size ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The first so many characters of a text. */
static bytes_t prefix_of(bytes_t text, size_t chars)
{
    const uint8_t *at = text.at, *end = at + text.size;

    if (text.size <= chars) return text;
    while (chars-- > 0 && at < end) next_character(&at);
    return (bytes_t){text.at, (size_t)(at - text.at)};
}

static bool has_text(bytes_t text, const char *what)
{
    size_t size = strlen(what);

    for (; text.size >= size; text = after_bytes(text, 1)) {
        const uint8_t *at = memchr(text.at, what[0], text.size - size + 1);
        if (at == NULL) return false;
        if (memcmp(at, what, size) == 0) return true;
        text = after_bytes(text, (size_t)(at - text.at));
    }
    return false;
}

/* Whether a text may have addresses or markup. */
static bool may_have_markup(bytes_t text)
{
    return memchr(text.at, '<', text.size) || memchr(text.at, '&', text.size) || memchr(text.at, '@', text.size) ||
           has_text(text, "://") || has_text(text, "www.");
}

static int append_to_sample(sample_t *sample, bytes_t text)
{
    size_t needed = sample->size + text.size + 1, wanted = needed * 2 + 256;
    uint8_t *data;

    if (needed > sample->capacity) {
        if ((data = PyMem_RawRealloc(sample->data, wanted)) == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        sample->data = data;
        sample->capacity = wanted;
    }
    memcpy(sample->data + sample->size, text.at, text.size);
    sample->size += text.size;
    return 0;
}

/* Appends the beginning of a text. Returns its characters, or -1 with an exception. */
static Py_ssize_t append_start(sample_t *sample, bytes_t text, bool is_first)
{
    bytes_t start = prefix_of(text, (size_t)(4 * python.segment_chars));
    PyObject *string = NULL, *plain = NULL;
    Py_ssize_t chars = -1;

    if (may_have_markup(start)) {
        if ((string = string_of(start)) != NULL) plain = PyObject_CallOneArg(python.without_markup, string);
        Py_XDECREF(string);
        if (plain == NULL || bytes_of(plain, &start) < 0) {
            Py_XDECREF(plain);
            return -1;
        }
    }
    start = prefix_of(start, (size_t)python.segment_chars);
    if (start.size == 0) chars = 0;
    else if ((is_first || append_to_sample(sample, (bytes_t){(const uint8_t *)"\n", 1}) == 0) &&
             append_to_sample(sample, start) == 0) chars = (Py_ssize_t)count_chars(start);
    Py_XDECREF(plain);
    return chars;
}

/* Appends the beginnings of the longest of *count* texts of at least *least* bytes. Returns -1 with an exception. */
static int append_sample(sample_t *sample, sampled_t *texts, size_t count, size_t least)
{
    Py_ssize_t chars = 0, more;
    bool is_first = true;

    qsort(texts, count, sizeof *texts, by_size);
    for (size_t i = 0; i < count && texts[i].text.size >= least && chars < python.sample_chars; i++) {
        if ((more = append_start(sample, texts[i].text, is_first)) < 0) return -1;
        is_first = is_first && more == 0;
        chars += more;
    }
    return 0;
}

static inline bool is_linked(const segment_t *segment)
{
    return (double)segment->links > python.max_link_density * (double)segment->chars;
}

static bool is_running(const segment_t *segment)
{
    return segment->rule == NULL && segment->chars >= (size_t)python.min_chars && !is_linked(segment) &&
           !segment->is_pre && segment->block->hidden == NULL && !memchr(segment->text.at, '\t', segment->text.size);
}

static bool is_teaser(const segment_t *segment)
{
    return is_linked(segment) && segment->chars >= (size_t)python.min_teaser &&
           (segment->rule == NULL || segment->rule == words.link_rule);
}

static bool is_unmarked(const segment_t *segment)
{
    return segment->rule == NULL && !segment->is_pre;
}

/* Those segments that *is_wanted* says. */
static size_t collect(sampled_t *to, const segment_t *segments, size_t count, bool (*is_wanted)(const segment_t *))
{
    size_t out = 0;

    for (size_t i = 0; i < count; i++)
        if (is_wanted(&segments[i])) to[out++] = (sampled_t){segments[i].text, i};
    return out;
}

/* The text without white space around it. */
static bytes_t stripped(const sample_t *sample)
{
    const uint8_t *at = sample->data, *end = at + sample->size, *next;

    while (at < end && is_white((next = at, next_character(&next)))) at = next;
    while (end > at && is_white(char_at(char_before(at, end)))) end = char_before(at, end);
    return (bytes_t){at, (size_t)(end - at)};
}

static bool is_any(const segment_t *segment)
{
    return true;
}

/* The likely text, a new reference: of running text and teasers, else of segments that are not marked, else of all; None
 * instead of that if there are others than these. NULL with an exception. */
static PyObject *likely_text(sample_t *sample, sampled_t *texts, const segment_t *segments, size_t count, bool has_others)
{
    size_t wanted = collect(texts, segments, count, is_running);
    bytes_t likely;

    if (append_sample(sample, texts, wanted, (size_t)python.min_bytes) < 0) return NULL;
    if (count_chars((bytes_t){sample->data, sample->size}) < (size_t)python.min_sample) {
        if (append_to_sample(sample, (bytes_t){(const uint8_t *)"\n", 1}) < 0) return NULL;
        wanted = collect(texts, segments, count, is_teaser);
        if (append_sample(sample, texts, wanted, 1) < 0) return NULL;
    }
    likely = stripped(sample);
    if (likely.size > 0) return string_of(likely);
    sample->size = 0;
    wanted = collect(texts, segments, count, is_unmarked);
    if (append_sample(sample, texts, wanted, 1) < 0) return NULL;
    if (sample->size == 0) {
        if (has_others) Py_RETURN_NONE;
        wanted = collect(texts, segments, count, is_any);
        if (append_sample(sample, texts, wanted, 1) < 0) return NULL;
    }
    return string_of((bytes_t){sample->data, sample->size});
}

static PyObject *sample_of(const segment_t *segments, size_t count, bool has_others)
{
    sampled_t *texts = PyMem_RawMalloc((count + 1) * sizeof *texts);
    sample_t sample = {0};
    PyObject *out = texts ? likely_text(&sample, texts, segments, count, has_others) : PyErr_NoMemory();

    PyMem_RawFree(texts);
    PyMem_RawFree(sample.data);
    return out;
}
