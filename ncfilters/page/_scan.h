/* What the markup of a page has before it is parsed, in one pass over its UTF-8: as html_source.py. `_core.c` includes it. */

enum { BLOCK_BYTES = 64 }; /* that are looked at together: a bit for each */
enum { MAX_PLACES = 10000 }; /* of `<`: with more, limits.limit_markup reads the page anyway */

/* What is found. A window is of so many characters; those of limits.shorten_tags begin at its multiples. */
typedef struct {
    size_t window, next_window, chars, tags;
    size_t window_start, window_tag, last_tag; /* offsets plus 1, 0 for none: of a window, of the last `<` before it, of the last */
    bool may_be_special, may_be_long, has_title, has_title_end;
    uint32_t *places; /* of the first MAX_PLACES `<` */
} scan_t;

/* A bit for each of the bytes that is `<`, and for each that begins a character. */
static inline void find_bits(const uint8_t *at, size_t count, uint64_t *tags_found, uint64_t *starts)
{
    *tags_found = *starts = 0;
#ifdef __SSE2__
    if (count == BLOCK_BYTES) {
        const __m128i wanted = _mm_set1_epi8('<'), last_inner = _mm_set1_epi8((char)0xBF);
        for (int i = 0; i < BLOCK_BYTES; i += 16) {
            __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(at + i));
            *tags_found |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(part, wanted)) << i;
            *starts |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(part, last_inner)) << i; /* signed */
        }
        return;
    }
#endif
    for (size_t i = 0; i < count; i++) {
        *tags_found |= (uint64_t)(at[i] == '<') << i;
        *starts |= (uint64_t)!continues(at[i]) << i;
    }
}

static inline size_t count_bits(uint64_t bits)
{
    if (bits == UINT64_MAX) return BLOCK_BYTES; /* text in ASCII */
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return (size_t)(bits * 0x0101010101010101 >> 56);
}

static inline size_t first_bit(uint64_t bits)
{
#ifdef __GNUC__
    return (size_t)__builtin_ctzll(bits);
#else
    return count_bits((bits & (0 - bits)) - 1);
#endif
}

/* Whether a name in lower case stands here, in any case, and ends. */
static bool is_name_at(const html_t *html, size_t at, const char *name)
{
    for (; *name; name++, at++)
        if ((html_byte(html, at) | 32) != *name) return false;
    uint8_t end = html_byte(html, at);
    return end == '>' || end == '/' || end == ' ' || (end >= 9 && end <= 13);
}

/* Whether a start tag of a frame, behind its name, is plain, and its end tag follows at once. */
static bool is_closed_frame(const html_t *html, size_t at)
{
    bool is_quoted = false;

    for (; at < html->length; at++) {
        uint8_t c = html_byte(html, at);
        if (c == '"') {
            if (!is_quoted && html_byte(html, at - 1) != '=') return false;
            is_quoted = !is_quoted;
        } else if (c == '<' || (!is_quoted && (c == '\'' || c == '`')) || (is_quoted && c == '>')) {
            return false;
        } else if (c == '>') {
            return html_byte(html, at + 1) == '<' && html_byte(html, at + 2) == '/' && is_name_at(html, at + 3, "iframe");
        }
    }
    return false;
}

/* Notes what the tag at a `<` may be. */
static inline void scan_tag(scan_t *to, const html_t *html, size_t at)
{
    uint8_t next = html_byte(html, at + 1);

    if ((next | 32) == 't') {
        uint8_t second = html_byte(html, at + 2) | 32;
        if (second == 'e' && is_name_at(html, at + 1, "template")) to->may_be_special = true;
        if ((second == 'i' && (html_byte(html, at + 3) | 32) == 't') || second >= 0x80) to->has_title = true; /* a dotless i is one for regular expressions */
    } else if ((next | 32) == 'i') {
        if (!to->may_be_special && is_name_at(html, at + 1, "iframe"))
            to->may_be_special = !is_closed_frame(html, at + 7);
    } else if (next == '/' && !to->has_title_end && html_byte(html, at + 2) == 't') {
        to->has_title_end = html->length - at >= 8 && memcmp(html->data + at, "</title>", 8) == 0;
    }
}

/* Notes that a window begins at an offset, and examines the one before it. */
static void begin_window(scan_t *to, const html_t *html, size_t at)
{
    if (to->window_tag && !to->may_be_long) to->may_be_long = may_be_long_tag(html, to->window_tag - 1, at, 2 * to->window);
    to->window_tag = to->last_tag >= to->window_start ? to->last_tag : 0;
    to->window_start = at + 1;
    to->next_window += to->window;
}

