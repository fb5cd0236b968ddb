/* Cleaning of texts: as cleaning.py, which is the reference. `_core.c` includes it. */

/* Whether a character beyond ASCII stays as it is wherever it stands: printable, no white space, in normalisation form
 * C next to others of these ranges. tests/segmentation/test_compiled.py checks each. */
static bool is_kept(Py_UCS4 c)
{
    if (c < 0x300) return c > 0xA0 && c != 0xAD;
    if (c < 0x590) return (c >= 0x3A3 && c <= 0x3CE) || (c >= 0x391 && c <= 0x3A1) || (c >= 0x400 && c <= 0x482) ||
                          (c >= 0x48A && c <= 0x52F);
    if (c < 0x2100) return c == 0x200C || c == 0x200D || (c >= 0x2010 && c <= 0x2027) || (c >= 0x2030 && c <= 0x205E) ||
                           (c >= 0x2070 && c <= 0x208E) || (c >= 0x20A0 && c <= 0x20BF);
    return c == 0x2122 || (c >= 0x2190 && c <= 0x21FF) || (c >= 0x25A0 && c <= 0x27BF) || c == 0x2B50 || c == 0x3001 || c == 0x3002 ||
           (c >= 0x3041 && c <= 0x3096) || (c >= 0x30A1 && c <= 0x30FA) || c == 0x30FC || (c >= 0x4E00 && c <= 0x9FA5) ||
           (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xFF01 && c <= 0xFF5E) || (c >= 0x1F300 && c <= 0x1F64F);
}

/* What is behind printable ASCII without two spaces in a row. */
static const uint8_t *plain_end(const uint8_t *at, const uint8_t *end)
{
#ifdef __SSE2__
    const __m128i space = _mm_set1_epi8(' '), deletion = _mm_set1_epi8(0x7F);
    unsigned after_space = 0;
    for (; end - at >= 16; at += 16) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)at);
        /* signed: bytes beyond ASCII are negative */
        __m128i special = _mm_or_si128(_mm_cmplt_epi8(part, space), _mm_cmpeq_epi8(part, deletion));
        unsigned spaces = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(part, space));
        if (_mm_movemask_epi8(special) || (spaces & (spaces << 1 | after_space))) return at;
        after_space = spaces >> 15;
    }
#endif
    return at;
}

/* Whether cleaning leaves a text as it is. White space must be single spaces, or with *may_have_tabs* single tabs, and
 * not be at the ends or next to each other. A last pilcrow is for the caller. */
static bool is_clean(bytes_t text, bool may_have_tabs)
{
    const uint8_t *at = text.at, *end = at + text.size, *plain;
    bool after_space = true, may_be_plain = true;
    Py_UCS4 c = 0;

    while (at < end) {
        bool is_space;
        if (may_be_plain && (plain = plain_end(at, end)) > at) {
            if (after_space && *at == ' ') return false;
            at = plain;
            c = at[-1];
            after_space = c == ' ';
            may_be_plain = false;
            continue;
        }
        c = next_character(&at);
        is_space = c == ' ' || (c == '\t' && may_have_tabs);
        if (is_space ? after_space : c < 0x80 ? c < ' ' || c == 0x7F : !is_kept(c)) return false;
        after_space = is_space;
        may_be_plain = c >= 0x80;
    }
    return !after_space && c != 0xB6;
}

/* C1 control characters in windows-1252; those that it has not are left out. */
static const char WINDOWS[32][4] = {
    "\xE2\x82\xAC", "", "\xE2\x80\x9A", "\xC6\x92", "\xE2\x80\x9E", "\xE2\x80\xA6",
    "\xE2\x80\xA0", "\xE2\x80\xA1", "\xCB\x86", "\xE2\x80\xB0", "\xC5\xA0", "\xE2\x80\xB9",
    "\xC5\x92", "", "\xC5\xBD", "", "", "\xE2\x80\x98",
    "\xE2\x80\x99", "\xE2\x80\x9C", "\xE2\x80\x9D", "\xE2\x80\xA2", "\xE2\x80\x93", "\xE2\x80\x94",
    "\xCB\x9C", "\xE2\x84\xA2", "\xC5\xA1", "\xE2\x80\xBA", "\xC5\x93", "",
    "\xC5\xBE", "\xC5\xB8",
};

