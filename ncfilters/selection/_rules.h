/* Decisions on columns: what expected_f.py, main_container.py and structure.py do, which are the reference. */

#ifndef NC_SELECTION_RULES_H
#define NC_SELECTION_RULES_H

#include "_table.h"

/* ---- expected F */

typedef struct {
    double chance, words;
} chance_t;

#define IS_LIKELIER(one, other) ((one).chance > (other).chance || ((one).chance == (other).chance && (one).words > (other).words))
MERGE_SORT(sort_chances, chance_t, IS_LIKELIER)

static volatile double two = 2.0; /* so that no compiler makes another function of the power, which rounds differently */

static inline double chance_of(const segment_t *segment)
{
    return 1 / (1 + pow(two, -segment->score));
}

static double words_of(const table_t *table)
{
    double words = 0;
    for (Py_ssize_t at = 0; at < table->size; at++)
        words += table->segments[at].words;
    return words;
}

/* `expected_f.best_expected_f`; -1 without memory. */
static double best_expected_f(const chance_t *chances, Py_ssize_t size)
{
    sum_t expected = {0, 0}, half = {0, 0};
    double likely_words = 0;
    bool is_likely = false;
    for (Py_ssize_t at = 0; at < size; at++) {
        add(&expected, chances[at].chance * chances[at].words);
        if (chances[at].chance > 0.5) {
            add(&half, chances[at].chance * chances[at].words);
            likely_words += chances[at].words;
            is_likely = true;
        }
    }
    double expected_words = sum_of(&expected);
    double least = is_likely ? sum_of(&half) / (likely_words + expected_words) : 0.0;
    chance_t *likely = PyMem_Malloc(2 * (size_t)size * sizeof *likely + 1);
    if (!likely)
        return -1;
    Py_ssize_t count = 0;
    for (Py_ssize_t at = 0; at < size; at++)
        if (chances[at].chance > least * 0.999)
            likely[count++] = chances[at];
    sort_chances(likely, (size_t)count, likely + size);
    double kept = 0, correct = 0, best = 0;
    for (Py_ssize_t at = 0; at < count; at++) {
        kept += likely[at].words;
        correct += likely[at].chance * likely[at].words;
        double now = 2 * correct / (kept + expected_words);
        best = now > best ? now : best;
    }
    PyMem_Free(likely);
    return best;
}

/* Keeps what gives the best expected F, with this factor, or that for small pages; whether there is memory. */
static bool keep_expected(table_t *table, double factor, double small_page_factor)
{
    chance_t *chances = PyMem_Malloc((size_t)table->size * sizeof *chances + 1);
    if (!chances)
        return false;
    for (Py_ssize_t at = 0; at < table->size; at++)
        chances[at] = (chance_t){chance_of(&table->segments[at]), table->segments[at].words};
    if (factor > 1 && words_of(table) < limits.small_page_words)
        factor = small_page_factor;
    double best = best_expected_f(chances, table->size);
    double least = factor * (best > limits.min_expected_f ? best : limits.min_expected_f) / 2;
    for (Py_ssize_t at = 0; at < table->size; at++)
        table->segments[at].kept = chances[at].chance > least;
    PyMem_Free(chances);
    return best >= 0;
}

/* ---- paths */

/* Whether the name of an element ends here: at the end, or before what is no part of a name. */
static bool is_name_end(span_t path, Py_ssize_t at)
{
    if (at >= path.size)
        return true;
    const unsigned char *next = (const unsigned char *)path.data + at;
    if (*next < 0x80)
        return !(*next == '-' || *next == '_' || (*next >= '0' && *next <= '9') || ((*next | 32) >= 'a' && (*next | 32) <= 'z'));
    return !Py_UNICODE_ISALNUM(next_character(&next));
}

static inline bool has_name(span_t path, Py_ssize_t at, const char *name, Py_ssize_t size)
{
    return path.size - at >= size && memcmp(path.data + at, name, (size_t)size) == 0 && is_name_end(path, at + size);
}

static inline Py_ssize_t slash_after(span_t path, Py_ssize_t at)
{
    const char *slash = at < path.size ? memchr(path.data + at, '/', (size_t)(path.size - at)) : NULL;
    return slash ? slash - path.data : path.size;
}

typedef enum { NO_CONTAINER, TABLE, DEFINITIONS, LIST } container_t;