/* Reads a block in which *chars* characters begin. */
static inline void scan_block(scan_t *to, const html_t *html, size_t at, uint64_t found, uint64_t starts, size_t chars)
{
    size_t window = BLOCK_BYTES; /* the byte of the block where one begins */

    if (to->next_window < to->chars + chars) {
        uint64_t bits = starts;
        for (size_t skip = to->next_window - to->chars; skip > 0; skip--) bits &= bits - 1;
        window = first_bit(bits);
    }
    to->chars += chars;
    for (; found; found &= found - 1) {
        size_t bit = first_bit(found);
        if (to->tags < MAX_PLACES) to->places[to->tags] = (uint32_t)(at + bit);
        to->tags++;
        if (bit >= window) {
            begin_window(to, html, at + window);
            window = BLOCK_BYTES;
        }
        to->last_tag = at + bit + 1;
        scan_tag(to, html, at + bit);
    }
    if (window < BLOCK_BYTES) begin_window(to, html, at + window);
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* Reads whole blocks, where a block is a register. Returns where the rest begins. */
__attribute__((target("avx512bw,popcnt"))) static size_t scan_registers(scan_t *to, const html_t *html)
{
    const __m512i wanted = _mm512_set1_epi8('<'), last_inner = _mm512_set1_epi8((char)0xBF);
    size_t at = 0;

    for (; html->length - at >= BLOCK_BYTES; at += BLOCK_BYTES) {
        __m512i part = _mm512_loadu_si512(html->data + at);
        uint64_t starts = _mm512_cmpgt_epi8_mask(part, last_inner); /* signed */
        scan_block(to, html, at, _mm512_cmpeq_epi8_mask(part, wanted), starts, (size_t)__builtin_popcountll(starts));
    }
    return at;
}

static bool has_registers(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("popcnt");
}
#else
static size_t scan_registers(scan_t *to, const html_t *html)
{
    return 0;
}

static bool has_registers(void)
{
    return false;
}
#endif

static scan_t scan_html(const html_t *html, size_t window, uint32_t *places)
{
    scan_t out = {.window = window, .next_window = window, .places = places};

    for (size_t at = has_registers() ? scan_registers(&out, html) : 0; at < html->length; at += BLOCK_BYTES) {
        uint64_t found, starts;
        find_bits(html->data + at, html->length - at < BLOCK_BYTES ? html->length - at : BLOCK_BYTES, &found, &starts);
        scan_block(&out, html, at, found, starts, count_bits(starts));
    }
    return out;
}

/* What a page may have for the limits on formatting elements and on text between tags; see html_source.py. */
typedef struct {
    Py_ssize_t min_tags, max_open, run_length, max_copies, max_equal;
    unsigned long long min_copied;
} scan_limits_t;

/* Whether html_parser.close_title and limits.limit_markup surely leave a page as it is, which has not too many tags. */
static bool is_plain_html(const html_t *html, const scan_t *found, const scan_limits_t *limits, const depth_bounds_t *depths)
{
    Py_ssize_t max_open = limits->max_open, tags = (Py_ssize_t)found->tags;
    tags_t places = tags_of(html);

    if (found->may_be_long || (found->has_title && !found->has_title_end) || tags > MAX_PLACES) return false;
    if (html->length <= UINT32_MAX) {
        places.data = html->data;
        places.places = found->places;
        places.last_place = found->places + tags;
    }
    if ((unsigned long long)tags * found->chars >= limits->min_copied && may_break_text(places, (size_t)limits->run_length)) return false;
    if (may_be_deep(places, html, found->tags, found->chars, depths)) return false;
    if (tags < limits->min_tags) return true;
    if (tags && max_open < limits->max_copies / tags) max_open = limits->max_copies / tags;
    return !may_leave_open(places, (size_t)max_open) ||
           !may_copy_formatting(html, (size_t)(limits->max_copies + tags), (size_t)limits->max_equal);
}

PyDoc_STRVAR(scan_doc, "scan(html, window, min_tags, max_open, run_length, min_copied, max_copies, max_equal, max_formatting, names, max_depth,\n"
"free_depth, free_looks, looks)\n--\n\n"
"Of UTF-8: the number of characters; the number of `<`; whether there may be a template, or a frame with content; and whether\n"
"html_parser.close_title and limits.limit_markup surely leave it as it is. It is not told of a page of more than 10,000 tags.");

static PyObject *core_scan(PyObject *module, PyObject *args)
{
    uint32_t places[MAX_PLACES];
    Py_ssize_t length, window;
    scan_limits_t limits;
    depth_bounds_t depths;
    PyObject *names;
    html_t html;
    scan_t found;

    if (!PyArg_ParseTuple(args, "y#nnnnKnnnO!nnnn", &html.data, &length, &window, &limits.min_tags, &limits.max_open, &limits.run_length,
                          &limits.min_copied, &limits.max_copies, &limits.max_equal,
                          &depths.max_formatting, &PyTuple_Type, &names, &depths.max_depth, &depths.free_depth, &depths.free_looks,
                          &depths.looks) || know_names(names) < 0) return NULL;
    if (window < BLOCK_BYTES) return PyErr_Format(PyExc_ValueError, "too small a window");
    html.length = (size_t)length;
    found = scan_html(&html, (size_t)window, places);
    return Py_BuildValue("(nnOO)", (Py_ssize_t)found.chars, (Py_ssize_t)found.tags, found.may_be_special ? Py_True : Py_False,
                         is_plain_html(&html, &found, &limits, &depths) ? Py_True : Py_False);
}
