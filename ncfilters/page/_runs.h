/* The text of one block while it is read: as text_run.py. `_core.c` includes it. */

static inline run_t *run_of(builder_t *builder)
{
    return &builder->runs[builder->run_count - 1];
}

static int open_run(builder_t *builder)
{
    run_t *run;

    if (reserve((void **)&builder->runs, builder->run_count, &builder->run_capacity, 1, sizeof *run) < 0) return -1;
    run = &builder->runs[builder->run_count++];
    memset(run, 0, sizeof *run);
    run->link_start = -1;
    return 0;
}

static void close_run(builder_t *builder)
{
    run_t *run = &builder->runs[--builder->run_count];

    PyMem_RawFree(run->text.data);
    PyMem_RawFree(run->ends.items);
    PyMem_RawFree(run->link_spans.items);
    PyMem_RawFree(run->bold_spans.items);
    PyMem_RawFree(run->raised_starts.items);
    free_marks(&run->marks);
}

static int append_part(run_t *run, const char *text, size_t length)
{
    if (append_bytes(&run->text, text, length) < 0) return -1;
    return push_size(&run->ends, run->text.length);
}

/* Where the part with this number starts; the end of the text for higher numbers. */
static size_t part_start(const run_t *run, size_t number)
{
    if (number == 0 || run->ends.count == 0) return 0;
    return run->ends.items[number > run->ends.count ? run->ends.count - 1 : number - 1];
}

static int push_span(sizes_t *spans, size_t start, size_t end)
{
    return push_size(spans, start) < 0 || push_size(spans, end) < 0 ? -1 : 0;
}

/* How many of the *chars* characters of the text are in spans. */
static size_t chars_within(const run_t *run, const sizes_t *spans, size_t chars)
{
    size_t sum = 0;

    if (spans->count == 0) return 0;
    if (spans->items[0] == 0 && spans->items[1] == run->ends.count) return chars;
    for (size_t at = 0; at < spans->count; at += 2) {
        size_t start = part_start(run, spans->items[at]), end = part_start(run, spans->items[at + 1]);
        if (start < end) sum += collapsed_chars(run->text.data + start, end - start);
    }
    return sum < chars ? sum : chars;
}

/* Appends preformatted text, with U+0085 as an ellipsis and no-break spaces as spaces, without line ends around it. */
static int append_preformatted(buffer_t *to, const char *text, const char *end)
{
    while (text < end && *text == '\n') text++;
    while (end > text && end[-1] == '\n') end--;
    while (text < end) {
        size_t size = char_size(text, end);
        bool is_c2 = size == 2 && (unsigned char)*text == 0xC2;
        if (is_c2 && (unsigned char)text[1] == 0x85) {
            if (append_bytes(to, "\xE2\x80\xA6", 3) < 0) return -1;
        } else if (is_c2 && (unsigned char)text[1] == 0xA0) {
            if (append_bytes(to, " ", 1) < 0) return -1;
        } else if (append_bytes(to, text, size) < 0) return -1;
        text += size;
    }
    return 0;
}

/* Copies ASCII up to what is not a single space between two words, and moves both places behind it. *to* has room for 16 bytes
 * more than is copied. Leaves the last bytes of the text. */
static inline void copy_plain(char **to, const char **text, const char *end)
{
#ifdef __SSE2__
    const __m128i space = _mm_set1_epi8(' '), behind_space = _mm_set1_epi8(' ' + 1);

    while (end - *text > 16) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)*text);
        __m128i next = _mm_loadu_si128((const __m128i *)(const void *)(*text + 1));
        __m128i alone = _mm_and_si128(_mm_cmpeq_epi8(part, space), _mm_cmplt_epi8(next, behind_space));
        /* signed: bytes beyond ASCII are negative */
        unsigned other = (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_cmplt_epi8(part, space), alone));
        size_t plain = other ? (size_t)__builtin_ctz(other) : 16;
        _mm_storeu_si128((__m128i *)(void *)*to, part);
        *to += plain;
        *text += plain;
        if (plain < 16) return;
    }
#else
    (void)to, (void)text, (void)end;
#endif
}

/* Appends text with every run of white space as one space, and U+0085 as an ellipsis. */
static int append_collapsed(buffer_t *to, const char *text, const char *end)
{
    size_t start = to->length, space;
    bool pending = false;
    char *out;

    /* no character becomes longer by more than half */
    if (reserve((void **)&to->data, to->length, &to->capacity, (size_t)(end - text) * 3 / 2 + 2, 1) < 0) return -1;
    out = to->data + start;
    while (text < end) {
        bool is_ellipsis = end - text > 1 && (unsigned char)*text == 0xC2 && (unsigned char)text[1] == 0x85;
        if (!is_ellipsis && (space = space_at(text, end)) != 0) {
            pending = out > to->data + start;
            text += space;
            continue;
        }
        if (pending) *out++ = ' ';
        pending = false;
        if ((unsigned char)*text < 0x80) {
            *out++ = *text++;
            copy_plain(&out, &text, end);
            while (text < end && !MAY_BEGIN_SPACE[(unsigned char)*text]) *out++ = *text++;
        } else if (is_ellipsis) {
            memcpy(out, "\xE2\x80\xA6", 3);
            out += 3;
            text += 2;
        } else do *out++ = *text++; while (text < end && !MAY_BEGIN_SPACE[(unsigned char)*text]);
    }
    to->length = (size_t)(out - to->data);
    return 0;
}

/* Ends the open spans, and counts the characters in links and bold elements. */
static int count_spans(builder_t *builder, run_t *run, size_t chars, size_t *links, size_t *bold)
{
    size_t parts = run->ends.count;

    if (run->link_start >= 0) {
        if (push_span(&run->link_spans, (size_t)run->link_start, parts) < 0) return -1;
        run->link_start = 0;
    }
    *links = chars_within(run, &run->link_spans, chars);
    if (builder->bold_depth > 0) {
        if (push_span(&run->bold_spans, run->bold_start, parts) < 0) return -1;
        run->bold_start = 0;
    }
    *bold = chars_within(run, &run->bold_spans, chars);
    run->link_spans.count = run->bold_spans.count = run->raised_starts.count = 0;
    run->ends.count = run->text.length = 0;
    return 0;
}
