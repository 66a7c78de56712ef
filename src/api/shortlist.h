/* The lists that attend_convert writes into a model. */
#ifndef ATTEND_API_SHORTLIST_H
#define ATTEND_API_SHORTLIST_H

#include "attend/convert.h"
#include "text/shortlist.h"

struct attend_shortlist {
    struct shortlist *lists;
};

#endif
