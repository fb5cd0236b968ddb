/* The scores of the segments of a page for the cores of other stages: what a capsule with the name SCORES_NAME holds. */

#ifndef NC_SHOWN_SCORES_H
#define NC_SHOWN_SCORES_H

#include <Python.h>
#include <stddef.h>
#include <stdint.h>

#define SCORES_NAME "ncfilters.scoring.scores"
enum { SHOWN_FIELDS = 8, SHOWN_ROLES = 20 };

/* Names are in UTF-8, and end with NUL. */
typedef struct {
    size_t count;                     /* of segments */
    int fields, roles;                /* number of names; without roles, segments have none */
    const char *field_names[SHOWN_FIELDS], *role_names[SHOWN_ROLES];
    double *scores;                   /* owned: bits, of each segment one for each field */
    double *probabilities;            /* in the same memory: of the roles of segments */
    uint8_t *role_of;                 /* in the same memory: the role of each segment */
    PyObject *owner;                  /* owned: of the names */
} shown_scores_t;

#endif
