/* Features of segments: as features/matrix.py, neighbourhood.py and title_overlap.py, to the bit. */

#ifndef NC_FEATURES_H
#define NC_FEATURES_H

#include "_table.h"

enum { TITLE_ROWS = 8, HEAD_ROWS = 2 * TITLE_ROWS, GROUP_ROWS = 7, PAGE_ROWS = 8 };
enum { CHARACTER_ROWS = 20, NEIGHBOUR_ROWS = 7, NEIGHBOURS = 4, WINDOWS = 3, WINDOW_ROWS = 3 };
/* Features that each segment has for itself, but for those of the head: in this order. */
enum {
    AT_POSITION = CHARACTER_ROWS,
    AT_REPEATS = AT_POSITION + 5,
    AT_FIRST = AT_REPEATS + 5,
    AT_LANDMARKS = AT_FIRST + KINDS,
    AT_SECTION = AT_LANDMARKS + 5,
    AT_MAIN = AT_SECTION + 3,
    AT_NEIGHBOURS = AT_MAIN + 2,
    AT_WINDOWS = AT_NEIGHBOURS + NEIGHBOURS * NEIGHBOUR_ROWS + 2,
    OWN_ROWS = AT_WINDOWS + 2 * WINDOWS * WINDOW_ROWS,
};
#define NO_DISTANCE 5.0f

/* What features of all segments need to know of the page. */
typedef struct {
    const page_t *page;
    uint32_t *section, *same_count;
    sums_t *sections;
    int32_t *heading, *prose_before, *prose_after; /* indices, -1 for none */
    double (*windows)[WINDOW_ROWS]; /* sums up to each segment */
    int32_t first_h1, first_prose, last_prose;
    /* the main text: its node (-1 for none), and the first and last of its segments */
    int64_t main_node;
    uint32_t main_first, main_last, main_group;
    uint32_t *common; /* of each node, the nearest ancestor that is also one of the main text */
    float (*head)[HEAD_ROWS];
    bool has_head;
    double before_chars, before_prose; /* of the segments before the present one */
} features_t;

static inline double share(double part, double total)
{
    return part / (total > 1 ? total : 1);
}

