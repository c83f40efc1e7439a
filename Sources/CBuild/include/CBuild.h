#ifndef CARAVAN_BUILD_H
#define CARAVAN_BUILD_H

/// The commit that this program was built from, as `CARAVAN_COMMIT` named it for the build; empty if nothing did.
const char *_Nonnull caravan_commit(void);

#endif