static bool is_c1(Py_UCS4 c)
{
    return c >= 0x80 && c < 0xA0;
}

/* Whether a character is left out wherever it stands: cleaning._INVALID. */
static bool is_dropped(Py_UCS4 c)
{
    if (c < 0x80) return c < '\t' || (c > '\r' && c < ' ') || c == 0x7F;
    if (is_c1(c)) return WINDOWS[c - 0x80][0] == 0;
    if (c < 0x2000) return c == 0xAD;
    if (c < 0x2065) return c == 0x200B || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || c >= 0x2060;
    return (c >= 0xE000 && c <= 0xF8FF) || (c >= 0xFDD0 && c <= 0xFDEF) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFC) ||
           c == 0xFFFE || c == 0xFFFF;
}

enum { FIRST_MARK = 0x300, LAST_MARK = 0x36F, NO_COMPOSITION = 1 };

/* The character that a letter of ASCII and the mark after it compose, as Python says once; 0 if they do not. */
static Py_UCS4 composition_of(uint8_t letter, Py_UCS4 mark)
{
    static uint16_t known[128][LAST_MARK - FIRST_MARK + 1];
    uint16_t *own = &known[letter & 0x7F][mark - FIRST_MARK];
    Py_UCS4 pair[] = {letter, mark};
    PyObject *module, *text, *new = NULL;

    if (*own == 0) {
        *own = NO_COMPOSITION;
        module = PyImport_ImportModule("unicodedata");
        text = module ? PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, pair, 2) : NULL;
        if (text) new = PyObject_CallMethod(module, "normalize", "sO", "NFC", text);
        if (new && PyUnicode_GET_LENGTH(new) == 1) *own = (uint16_t)PyUnicode_READ_CHAR(new, 0);
        if (new == NULL) PyErr_Clear(); /* the Python functions come to it, too */
        Py_XDECREF(module);
        Py_XDECREF(text);
        Py_XDECREF(new);
    }
    return *own == NO_COMPOSITION ? 0 : *own;
}

/* Whether cleaning leaves each character of a text as it is, leaves it out, composes it with the letter before it, or has it
 * as white space. Two spaces are others in normalisation form C. */
static bool is_simple(bytes_t text)
{
    const uint8_t *at = text.at, *end = at + text.size;
    uint8_t letter = 0; /* the one before */

    while (at < end) {
        Py_UCS4 c = next_character(&at);
        bool is_mark = c >= FIRST_MARK && c <= LAST_MARK;
        if (is_mark && (letter == 0 || composition_of(letter, c) == 0)) return false;
        letter = Py_UNICODE_ISALPHA(c) && c < 0x80 ? (uint8_t)c : 0;
        if (c < 0xA0 || is_mark) continue;
        if (c == 0x2000 || c == 0x2001 || !(is_kept(c) || is_dropped(c) || is_white(c))) return false;
    }
    return true;
}

/* Writes a character of a simple text, which is not left out, and stands from *at* to *end*: as it is, as windows-1252 has
 * it, or composed with the last one that was written. Returns what is behind it; *is_new* becomes whether it is one more
 * character. */