/* The innermost table or list that a path is in: sets the path of that element. */
static container_t container_of(span_t path, span_t *out)
{
    static const struct {
        const char *name;
        Py_ssize_t size;
        container_t container;
    } names[] = {{"table", 5, TABLE}, {"dl", 2, DEFINITIONS}, {"ul", 2, LIST}, {"ol", 2, LIST}, {"menu", 4, LIST}, {"dir", 3, LIST}};
    for (Py_ssize_t at = slash_before(path, path.size); at >= 0; at = slash_before(path, at))
        for (size_t which = 0; which < sizeof names / sizeof *names; which++)
            if (has_name(path, at + 1, names[which].name, names[which].size)) {
                *out = (span_t){path.data, slash_after(path, at + 1)};
                return names[which].container;
            }
    return NO_CONTAINER;
}

/* Where the first heading element of a path begins, at its slash; -1 if there is none. Sets its level. */
static Py_ssize_t heading_at(span_t path, long *level)
{
    *level = limits.lowest_level;
    for (Py_ssize_t at = slash_after(path, 0); at < path.size; at = slash_after(path, at + 1)) {
        if (path.size - at >= 3 && path.data[at + 1] == 'h' && path.data[at + 2] >= '1' && path.data[at + 2] <= '6'
            && is_name_end(path, at + 3)) {
            *level = path.data[at + 2] - '0';
            return at;
        }
    }
    return -1;
}

/* ---- the main container */

static Py_ssize_t chars_of(span_t text)
{
    Py_ssize_t chars = 0;
    for (Py_ssize_t at = 0; at < text.size; at++)
        chars += (text.data[at] & 0xc0) != 0x80;
    return chars;
}

/* Adds the words of a segment to each container around it. */
static bool add_words(strings_t *containers, const segment_t *segment)
{
    span_t path = segment->path;
    for (Py_ssize_t slash = slash_after(path, 0); slash < path.size; slash = slash_after(path, slash + 1)) {
        entry_t *entry = entry_of(containers, (span_t){path.data, slash + 1});
        if (!entry)
            return false;
        entry->all += segment->words;
        if (segment->kept)
            entry->kept += segment->words;
    }
    return true;
}

/* The path of the main container with its slash; empty if there is none. *containers* are in the order in which those
 * with kept words come. */
static span_t main_container(const strings_t *containers)
{
    double most = 0;
    const entry_t *best = NULL;
    for (Py_ssize_t at = 0; at < containers->size; at++)
        most = containers->entries[at].kept > most ? containers->entries[at].kept : most;
    for (Py_ssize_t at = 0; at < containers->size; at++) {
        const entry_t *entry = &containers->entries[at];
        if (entry->kept > 0 && entry->kept >= limits.kept_share * most 
            && (!best || chars_of(entry->key) > chars_of(best->key)))
            best = entry;
    }
    return best && best->kept >= limits.own_share * best->all ? best->key : (span_t){"", 0};
}

static inline bool is_inside(const segment_t *segment, span_t container)
{
    return segment->path.size + 1 >= container.size
        && memcmp(segment->path.data, container.data, (size_t)container.size - 1) == 0
        && (segment->path.size + 1 == container.size || segment->path.data[container.size - 1] == '/');
}

/* `main_container.fit_main_container`; false without memory. */
static bool fit_main_container(table_t *table, bool is_documentation)
{
    double words = words_of(table);
    bool any = false;
    for (Py_ssize_t at = 0; at < table->size && !any; at++)
        any = table->segments[at].kept;
    if (!any || (!is_documentation && !(limits.min_words <= words && words <= limits.max_words)))
        return true;
    strings_t containers = {NULL, 0, 0, NULL};
    bool good = true;
    for (int of_kept = 1; of_kept >= 0 && good; of_kept--) /* first those with kept words */
        for (Py_ssize_t at = 0; at < table->size && good; at++) {
            const segment_t *segment = &table->segments[at];
            if (!(segment->flags & EMBEDDED) && segment->kept == of_kept)
                good = add_words(&containers, segment);
        }
    span_t container = main_container(&containers);
    if (good && container.size) {
        Py_ssize_t last = 0;
        for (Py_ssize_t at = 0; at < table->size; at++)
            if (table->segments[at].kept && is_inside(&table->segments[at], container))
                last = at;
        for (Py_ssize_t at = 0; at < last; at++) {
            segment_t *segment = &table->segments[at];
            bool is_other = table->has_roles && (limits.other_roles >> segment->role & 1);
            if (!segment->kept && !(segment->flags & RULE) && !is_other && segment->score > limits.container_score
                && is_inside(segment, container))
                segment->kept = true;
        }
    }
    free_strings(&containers);
    return good;
}

