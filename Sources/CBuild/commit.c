#include "CBuild.h"

#ifndef CARAVAN_COMMIT
#define CARAVAN_COMMIT ""
#endif

const char *caravan_commit(void) { return CARAVAN_COMMIT; }
