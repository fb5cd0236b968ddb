/* Segments as JSON, as orjson writes their dicts. `_core.c` includes it. */

#include "../text/_escapes.h"

typedef struct {
    PyObject *bytes; /* owned: what is written, and room for more */
    uint8_t *data;   /* its bytes */
    size_t size, capacity;
} output_t;

/* Bytes of a segment besides its strings; and bytes that a byte of a string may become. */
enum { SEGMENT_ROOM = 400, ESCAPE_SIZE = 6 };

static int make_room(output_t *out, size_t more)
{
    size_t needed = out->size + more, wanted = needed + needed / 2;

    if (needed <= out->capacity) return 0;
    if (_PyBytes_Resize(&out->bytes, (Py_ssize_t)wanted) < 0) return -1;
    out->data = (uint8_t *)PyBytes_AS_STRING(out->bytes);
    out->capacity = wanted;
    return 0;
}

/* Bytes that the JSON of markup takes, mostly: without room for it, the JSON of a page would be copied while it grows. */
static size_t room_for_markup(const markup_t *markup)
{
    enum { FIELDS_ROOM = 64, SPAN_ROOM = 24, IMAGE_ROOM = 48, CELL_ROOM = 64 };
    size_t size = FIELDS_ROOM + markup->cell_count * CELL_ROOM;

    for (size_t i = 0; i < markup->span_count; i++) {
        const entry_t *entry = markup->spans[i].entry;
        size += SPAN_ROOM + entry->value.size;
        if (entry->image) size += IMAGE_ROOM + entry->image->src.size + entry->image->alt.size + entry->image->link.size;
    }
    for (size_t i = 0; i < markup->figure_count; i++)
        size += IMAGE_ROOM + markup->figures[i]->src.size + markup->figures[i]->alt.size + markup->figures[i]->link.size +
                markup->figures[i]->caption.size;
    return size;
}

/* Begins with room for the JSON of segments without escapes. Returns -1 with an exception. */
static int open_output(output_t *out, const segment_t *segments, size_t count)
{
    enum { USUAL_ROOM = 160 }; /* bytes of a segment besides its strings, mostly */
    size_t size = SEGMENT_ROOM;

    for (size_t i = 0; i < count; i++) {
        size += segments[i].text.size + segments[i].path.size + segments[i].tag.size + USUAL_ROOM;
        if (segments[i].markup) size += room_for_markup(segments[i].markup);
    }
    *out = (output_t){PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size), NULL, 0, size};
    if (out->bytes) out->data = (uint8_t *)PyBytes_AS_STRING(out->bytes);
    return out->bytes ? 0 : -1;
}

/* Whether eight bytes have one that does not stay as it is: a control character, a quote or a backslash. */
static inline bool has_special(uint64_t part, uint64_t ones)
{
    uint64_t quotes = part ^ ones * '"', backslashes = part ^ ones * '\\';

    return (((part - ones * ' ') & ~part) | ((quotes - ones) & ~quotes) | ((backslashes - ones) & ~backslashes)) & ones * 0x80;
}

/* The same of a text of 4 to 16 bytes, of which some are read twice. */
static inline bool has_special_in(const uint8_t *at, const uint8_t *end)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t first = 0, last = 0;

    if (end - at >= 8) {
        memcpy(&first, at, 8);
        memcpy(&last, end - 8, 8);
        return has_special(first, ones) || has_special(last, ones);
    }
    memcpy(&first, at, 4);
    memcpy(&last, end - 4, 4);
    return has_special(first | last << 32, ones);
}

/* What is behind the bytes that stay as they are in a string. */
static const uint8_t *unescaped_end(const uint8_t *at, const uint8_t *end)
{
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1F);
    for (; end - at >= 16; at += 16) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i special = _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(part, control), part),
                                       _mm_or_si128(_mm_cmpeq_epi8(part, quote), _mm_cmpeq_epi8(part, backslash)));
        unsigned found = (unsigned)_mm_movemask_epi8(special);
        if (found) return at + __builtin_ctz(found);
    }
#endif
    if (end - at >= 4 && end - at <= 16 && !has_special_in(at, end)) return end; /* mostly */
    while (at < end && *at >= ' ' && *at != '"' && *at != '\\') at++;
    return at;
}

/* Writes the content of a string, for whose bytes there is room, and for escapes of the rest. */
static int put_content(output_t *out, bytes_t text)
{
    const uint8_t *at = text.at, *end = at + text.size;

    if (make_room(out, text.size + SEGMENT_ROOM) < 0) return -1;
    for (;;) {
        const uint8_t *stop = unescaped_end(at, end);
        memcpy(out->data + out->size, at, (size_t)(stop - at));
        out->size += (size_t)(stop - at);
        if (stop == end) return 0;
        if (make_room(out, (size_t)(end - stop) + ESCAPE_SIZE + SEGMENT_ROOM) < 0) return -1;
        out->size = (size_t)(put_escape(out->data + out->size, *stop) - out->data);
        at = stop + 1;
    }
}

/* Writes what needs no escapes, for which there is room. */
static void put_plain(output_t *out, const char *text, size_t size)
{
    memcpy(out->data + out->size, text, size);
    out->size += size;
}

#define PUT(out, literal) put_plain(out, literal, sizeof(literal) - 1)

static void put_word(output_t *out, PyObject *ascii)
{
    put_plain(out, PyUnicode_DATA(ascii), (size_t)PyUnicode_GET_LENGTH(ascii));
}

