/* A stable sort of small items, without a call for each comparison. */

#ifndef NC_MERGE_SORT_H
#define NC_MERGE_SORT_H

#include <stddef.h>
#include <string.h>

enum { SORTED_RUN = 8 }; /* items that are sorted by insertion first */

/* Defines a function that sorts items by *BEFORE*, a macro of two of them; what is equal keeps its order. There is *room* for as
 * many items more. */
#define MERGE_SORT(NAME, TYPE, BEFORE)                                                                                   \
    static void NAME(TYPE *items, size_t count, TYPE *room)                                                              \
    {                                                                                                                    \
        TYPE *from = items, *to = room;                                                                                  \
        for (size_t start = 0; start < count; start += SORTED_RUN)                                                       \
            for (size_t at = start + 1; at < count && at < start + SORTED_RUN; at++) {                                   \
                TYPE own = items[at];                                                                                    \
                size_t place = at;                                                                                       \
                for (; place > start && BEFORE(own, items[place - 1]); place--) items[place] = items[place - 1];         \
                items[place] = own;                                                                                      \
            }                                                                                                            \
        for (size_t run = SORTED_RUN; run < count; run *= 2) {                                                           \
            for (size_t start = 0; start < count; start += 2 * run) {                                                    \
                size_t one = start, middle = count - start < run ? count : start + run;                                  \
                size_t other = middle, end = count - middle < run ? count : middle + run;                                \
                for (size_t at = start; at < end; at++)                                                                  \
                    to[at] = other < end && (one == middle || BEFORE(from[other], from[one])) ? from[other++] : from[one++]; \
            }                                                                                                            \
            TYPE *last = from;                                                                                           \
            from = to;                                                                                                   \
            to = last;                                                                                                   \
        }                                                                                                                \
        if (from != items) memcpy(items, from, count * sizeof *items);                                                   \
    }

#endif