static inline double bound(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* The nearest whole number, the even one of two; of numbers from 0 to 2^22. */
static inline float nearest(float value)
{
    volatile float sum = value + 0x1p23f;
    return sum - 0x1p23f;
}

/* ---- the main text ---- */

static bool find_main(features_t *of, page_t *page)
{
    double most = 0;
    of->main_node = -1;
    of->main_first = of->main_last = 0;
    for (uint32_t group = page->group_starts[1]; group < page->group_starts[2]; group++) {
        double prose = page->sums[group].prose;
        uint32_t node = page->group_nodes[group];
        if (prose > most || (prose == most && (int64_t)node < of->main_node)) { /* the first one on the page */
            most = prose;
            of->main_node = node;
            of->main_group = group;
        }
    }
    if (of->main_node < 0)
        return true;
    bool any = false;
    for (uint32_t at = 0; at < page->size; at++)
        if (page->places[page->segments[at].place].groups[1] == of->main_group) {
            of->main_first = any ? of->main_first : at;
            of->main_last = at;
            any = true;
        }
    if (!(of->common = take(page->arena, page->node_count * sizeof(uint32_t))))
        return false;
    memset(of->common, 0xFF, page->node_count * sizeof(uint32_t));
    of->common[0] = 0;
    for (uint32_t node = (uint32_t)of->main_node; of->common[node] != node; node = page->nodes[node].parent)
        of->common[node] = node;
    for (uint32_t node = 0; node < page->node_count; node++) /* parents come before their children */
        if (of->common[node] == UINT32_MAX)
            of->common[node] = of->common[page->nodes[node].parent];
    return true;
}

/* ---- title and description ---- */

/* Bits for words in ASCII by their first two bytes, their last one and their size. */
enum { SHAPE_BITS = 2048 };

/* The distinct words of the head: `number` + 1 by hash. */
typedef struct {
    uint64_t shapes[SHAPE_BITS / 64]; /* of words that begin in ASCII */
    uint64_t *hashes;
    uint8_t *in; /* 1: in the title, 2: in the description */
    uint32_t *slots, *stamps, mask, count, sizes[2];
} head_words_t;

static inline uint32_t shape_of(const uint8_t *word, uint32_t size)
{
    uint32_t second = size > 1 ? word[1] : 0;
    return (word[0] * 29u + second * 101u + word[size - 1] * 547u + size * 1201u) % SHAPE_BITS;
}

static inline bool has_shape(const head_words_t *head, const uint8_t *word, uint32_t size)
{
    uint32_t shape = shape_of(word, size);
    return head->shapes[shape / 64] >> shape % 64 & 1;
}

static bool add_head_words(head_words_t *head, bytes_t text, int which, arena_t *arena)
{
    bytes_t lower = text;
    word_t *words = take(arena, (4 * text.size + 4) * sizeof(word_t));
    if (!words || !lower_case(text, arena, &lower))
        return false;
    int64_t count = words_of(lower, words);
    for (int64_t at = 0; at < count; at++) {
        /* short words of a description are too frequent; East Asian words are single characters */
        if (which == 1 && words[at].letters < 4 && words[at].first <= 0x3000)
            continue;
        uint32_t slot = (uint32_t)words[at].hash & head->mask;
        while (head->slots[slot] && head->hashes[head->slots[slot] - 1] != words[at].hash)
            slot = (slot + 1) & head->mask;
        if (!head->slots[slot]) {
            head->hashes[head->count] = words[at].hash;
            head->in[head->count] = 0;
            head->slots[slot] = ++head->count;
            uint32_t shape = shape_of(words[at].start, words[at].size);
            head->shapes[shape / 64] |= (uint64_t)1 << shape % 64;
        }
        uint8_t *in = &head->in[head->slots[slot] - 1];
        head->sizes[which] += !(*in & 1 << which);
        *in |= (uint8_t)(1 << which);
    }
    return count >= 0;
}

/* The words of a segment: at most 200 characters, perhaps in lower case more, have far fewer. */
#define WORD_SLOTS 1024
typedef struct {
    uint64_t hash;
    uint32_t stamp; /* that of the segment; 0 for none */
} stamped_t;

/* Counts a word that the head has, too, unless it has been. */
static void count_word(head_words_t *head, uint64_t hash, uint32_t stamp, uint32_t shared[2])
{
    uint32_t slot = (uint32_t)hash & head->mask;
    while (head->slots[slot] && head->hashes[head->slots[slot] - 1] != hash)
        slot = (slot + 1) & head->mask;
    uint32_t number = head->slots[slot];
    if (!number || head->stamps[number - 1] == stamp)
        return;
    head->stamps[number - 1] = stamp;
    shared[0] += head->in[number - 1] & 1;
    shared[1] += head->in[number - 1] >> 1;
}

/* The words of a text in ASCII, if the head has any of them, which are counted; else 0. */
static int64_t shared_ascii_words(
    head_words_t *head, bytes_t text, uint8_t *lower, uint32_t stamp, word_t *words, uint32_t shared[2]
)
{
    uint32_t edges[ASCII_ROOM + 2], count = ascii_edges(text, lower, edges);
    for (uint32_t at = 0; at + 1 < count; at += 2)
        if (has_shape(head, lower + edges[at], edges[at + 1] - edges[at]))
            count_word(head, ascii_word(lower, edges + at).hash, stamp, shared);
    if (!shared[0] && !shared[1])
        return 0;
    for (uint32_t at = 0; at + 1 < count; at += 2)
        words[at / 2] = ascii_word(lower, edges + at);
    return count / 2;
}

/* The words that a segment shares with the head: `shared` with the title and the description, and its own different
 * ones if it shares any. *lower*: room for a text in ASCII (see `ascii_edges`), NULL for another one, which is in lower
 * case. False without memory. */
static bool count_shared(
    head_words_t *head, bytes_t words_text, uint8_t *lower, uint32_t stamp, word_t *words, stamped_t *set,
    uint32_t shared[2], uint32_t *own
)
{
    shared[0] = shared[1] = *own = 0;
    int64_t count = lower ? shared_ascii_words(head, words_text, lower, stamp, words, shared) : words_of(words_text, words);
    if (count < 0)
        return false;
    for (int64_t at = 0; !lower && at < count; at++)
        count_word(head, words[at].hash, stamp, shared);
    if (!shared[0] && !shared[1])
        return true;
    for (int64_t at = 0; at < count; at++) {
        uint32_t slot = (uint32_t)words[at].hash & (WORD_SLOTS - 1);
        while (set[slot].stamp == stamp && set[slot].hash != words[at].hash)
            slot = (slot + 1) & (WORD_SLOTS - 1);
        *own += set[slot].stamp != stamp;
        set[slot] = (stamped_t){words[at].hash, stamp};
    }
    return true;
}

#define PREFIX_CHARS 200

static inline bool is_ascii(const segment_t *segment)
{
    return segment->chars == segment->text.size;
}

/* The first characters of a text, in lower case if it is not ASCII; false without memory. */
static bool prefix_of(const segment_t *segment, size_t chars, arena_t *arena, bytes_t *out)
{
    if (is_ascii(segment)) {
        *out = (bytes_t){segment->text.at, segment->text.size < chars ? segment->text.size : chars};
        return true;
    }
    return lower_case(first_characters(segment->text, chars), arena, out);
}

/* The best visible candidate for the title or the description, -1 for none. */
static int64_t best_candidate(const page_t *page, float (*rows)[HEAD_ROWS], const uint8_t *candidates, int which, int h1)
{
    int64_t best = -1;
    double highest = 0;
    for (uint32_t at = 0; at < page->size; at++) {
        const segment_t *segment = &page->segments[at];
        if (!(candidates[segment->same] & 1 << which))
            continue;
        int origin = segment->codes[ORIGIN];
        if (origin >= 0 && origin != 5 && origin != 2) /* noscript and shadow are visible */
            continue;
        double bonus = segment->codes[TAG] == h1 ? 0.25 : (segment->codes[TYPE] == 1) * 0.15;
        bool linked = segment->links > 0.8f * segment->stats.chars;
        const float *row = rows[at] + which * TITLE_ROWS;
        double value = (double)(row[0] + row[2]) + bonus - linked * 0.1;
        if (best < 0 || value > highest) {
            best = at;
            highest = value;
        }
    }
    return best;
}

/* The features of title and description, if the page has any. */
static bool fill_head(features_t *of, page_t *page, int h1)
{
    static const uint32_t min_shared[2] = {2, 5};
    static const double of_segment[2] = {0.6, 0.2}, of_head[2] = {0.3, 0.4};
    arena_t *arena = page->arena;
    head_words_t head = {0};
    size_t room = page->title.size + page->description.size + 1, slots = 16;
    while (slots < 2 * room)
        slots *= 2;
    head.mask = (uint32_t)(slots - 1);
    head.hashes = take(arena, room * sizeof(uint64_t));
    head.in = take(arena, room);
    head.slots = take_zeros(arena, slots * sizeof(uint32_t));
    head.stamps = take_zeros(arena, room * sizeof(uint32_t));
    if (!head.hashes || !head.in || !head.slots || !head.stamps || !add_head_words(&head, page->title, 0, arena)
        || !add_head_words(&head, page->description, 1, arena))
        return false;
    of->has_head = head.count > 0;
    if (!of->has_head)
        return true;
    uint8_t *candidates = take_zeros(arena, page->size + 1);
    word_t *words = take(arena, (16 * PREFIX_CHARS) * sizeof(word_t));
    uint8_t lower[ASCII_ROOM + 64];
    stamped_t *set = take_zeros(arena, WORD_SLOTS * sizeof(stamped_t));
    of->head = take_zeros(arena, (page->size + 1) * sizeof *of->head);
    if (!candidates || !words || !set || !of->head)
        return false;
    for (uint32_t at = 0; at < page->size; at++) {
        const segment_t *segment = &page->segments[at];
        float *row = of->head[at];
        if (segment->same != at) {
            for (int which = 0; which < 2; which++)
                memcpy(row + which * TITLE_ROWS, of->head[segment->same] + which * TITLE_ROWS, 3 * sizeof(float));
            continue;
        }
        uint32_t shared[2], own;
        bytes_t prefix;
        if (!(segment->stats.words > 1))
            continue;
        if (!prefix_of(segment, PREFIX_CHARS, arena, &prefix) || prefix.size > 16 * PREFIX_CHARS - 1
            || !count_shared(&head, prefix, is_ascii(segment) ? lower : NULL, at + 1, words, set, shared, &own))
            return false;
        for (int which = 0; own && which < 2; which++, row += TITLE_ROWS) {
            double size = head.sizes[which];
            row[0] = (float)((double)shared[which] / own);
            row[1] = (float)((double)shared[which] / (size > 1 ? size : 1));
            row[2] = (float)(2.0 * shared[which] / (own + size));
            if (shared[which] >= min_shared[which] && shared[which] >= of_segment[which] * own
                && shared[which] >= of_head[which] * size)
                candidates[at] |= (uint8_t)(1 << which);
        }
    }
    for (int which = 0; which < 2; which++) {
        int64_t here = best_candidate(page, of->head, candidates, which, h1);
        for (uint32_t at = 0; at < page->size; at++) {
            float *row = of->head[at] + which * TITLE_ROWS;
            int64_t since = (int64_t)at - here;
            row[3] = here >= 0;
            row[4] = here >= 0 && since == 0;
            row[7] = here >= 0 && since < 0;
            row[5] = here >= 0 ? (float)(bound((double)since, -50, 100) / 25) : -2.4f;
            row[6] = here >= 0 && since >= 0 ? log_count((double)since) : NO_DISTANCE;
        }
    }
    return true;
}

/* The features of a page without a title or a description. */
static void fill_no_head(float *row)
{
    memset(row, 0, HEAD_ROWS * sizeof(float));
    row[5] = row[TITLE_ROWS + 5] = -2.4f;
    row[6] = row[TITLE_ROWS + 6] = NO_DISTANCE;
}

/* ---- sections, landmarks, windows ---- */

static bool survey(features_t *of, page_t *page, int h1)
{
    size_t size = page->size + 1;
    arena_t *arena = page->arena;
    of->page = page;
    of->section = take(arena, size * sizeof(uint32_t));
    of->sections = take_zeros(arena, size * sizeof(sums_t));
    of->same_count = take_zeros(arena, size * sizeof(uint32_t));
    of->heading = take(arena, size * sizeof(int32_t));
    of->prose_before = take(arena, size * sizeof(int32_t));
    of->prose_after = take(arena, size * sizeof(int32_t));
    of->windows = take(arena, size * sizeof *of->windows);
    if (!of->section || !of->sections || !of->same_count || !of->heading || !of->prose_before || !of->prose_after
        || !of->windows)
        return false;
    int32_t heading = -1, prose = -1, section = -1;
    of->first_h1 = of->first_prose = of->last_prose = -1;
    of->before_chars = of->before_prose = 0;
    memset(of->windows[0], 0, sizeof of->windows[0]);
    for (uint32_t at = 0; at < page->size; at++) {
        const segment_t *segment = &page->segments[at];
        of->same_count[segment->same]++;
        of->heading[at] = heading;
        of->prose_before[at] = prose;
        section += segment->heading || at == 0;
        of->section[at] = (uint32_t)section;
        sums_t *sums = &of->sections[section];
        sums->n += 1;
        sums->chars += segment->stats.chars;
        sums->prose += segment->prose ? segment->stats.chars : 0;
        if (segment->heading)
            heading = (int32_t)at;
        if (segment->prose) {
            of->first_prose = of->first_prose < 0 ? (int32_t)at : of->first_prose;
            of->last_prose = prose = (int32_t)at;
        }
        if (of->first_h1 < 0 && segment->codes[TAG] == h1)
            of->first_h1 = (int32_t)at;
        double *sum = of->windows[at + 1];
        sum[0] = of->windows[at][0] + nearest(log_count(segment->stats.chars) * 1024);
        sum[1] = of->windows[at][1] + nearest(segment->density * 1024);
        sum[2] = of->windows[at][2] + (segment->prose ? 1024 : 0);
    }
    prose = -1;
    for (uint32_t at = page->size; at-- > 0;) {
        of->prose_after[at] = prose;
        prose = page->segments[at].prose ? (int32_t)at : prose;
    }
    return find_main(of, page) && fill_head(of, page, h1);
}

/* ---- features of one segment ---- */

static void fill_characters(const segment_t *segment, float *out)
{
    const stats_t *stats = &segment->stats;
    const float *kinds = stats->kinds, each = segment->each;
    float words = stats->words > 1 ? stats->words : 1;
    out[0] = log_count(stats->chars);
    out[1] = log_count(stats->words < LOGS ? nearest(stats->words) : LOGS);
    out[2] = stats->chars / words;
    out[2] = out[2] < 20 ? out[2] : 20;
    out[3] = segment->links * each;
    out[4] = segment->links >= stats->chars && stats->chars > 0;
    out[5] = kinds[UPPER] * each;
    out[6] = kinds[DIGIT] * each;
    out[7] = (kinds[MARK] + kinds[BRACKET] + kinds[SYMBOL]) * each;
    out[8] = kinds[SYMBOL] * each;
    out[9] = (kinds[SIGN] + kinds[LETTER] + kinds[WIDE]) * each;
    out[10] = stats->sentences < 20 ? stats->sentences : 20;
    out[11] = kinds[COMMA] / words;
    out[11] = out[11] < 5 ? out[11] : 5;
    out[12] = stats->titles / words;
    out[12] = out[12] < 1 ? out[12] : 1;
    out[13] = stats->last == STOP;
    out[14] = stats->last == COMMA;
    out[15] = stats->last >= MARK && stats->last <= BRACKET;
    out[16] = stats->first == UPPER;
    out[17] = stats->first == PLAIN;
    out[18] = stats->first == DIGIT;
    out[19] = stats->first >= STOP && stats->first <= SIGN;
}

static void fill_positions(features_t *of, uint32_t at, float *out)
{
    const page_t *page = of->page;
    const segment_t *segment = &page->segments[at];
    float *position = out + AT_POSITION, *repeats = out + AT_REPEATS;
    position[0] = (float)((double)at / page->size);
    position[1] = log_count(at);
    position[2] = log_count(page->size - at - 1);
    position[3] = (float)share(of->before_chars, page->chars);
    position[4] = (float)share(of->before_prose, page->prose);
    of->before_chars += segment->stats.chars;
    of->before_prose += segment->prose ? segment->stats.chars : 0;
    repeats[0] = segment->repeated_before && segment->long_text;
    repeats[1] = segment->repeated_after && segment->long_text;
    repeats[2] = (segment->repeated_before || segment->repeated_after) && !segment->long_text;
    repeats[3] = log_count(of->same_count[segment->same] - 1);
    repeats[4] = of->first_h1 >= 0 && segment->same == page->segments[of->first_h1].same;
    for (int kind = 0; kind < KINDS; kind++) {
        const sums_t *sums = &page->sums[page->places[segment->place].groups[kind]];
        float value = ((float)at - (float)sums->first) * sums->each;
        out[AT_FIRST + kind] = value < 20 ? value : 20;
    }
}

static void fill_landmarks(const features_t *of, uint32_t at, float *out)
{
    const page_t *page = of->page;
    float *landmarks = out + AT_LANDMARKS, *section = out + AT_SECTION, *main = out + AT_MAIN;
    double here = at;
    landmarks[0] = (float)((of->first_h1 >= 0 ? bound(here - of->first_h1, -50, 100) : -60) / 25);
    landmarks[1] = (float)((of->first_prose >= 0 ? bound(here - of->first_prose, -100, 100) : 100) / 25);
    landmarks[2] = (float)((of->last_prose >= 0 ? bound(here - of->last_prose, -100, 100) : 100) / 25);
    landmarks[3] = of->prose_after[at] >= 0 ? log_count(of->prose_after[at] - here) : NO_DISTANCE;
    landmarks[4] = of->prose_before[at] >= 0 ? log_count(here - of->prose_before[at]) : NO_DISTANCE;
    const sums_t *sums = &of->sections[of->section[at]];
    section[0] = log_count(here - of->heading[at] - 1);
    section[1] = log_count(sums->n);
    section[2] = (float)share(sums->prose, sums->chars);
    bool has_main = of->main_node >= 0;
    main[0] = has_main && at < of->main_first ? log_count(of->main_first - here) : 0;
    main[1] = has_main && at > of->main_last ? log_count(here - of->main_last) : 0;
    (void)page;
}

static void fill_neighbours(const features_t *of, uint32_t at, float *out)
{
    static const int distances[NEIGHBOURS] = {-2, -1, 1, 2};
    const page_t *page = of->page;
    const segment_t *segment = &page->segments[at];
    out += AT_NEIGHBOURS;
    for (int number = 0; number < NEIGHBOURS; number++, out += NEIGHBOUR_ROWS) {
        int64_t there = (int64_t)at + distances[number];
        if (there < 0 || there >= page->size) {
            for (int row = 0; row < NEIGHBOUR_ROWS - 1; row++)
                out[row] = -1;
            out[NEIGHBOUR_ROWS - 1] = 0;
            continue;
        }
        const segment_t *other = &page->segments[there];
        out[0] = log_count(other->stats.chars);
        out[1] = other->density;
        out[2] = other->codes[TYPE] == 1;
        out[3] = other->codes[TYPE] == 2;
        out[4] = other->stats.last == STOP;
        out[5] = other->codes[RULE] >= 0;
        out[6] = other->place == segment->place;
    }
    uint32_t sig = page->places[segment->place].groups[SIG];
    out[0] = at > 0 && page->places[segment[-1].place].groups[SIG] == sig;
    out[1] = at + 1 < page->size && page->places[segment[1].place].groups[SIG] == sig;
}

static void fill_windows(const features_t *of, uint32_t at, float *out)
{
    static const uint32_t sizes[WINDOWS] = {3, 8, 20};
    uint32_t last = of->page->size - 1;
    double(*sums)[WINDOW_ROWS] = of->windows;
    out += AT_WINDOWS;
    for (int window = 0; window < WINDOWS; window++, out += 2 * WINDOW_ROWS) {
        uint32_t low = at > sizes[window] ? at - sizes[window] : 0;
        uint32_t high = at + sizes[window] < last ? at + sizes[window] : last;
        uint32_t before = at - low, after = high - at;
        double each_before = 1 / (1024.0 * (before ? before : 1)), each_after = 1 / (1024.0 * (after ? after : 1));
        for (int row = 0; row < WINDOW_ROWS; row++) {
            out[row] = (float)((sums[at][row] - sums[low][row]) * each_before);
            out[WINDOW_ROWS + row] = (float)((sums[high + 1][row] - sums[at + 1][row]) * each_after);
        }
    }
}

/* The features that a segment has for itself, in the order of OWN_ROWS. Segments must come in order. */
static void fill_own(features_t *of, uint32_t at, float *out)
{
    fill_characters(&of->page->segments[at], out);
    fill_positions(of, at, out);
    fill_landmarks(of, at, out);
    fill_neighbours(of, at, out);
    fill_windows(of, at, out);
}

/* ---- features that segments share ---- */

/* The features of a group (see `neighbourhood.fill_groups`). */
static void fill_group(const page_t *page, const sums_t *sums, float *out)
{
    out[0] = log_count(sums->n);
    out[1] = log_of(sums->chars);
    out[2] = (float)share(sums->links, sums->chars);
    out[3] = (float)share(sums->prose, sums->chars);
    out[4] = (float)share(sums->chars, page->chars);
    out[5] = (float)share(sums->prose, page->prose);
    out[6] = (float)(sums->words / sums->n);
}

/* The features of a place: its depth, and whether and how far it is in the main text (`main_same`, `_up`, `_down`). */
static void fill_place(const features_t *of, const place_t *place, float out[4])
{
    const page_t *page = of->page;
    uint32_t depth = page->nodes[place->node].depth;
    out[0] = (float)((depth < 40 ? depth : 40) / 10.0);
    out[1] = out[2] = out[3] = 0;
    if (of->main_node < 0)
        return;
    uint32_t common = page->nodes[of->common[place->node]].depth, main = page->nodes[of->main_node].depth;
    out[1] = place->groups[1] == of->main_group;
    out[2] = depth - common < 10 ? (float)(depth - common) : 10;
    out[3] = main - common < 10 ? (float)(main - common) : 10;
}

/* The features of the page, and the share of it that is repeated (`repeats_page`). */
static void fill_page(const page_t *page, float out[PAGE_ROWS + 1])
{
    double links = 0, paragraphs = 0, headings = 0, lists = 0, ruled = 0, repeated = 0;
    for (uint32_t at = 0; at < page->size; at++) {
        const segment_t *segment = &page->segments[at];
        double chars = segment->stats.chars;
        links += segment->links;
        paragraphs += segment->prose;
        headings += segment->codes[TYPE] == 1;
        lists += segment->codes[TYPE] == 2 ? chars : 0;
        ruled += segment->codes[RULE] >= 0 ? chars : 0;
        repeated += segment->repeated_before && segment->long_text ? chars : 0;
    }
    out[0] = log_of(page->size);
    out[1] = log_of(page->chars);
    out[2] = (float)share(links, page->chars);
    out[3] = (float)share(page->prose, page->chars);
    out[4] = log_of(paragraphs);
    out[5] = (float)share(headings, page->size);
    out[6] = (float)share(lists, page->chars);
    out[7] = (float)share(ruled, page->chars);
    out[8] = (float)share(repeated, page->chars);
}

#endif