/* Writes a number, which is not below zero. */
static void put_number(output_t *out, long long number)
{
    char digits[24], *first = digits + sizeof digits;

    do *--first = (char)('0' + number % 10); while ((number /= 10) > 0);
    put_plain(out, first, (size_t)(digits + sizeof digits - first));
}

/* Writes `,"name":"value"`, which needs no escapes, if there is a value. */
static void put_field(output_t *out, const char *name, const char *value)
{
    if (value == NULL) return;
    PUT(out, ",\"");
    put_plain(out, name, strlen(name));
    PUT(out, "\":\"");
    put_plain(out, value, strlen(value));
    PUT(out, "\"");
}

#include "_marked.h"

/* Writes a segment: its fields in the order in which Python sets them. Returns -1 with an exception. */
static int put_segment(output_t *out, const segment_t *segment)
{
    const shown_block_t *block = segment->block;

    if (make_room(out, SEGMENT_ROOM) < 0) return -1;
    PUT(out, "{\"text\":\"");
    if (put_content(out, segment->text) < 0) return -1;
    PUT(out, "\",\"tag\":\"");
    if (put_content(out, segment->tag) < 0) return -1;
    PUT(out, "\",\"path\":\"");
    if (put_content(out, segment->path) < 0) return -1;
    PUT(out, "\",\"links\":");
    put_number(out, segment->links);
    put_field(out, "marker", segment->has_marker ? block->marker : NULL);
    put_field(out, "hidden", block->hidden);
    if (segment->is_pre) PUT(out, ",\"pre\":true");
    if (segment->is_bold) PUT(out, ",\"bold\":true");
    put_field(out, "origin", block->origin);
    if (segment->marked) {
        if (put_fields_of_dict(out, segment->marked, segment->markup) < 0) return -1;
    } else if (segment->markup) {
        if (put_markup(out, segment->markup) < 0) return -1;
    } else if (segment->has_lines) PUT(out, ",\"lines\":true");
    PUT(out, ",\"type\":\"");
    put_word(out, segment->type);
    PUT(out, "\"");
    if (segment->rule) {
        PUT(out, ",\"rule\":\"");
        put_word(out, segment->rule);
        PUT(out, "\"");
    }
    PUT(out, "}");
    return 0;
}

/* JSON of other segments, and the number of blocks before each. */
typedef struct {
    PyObject *list; /* of (number, bytes) */
    Py_ssize_t next;
} others_t;

/* The segments of a page and others, in their order: each has one of both, borrowed. Of segments also the characters of the text,
 * up to UINT32_MAX, and its first bytes, which tell most of them apart without a look at them. */
typedef struct {
    const segment_t *segment;
    PyObject *dict;
    uint32_t chars;
    uint8_t start[4]; /* with NULs behind a shorter text */
} listed_segment_t;

typedef struct {
    listed_segment_t *items;
    size_t count;
} listed_t;

static void list_segment(listed_t *listed, const segment_t *segment)
{
    uint32_t chars = segment->chars < UINT32_MAX ? (uint32_t)segment->chars : UINT32_MAX;

    listed_segment_t *own = &listed->items[listed->count++];

    *own = (listed_segment_t){.segment = segment, .chars = chars};
    if (segment->text.size >= sizeof own->start) memcpy(own->start, segment->text.at, sizeof own->start);
    else for (size_t i = 0; i < segment->text.size; i++) own->start[i] = segment->text.at[i];
}

/* Writes the others that come before the block with this number, each with a comma; appends them to what is *listed*, which may
 * be NULL. Returns -1 with an exception. */
static int put_others(output_t *out, others_t *others, Py_ssize_t number, listed_t *listed)
{
    for (; others->next < PyList_GET_SIZE(others->list); others->next++) {
        Py_ssize_t before;
        PyObject *json, *dict = NULL;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(others->list, others->next), "nS|O", &before, &json, &dict)) return -1;
        if (before > number) return 0;
        if (listed && dict) listed->items[listed->count++] = (listed_segment_t){.dict = dict};
        if (make_room(out, (size_t)PyBytes_GET_SIZE(json) + 2) < 0) return -1;
        put_plain(out, PyBytes_AS_STRING(json), (size_t)PyBytes_GET_SIZE(json));
        PUT(out, ",");
    }
    return 0;
}

/* The array of segments and others, as bytes; NULL with an exception. *listed*, which may be NULL, has room for all. */
static PyObject *json_of_segments(const segment_t *segments, size_t count, const columns_t *columns, PyObject *list,
                                  listed_t *listed)
{
    output_t out;
    others_t others = {list, 0};
    int status = open_output(&out, segments, count);

    if (status == 0) PUT(&out, "[");
    for (size_t i = 0; status == 0 && i < count; i++) {
        status = put_others(&out, &others, segments[i].block - columns->blocks, listed);
        if (status == 0) status = put_segment(&out, &segments[i]);
        if (status == 0 && listed) list_segment(listed, &segments[i]);
        if (status == 0) PUT(&out, ",");
    }
    if (status == 0) status = put_others(&out, &others, PY_SSIZE_T_MAX, listed);
    if (status == 0) {
        if (out.data[out.size - 1] == ',') out.size--;
        PUT(&out, "]");
        status = _PyBytes_Resize(&out.bytes, (Py_ssize_t)out.size);
    }
    if (status < 0) Py_CLEAR(out.bytes);
    return out.bytes;
}
