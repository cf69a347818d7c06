// The calls for extended attributes, which Swift's module of the C library leaves out.
#ifndef WAYSTONE_CFILEATTRIBUTES_SHIM_H
#define WAYSTONE_CFILEATTRIBUTES_SHIM_H

#include <sys/xattr.h>

#endif
