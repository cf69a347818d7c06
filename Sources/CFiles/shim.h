// The calls for extended attributes and for early flushes, which Swift's module of the C library leaves out.
#ifndef WAYSTONE_CFILES_SHIM_H
#define WAYSTONE_CFILES_SHIM_H

#include <stdint.h>
#include <sys/xattr.h>

#if defined(__linux__)

// <fcntl.h> declares it for GNU sources only, which Swift's module is none of.
extern int sync_file_range(int descriptor, int64_t offset, int64_t count, unsigned int flags);

// SYNC_FILE_RANGE_WRITE: begins to write, and waits for nothing.
static inline void waystone_start_flushing(int descriptor, int64_t offset, int64_t count) {
  (void)sync_file_range(descriptor, offset, count, 2);
}

#endif

#endif
