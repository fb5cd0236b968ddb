/* The text of the segments that are kept, as `forms.plain.plain` writes it. */

#ifndef NC_SELECTION_TEXT_H
#define NC_SELECTION_TEXT_H

#include "_table.h"

/* Whether the character at *at* is white space to `str.split`; *next* is behind it. */
static inline bool is_blank(const unsigned char *at, const unsigned char **next)
{
    *next = at;
    Py_UCS4 character = next_character(next);
    return character < 0x80 ? is_space((unsigned char)character) : Py_UNICODE_ISSPACE(character);
}

/* Writes a text on one line: its words, with one space between them. */
static char *write_words(span_t text, char *to)
{
    const unsigned char *at = (const unsigned char *)text.data, *end = at + text.size, *next;
    const char *start = to;
    bool inside = false;
    for (; at < end; at = next) {
        if (is_blank(at, &next)) {
            inside = false;
            continue;
        }
        if (!inside && to > start)
            *to++ = ' ';
        inside = true;
        memcpy(to, at, (size_t)(next - at));
        to += next - at;
    }
    return to;
}

/* Writes the lines of a text without the spaces at their ends, and without empty lines around them. */
static char *write_lines(span_t text, char *to)
{
    const unsigned char *at = (const unsigned char *)text.data, *end = at + text.size, *next;
    char *start = to, *line_end = to; /* behind the last character of the line that is no space */
    for (; at < end; at = next) {
        if (*at == '\n' || *at == '\r') {
            next = at + 1 + (*at == '\r' && end - at > 1 && at[1] == '\n');
            to = line_end;
            if (to > start)
                *to++ = '\n';
            line_end = to;
            continue;
        }
        bool is_end = !is_blank(at, &next);
        memcpy(to, at, (size_t)(next - at));
        to += next - at;
        line_end = is_end ? to : line_end;
    }
    to = line_end;
    while (to > start && to[-1] == '\n')
        to--;
    return to;
}

/* Writes the text of a segment. */
static char *write_segment(const segment_t *segment, bool is_title, char *to)
{
    span_t text = segment->text;
    bool has_break = memchr(text.data, '\n', (size_t)text.size) != NULL;
    if (!has_break && !memchr(text.data, '\r', (size_t)text.size)) {
        memcpy(to, text.data, (size_t)text.size);
        return to + text.size;
    }
    return has_break && (segment->flags & LINES) && !is_title ? write_lines(text, to) : write_words(text, to);
}

/* Writes the text that is kept, with the segment *title* first, unless that is -1; returns its size, which is at most that
 * of the texts and a line break for each. */
static Py_ssize_t write_plain(const table_t *table, Py_ssize_t title, char *out)
{
    char *to = out;
    if (title >= 0) {
        to = write_segment(&table->segments[title], true, to);
        *to++ = '\n';
    }
    for (Py_ssize_t at = 0; at < table->size; at++) {
        if (at == title || !table->segments[at].kept)
            continue;
        to = write_segment(&table->segments[at], false, to);
        *to++ = '\n';
    }
    return to > out ? to - out - 1 : 0;
}

#endif