/* ---- structure */

/* The visible segments of a page: their number, and where they are. */
typedef struct {
    segment_t **segments;
    Py_ssize_t size;
} visible_t;

static double kept_words(segment_t *const *members, Py_ssize_t size)
{
    double kept = 0, all = 0;
    for (Py_ssize_t at = 0; at < size; at++) {
        all += members[at]->words;
        kept += members[at]->kept ? members[at]->words : 0;
    }
    return kept / all;
}

static void keep_all(segment_t *const *members, Py_ssize_t size, bool decision)
{
    for (Py_ssize_t at = 0; at < size; at++)
        members[at]->kept = decision;
}

static void decide_alike(segment_t *const *members, Py_ssize_t size)
{
    Py_ssize_t count = 0;
    for (Py_ssize_t at = 0; at < size; at++)
        count += members[at]->kept;
    double share = (double)count / (double)size;
    if ((share > 1 - share ? share : 1 - share) < limits.list_agreement)
        return;
    double words = kept_words(members, size);
    if ((share > 0.5 ? words : 1 - words) >= limits.list_agreement)
        keep_all(members, size, share > 0.5);
}

static bool is_data_table(const visible_t *visible, segment_t *const *members, Py_ssize_t size)
{
    double rows = 0, own = 0, page = 0;
    for (Py_ssize_t at = 0; at < size; at++) {
        rows += (members[at]->flags & ROW) != 0;
        own += (double)members[at]->chars;
    }
    double least = limits.row_share * (double)size;
    if (rows < (limits.min_rows >= least ? limits.min_rows : least))
        return false;
    for (Py_ssize_t at = 0; at < visible->size; at++)
        page += (double)visible->segments[at]->chars;
    return own <= limits.page_share * page;
}

/* Decides each term of a `<dl>` with its definitions. *start* is the length of the path of the `<dl>`. */
static bool decide_definitions(segment_t *const *members, Py_ssize_t size, Py_ssize_t start)
{
    segment_t **pair = PyMem_Malloc((size_t)size * sizeof *pair + 1);
    Py_ssize_t count = 0;
    bool is_defined = false;
    if (!pair)
        return false;
    for (Py_ssize_t at = 0; at <= size; at++) {
        span_t path = at < size ? members[at]->path : (span_t){"", 0};
        bool is_below = at < size && path.size > start && path.data[start] == '/';
        bool is_term = is_below && has_name(path, start + 1, "dt", 2);
        if ((is_term || at == size) && is_defined) {
            keep_all(pair, count, kept_words(pair, count) >= limits.definition_share);
            count = 0;
            is_defined = false;
        }
        if (is_term) {
            pair[count++] = members[at];
        } else if (count && is_below && has_name(path, start + 1, "dd", 2)) {
            pair[count++] = members[at];
            is_defined = true;
        }
    }
    PyMem_Free(pair);
    return true;
}

static bool decide_container(const visible_t *visible, Py_ssize_t start, Py_ssize_t end, container_t kind, span_t path)
{
    segment_t *const *members = visible->segments + start;
    Py_ssize_t size = end - start, count = 0;
    bool have_markers = true;
    for (Py_ssize_t at = 0; at < size; at++) {
        count += members[at]->kept;
        have_markers = have_markers && members[at]->flags & MARKER;
    }
    if (count == 0 || count == size)
        return true;
    if (kind == TABLE) {
        if (is_data_table(visible, members, size))
            keep_all(members, size, kept_words(members, size) >= limits.table_share);
    } else if (kind == DEFINITIONS) {
        return decide_definitions(members, size, path.size);
    } else if (have_markers) {
        decide_alike(members, size);
    }
    return true;
}

