// The commit and the compiler of a build, as Swift can read them.
#ifndef WAYSTONE_CBUILD_H
#define WAYSTONE_CBUILD_H

// The commit that Scripts/package states; empty for all other builds.
const char *waystone_commit(void);

// The address of the site that Scripts/docs made of the release; empty for all other builds.
const char *waystone_documentation(void);

#ifdef __swift__
// The version of the Swift compiler that reads this, such as 60301 for 6.3.1.
static inline int waystone_swift_version(void) { return __swift__; }
#endif

#endif