static uint8_t *write_simple(uint8_t *to, const uint8_t *at, const uint8_t *end, Py_UCS4 c, bool *is_new)
{
    *is_new = c < FIRST_MARK || c > LAST_MARK;
    if (!*is_new) {
        c = composition_of(to[-1], c);
        to--;
        if (c < 0x800) *to++ = (uint8_t)(0xC0 | c >> 6);
        else {
            *to++ = (uint8_t)(0xE0 | c >> 12);
            *to++ = (uint8_t)(0x80 | (c >> 6 & 0x3F));
        }
        *to++ = (uint8_t)(0x80 | (c & 0x3F));
    } else if (is_c1(c))
        for (const char *sign = WINDOWS[c - 0x80]; *sign; sign++) *to++ = (uint8_t)*sign;
    else
        while (at < end) *to++ = *at++;
    return to;
}

/* The bytes that a simple text may take once it is clean: a C1 control character has two, and three in windows-1252. */
static size_t most_bytes(bytes_t text)
{
    return text.size + text.size / 2;
}

/* A text that is written, without white space at its ends. */
typedef struct {
    uint8_t *to;
    size_t chars;
    char separator; /* before the next word, unless it is the first one; 0 for none */
} words_out_t;

static void write_character(words_out_t *out, const uint8_t *at, const uint8_t *end, Py_UCS4 c)
{
    bool is_new;

    if (out->separator && out->chars) {
        *out->to++ = (uint8_t)out->separator;
        out->chars++;
    }
    out->separator = 0;
    out->to = write_simple(out->to, at, end, c, &is_new);
    out->chars += is_new;
}

/* Writes the clean text of a simple one that is not preformatted into room for it (see `most_bytes`). Tabs between words are cells. */
static words_out_t write_clean(bytes_t text, uint8_t *room)
{
    words_out_t out = {room, 0, 0};
    const uint8_t *at = text.at, *end = at + text.size;

    while (at < end) {
        const uint8_t *start = at;
        Py_UCS4 c = next_character(&at);
        if (is_dropped(c)) continue;
        if (is_c1(c) || !is_white(c)) write_character(&out, start, at, c);
        else if (out.separator != '\t') out.separator = c == '\t' ? '\t' : ' ';
    }
    if (out.chars && out.to - room > 1 && out.to[-2] == 0xC2 && out.to[-1] == 0xB6) { /* a pilcrow: the link of a heading */
        out.to -= 2;
        out.chars--;
        while (out.to > room && (out.to[-1] == ' ' || out.to[-1] == '\t')) {
            out.to--;
            out.chars--;
        }
    }
    return out;
}

/* The clean text, a new reference. */
static PyObject *cleaned(PyObject *text, bool is_pre)
{
    PyObject *new = PyObject_CallFunctionObjArgs(python.clean, text, is_pre ? Py_True : Py_False, NULL);

    if (new && !PyUnicode_Check(new)) {
        PyErr_SetString(PyExc_TypeError, "expected a string");
        Py_CLEAR(new);
    }
    return new;
}

/* Cleans the text of a segment. Returns -1 with an exception. */
static int clean_segment(segment_t *segment, room_t **rooms)
{
    PyObject *text, *new = NULL;
    bytes_t bytes;
    uint8_t *room = NULL;

    if (segment->text.size && is_clean(segment->text, !segment->is_pre)) return 0;
    if (!segment->is_pre && is_simple(segment->text)) {
        words_out_t out;
        if ((room = take_room(rooms, most_bytes(segment->text))) == NULL) return -1;
        out = write_clean(segment->text, room);
        segment->text = (bytes_t){room, (size_t)(out.to - room)};
        segment->chars = out.chars;
        return 0;
    }
    if ((text = string_of(segment->text)) != NULL) new = cleaned(text, segment->is_pre);
    if (new && bytes_of(new, &bytes) == 0 && (room = take_room(rooms, bytes.size)) != NULL) {
        memcpy(room, bytes.at, bytes.size);
        segment->text = (bytes_t){room, bytes.size};
        segment->chars = (size_t)PyUnicode_GET_LENGTH(new);
    }
    Py_XDECREF(text);
    Py_XDECREF(new);
    return room ? 0 : -1;
}
