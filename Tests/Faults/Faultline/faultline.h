// What the parts of faultline share. faultline.c tells what it is for and how it is steered.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum mode { COUNT, FAIL, BEFORE, AFTER, TORN, STOP, RECORD };
enum verdict { PASS, FAILS, SHORTENED, KILL_AFTER, KILL_TORN };

/// The events of a recording; recording.py knows them by these numbers.
enum event {
  E_CREATE = 1, E_WRITE, E_TRUNCATE, E_RENAME, E_UNLINK, E_LINK, E_MKDIR, E_RMDIR, E_FSYNC,
  E_FDATASYNC, E_SYMLINK, E_CHMOD, E_TIMES, E_SHARED_MAP
};

// The hooks alone are seen by the program; these names are not, so that they replace none of its own.
#pragma GCC visibility push(hidden)

extern enum mode mode;
extern int fault_errno, no_sync;

/// The absolute path of one that is relative to a folder's descriptor; a path by way of
/// /proc/self/fd becomes the one that the descriptor was opened by. In the buffer, or the path itself.
const char *absolute(int folder, const char *path, char *buffer);
/// Whether a path is FAULT_ROOT or below it.
int is_ours(const char *path);
/// The path that a descriptor below FAULT_ROOT was opened by, or NULL.
const char *path_of(int fd);
/// Whether a descriptor was opened to append.
int appends(int fd);
/// Remembers a new descriptor.
void opened(int fd, const char *path, int flags);
/// Forgets a closed one.
void closed(int fd);

/// What becomes of a call; `room` is whether it takes space on the disk.
enum verdict judge(char class, const char *name, const char *path, int room);
/// Ends the process by SIGKILL.
void die(void);

/// Writes an event to the recording, where there is one.
void record(uint32_t type, int fd, const char *path, const char *other, int64_t offset,
            const void *data, uint64_t length, uint64_t extra);
/// The state of a file, by a raw call.
void raw_stat(int fd, const char *path, struct stat *status);

/// Writes down a descriptor that was opened outside of FAULT_ALLOWED, for writing or by a path below
/// FAULT_ROOT.
void watch_open(int fd, const char *path, int is_change, const char *name);
/// Writes down the change of a name outside of FAULT_ALLOWED.
void watch_name(int folder, const char *path, const char *name);
/// Writes down the change of what a path leads to, through links, outside of FAULT_ALLOWED.
void watch_target(int folder, const char *path, const char *name);

/// The inode that stat shows for a file (FAULT_INOMAP, FAULT_INOADD).
uint64_t shown_inode(uint64_t device, uint64_t inode);

#pragma GCC visibility pop

#define REAL(result, name, ...) \
  typedef result (*name##_type)(__VA_ARGS__); \
  static name##_type real_##name; \
  static name##_type get_##name(void) { \
    if (!real_##name) real_##name = (name##_type)dlsym(RTLD_NEXT, #name); \
    return real_##name; \
  }

#define FAIL_IF(verdict, result) \
  do { \
    if ((verdict) == FAILS || (verdict) == SHORTENED) { errno = fault_errno; return result; } \
  } while (0)
#define END_IF(verdict) \
  do { if ((verdict) == KILL_AFTER || (verdict) == KILL_TORN) die(); } while (0)