/* Decides runs of segments in the same table or list. */
static bool fit_containers(const visible_t *visible)
{
    Py_ssize_t start = 0;
    container_t kind = NO_CONTAINER;
    span_t path = {"", 0};
    for (Py_ssize_t at = 0; at <= visible->size; at++) {
        container_t own = NO_CONTAINER;
        span_t own_path = {"", 0};
        if (at < visible->size) {
            span_t given = visible->segments[at]->path;
            bool is_same = at > 0 && given.size == visible->segments[at - 1]->path.size
                && memcmp(given.data, visible->segments[at - 1]->path.data, (size_t)given.size) == 0;
            own = is_same ? kind : container_of(given, &own_path);
            own_path = is_same ? path : own_path;
        }
        if (at < visible->size && own == kind && own_path.size == path.size
            && memcmp(own_path.data, path.data, (size_t)path.size) == 0)
            continue;
        if (kind != NO_CONTAINER && !decide_container(visible, start, at, kind, path))
            return false;
        start = at;
        kind = own;
        path = own_path;
    }
    return true;
}

/* `structure._is_heading_of`: of the segments of *below* that are kept by *decided*. */
static bool is_heading_of(const segment_t *heading, segment_t *const *below, const bool *decided, Py_ssize_t size)
{
    double highest = -HUGE_VAL;
    long level;
    for (Py_ssize_t at = 0; at < size; at++)
        if (decided[at] && below[at]->score > highest)
            highest = below[at]->score;
    if (heading->score <= limits.heading_score || highest <= limits.headed_text_score)
        return false;
    Py_ssize_t end = heading_at(heading->path, &level);
    if (end < 0)
        return false;
    for (long wrapper = 0; wrapper <= limits.heading_wrappers; wrapper++) {
        if (is_inside(below[0], (span_t){heading->path.data, end + 1}))
            return true;
        do /* to the slash before; without one, the parent is empty */
            end--;
        while (end >= 0 && heading->path.data[end] != '/');
        if (end < 0 || !memchr(heading->path.data, '/', (size_t)end)) /* all of the page */
            return false;
    }
    return false;
}

/* `structure._fit_headings`. */
static void fit_headings(const visible_t *visible, const bool *decided)
{
    const unsigned long every = (1ul << (limits.lowest_level + 1)) - 1;
    unsigned long kept_below = 0, dropped_below = 0;
    Py_ssize_t end = visible->size;
    long end_level = 0;
    for (Py_ssize_t place = visible->size - 1; place >= 0; place--) {
        segment_t *heading = visible->segments[place];
        if (heading->type != 'h')
            continue;
        long level;
        Py_ssize_t size = end - place - 1;
        for (Py_ssize_t at = place + 1; at < end; at++)
            if (decided[at])
                kept_below = every;
            else
                dropped_below = every;
        heading_at(heading->path, &level);
        if (heading->kept) {
            if (!(kept_below >> level & 1) && heading->score < limits.empty_heading_score)
                heading->kept = !((dropped_below >> level & 1) || (end_level < level && !size));
        } else if (size && decided[place + 1]) {
            heading->kept = is_heading_of(heading, visible->segments + place + 1, decided + place + 1, size);
        }
        unsigned long higher = (1ul << level) - 1;
        kept_below &= higher;
        dropped_below &= higher;
        end = place;
        end_level = level;
    }
}

/* `structure.fit_structure`; false without memory. */
static bool fit_structure(table_t *table)
{
    bool any = false, has_text = false;
    for (Py_ssize_t at = 0; at < table->size && !any; at++)
        any = table->segments[at].kept;
    if (!any)
        return true;
    visible_t visible = {PyMem_Malloc((size_t)table->size * sizeof *visible.segments + 1), 0};
    bool *decided = PyMem_Malloc((size_t)table->size + 1), good = visible.segments && decided;
    for (Py_ssize_t at = 0; good && at < table->size; at++)
        if (!(table->segments[at].flags & EMBEDDED))
            visible.segments[visible.size++] = &table->segments[at];
    good = good && fit_containers(&visible);
    for (Py_ssize_t at = 0; good && at < table->size; at++)
        has_text = has_text || (table->segments[at].kept && table->segments[at].type != 'h');
    for (Py_ssize_t at = 0; good && at < visible.size; at++)
        decided[at] = visible.segments[at]->kept;
    if (good && has_text)
        fit_headings(&visible, decided);
    PyMem_Free(visible.segments);
    PyMem_Free(decided);
    return good;
}

#endif
