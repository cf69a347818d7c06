#include "CBuild.h"

#define TEXT_OF(token) #token
#define TEXT(macro) TEXT_OF(macro)

const char *waystone_commit(void) {
#ifdef WAYSTONE_COMMIT
  return TEXT(WAYSTONE_COMMIT);
#else
  return "";
#endif
}
