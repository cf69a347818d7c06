#include "CBuild.h"

const char *waystone_commit(void) {
#ifdef WAYSTONE_COMMIT
  return WAYSTONE_COMMIT;
#else
  return "";
#endif
}

const char *waystone_documentation(void) {
#ifdef WAYSTONE_DOCUMENTATION
  return WAYSTONE_DOCUMENTATION;
#else
  return "";
#endif
}
