// faultline: lets the N-th file operation of a process fail, be cut short, kill the process, or be
// written down, so that a program's promises about its files can be tried.
//
// Build:  cc -O2 -fPIC -shared -o faultline.so *.c -ldl -lpthread
// Use:    LD_PRELOAD=./faultline.so FAULT_ROOT=/folder FAULT_MODE=... program ...
//
// Only calls on paths below FAULT_ROOT (or on descriptors opened by such a path) count. They have a
// class, one letter each:
//   W  changes something: open that creates or truncates, write, pwrite, writev, ftruncate, fallocate,
//      rename, unlink, link, symlink, mkdir, rmdir, chmod, chown, utime, sendfile, copy_file_range,
//      ioctl(FICLONE), setxattr
//   S  fsync, fdatasync, sync_file_range      O  open of what is there, opendir
//   R  read, pread, readv, readdir, stat, lstat, fstat, access, realpath, readlink, statvfs, mmap,
//      getxattr, listxattr
//   L  fcntl with a lock command, flock       C  close
//
//   FAULT_MODE     count   let all pass (the default)
//                  fail    call number FAULT_AT fails with FAULT_ERROR
//                  before  SIGKILL before call number FAULT_AT is made
//                  after   SIGKILL after it
//                  torn    half of the bytes of the write, then SIGKILL
//                  stop    SIGSTOP before it, so that others can do something meanwhile
//                  record  write down all that changes the disk to FAULT_RECORD, data included
//   FAULT_CLASSES  which classes count (default "WSORLC")
//   FAULT_AT       the number of the call, from 1
//   FAULT_ERROR    EIO ENOSPC EDQUOT EINTR EMFILE ENOLCK EAGAIN ENOMEM, or SHORT: half of the bytes
//   FAULT_STICKY   1: all later calls that need room on the disk fail in the same way (a full disk);
//                  2: all later calls fail in the same way (a disk that died)
//   FAULT_TRACE    a file that gets one line for each call that counts: number, class, name, path
//   FAULT_NOSYNC   1: fsync and fdatasync are not passed on (they cost time and show nothing here)
//   FAULT_INOMAP   a file of lines "real shown": stat shows inodes by another number, so that a folder
//                  which was rebuilt after a simulated power loss looks like the one before it
//   FAULT_INOADD   a number that is added to the inodes of FAULT_ROOT's file system
//   FAULT_GUARD    a file that gets one line for each change outside of the folders of FAULT_ALLOWED
//                  (separated by colons), and for each file outside of them that is opened by a path
//                  below FAULT_ROOT, which a link can lead to
//
// The hooks do their own work by raw system calls. Memory that is mapped and shared is not seen to
// change; SQLite maps the -shm only, which a crash may empty anyhow.
#include "faultline.h"
#include <pthread.h>
#include <signal.h>

#define MAX_FD 4096

enum mode mode = COUNT;
int fault_errno = EIO, no_sync;
static long at, counter;
static int is_short, sticky, triggered;
static char root[PATH_MAX];
static size_t root_length;
static char classes[16] = "WSORLC";
static int trace_fd = -1, record_fd = -1, guard_fd = -1;
static char *fd_path[MAX_FD];
static char fd_append[MAX_FD];
static char *allowed[32];
static int allowed_count;
static uint64_t *map_real, *map_shown;
static int map_count;
static uint64_t inode_add;
static dev_t root_device;
static uint64_t sequence;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void raw_write(int fd, const void *bytes, size_t count) {
  const char *p = bytes;
  while (count > 0) {
    long done = syscall(SYS_write, fd, p, count);
    if (done <= 0) return;
    p += done;
    count -= (size_t)done;
  }
}

static int number_of(const char *name) {
  static const struct { const char *name; int number; } known[] = {
    {"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT}, {"EINTR", EINTR}, {"EMFILE", EMFILE},
    {"ENOLCK", ENOLCK}, {"EAGAIN", EAGAIN}, {"ENOMEM", ENOMEM}, {"EROFS", EROFS},
    {"EACCES", EACCES}, {"ENOENT", ENOENT}, {"EPERM", EPERM}, {"EOPNOTSUPP", EOPNOTSUPP},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].name, name) == 0) return known[i].number;
  return EIO;
}

static int high_fd(const char *path, int flags) {
  long fd = syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
  if (fd < 0) return -1;
  long high = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 900);
  // Where descriptors are limited, the low one has to do.
  if (high < 0) return (int)fd;
  syscall(SYS_close, fd);
  return (int)high;
}

static void read_map(const char *path) {
  int fd = high_fd(path, O_RDONLY);
  if (fd < 0) return;
  static char text[1 << 16];
  long length = syscall(SYS_read, fd, text, sizeof text - 1);
  syscall(SYS_close, fd);
  if (length <= 0) return;
  text[length] = 0;
  map_real = calloc(4096, sizeof *map_real);
  map_shown = calloc(4096, sizeof *map_shown);
  char *save = NULL;
  for (char *line = strtok_r(text, "\n", &save); line && map_count < 4096;
       line = strtok_r(NULL, "\n", &save)) {
    unsigned long long a, b;
    if (sscanf(line, "%llu %llu", &a, &b) == 2) {
      map_real[map_count] = a;
      map_shown[map_count++] = b;
    }
  }
}

static void start_guard(void) {
  const char *value = getenv("FAULT_GUARD"), *folders = getenv("FAULT_ALLOWED");
  if (!value || !folders) return;
  guard_fd = high_fd(value, O_WRONLY | O_CREAT | O_APPEND);
  char *text = strdup(folders), *save = NULL;
  for (char *each = strtok_r(text, ":", &save); each && allowed_count < 32;
       each = strtok_r(NULL, ":", &save))
    allowed[allowed_count++] = each;
}

__attribute__((constructor)) static void start(void) {
  if (ready) return;
  ready = 1;
  const char *value = getenv("FAULT_NOSYNC");
  if (value) no_sync = atoi(value);
  start_guard();
  value = getenv("FAULT_ROOT");
  if (!value || !*value) return;
  strncpy(root, value, sizeof root - 1);
  root_length = strlen(root);
  struct stat status;
  if (syscall(SYS_newfstatat, AT_FDCWD, root, &status, 0) == 0) root_device = status.st_dev;
  if ((value = getenv("FAULT_MODE"))) {
    mode = !strcmp(value, "fail") ? FAIL : !strcmp(value, "before") ? BEFORE
      : !strcmp(value, "after") ? AFTER : !strcmp(value, "torn") ? TORN
      : !strcmp(value, "stop") ? STOP : !strcmp(value, "record") ? RECORD : COUNT;
  }
  if ((value = getenv("FAULT_AT"))) at = atol(value);
  if ((value = getenv("FAULT_CLASSES"))) strncpy(classes, value, sizeof classes - 1);
  if ((value = getenv("FAULT_ERROR"))) {
    is_short = !strcmp(value, "SHORT");
    fault_errno = number_of(value);
  }
  if ((value = getenv("FAULT_STICKY"))) sticky = atoi(value);
  if ((value = getenv("FAULT_TRACE"))) trace_fd = high_fd(value, O_WRONLY | O_CREAT | O_TRUNC);
  if ((value = getenv("FAULT_RECORD"))) record_fd = high_fd(value, O_WRONLY | O_CREAT | O_TRUNC);
  if ((value = getenv("FAULT_INOMAP"))) read_map(value);
  if ((value = getenv("FAULT_INOADD"))) inode_add = strtoull(value, NULL, 10);
}

// MARK: Paths

static int is_below(const char *path, const char *folder, size_t length) {
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

int is_ours(const char *path) {
  return root_length && path && is_below(path, root, root_length);
}

const char *path_of(int fd) { return fd >= 0 && fd < MAX_FD ? fd_path[fd] : NULL; }

int appends(int fd) { return fd >= 0 && fd < MAX_FD && fd_append[fd]; }

void closed(int fd) {
  if (fd < 0 || fd >= MAX_FD) return;
  free(fd_path[fd]);
  fd_path[fd] = NULL;
}

void opened(int fd, const char *path, int flags) {
  if (fd < 0 || fd >= MAX_FD) return;
  char *copy = is_ours(path) ? strdup(path) : NULL;
  free(fd_path[fd]);
  fd_path[fd] = copy;
  fd_append[fd] = (flags & O_APPEND) != 0;
}

/// The number in "/proc/self/fd/N" or "/dev/fd/N", and what follows it; -1 where a path is not that.
static int descriptor_in(const char *path, const char **rest) {
  static const char *const prefixes[] = {"/proc/self/fd/", "/dev/fd/"};
  for (int i = 0; i < 2; i++) {
    size_t length = strlen(prefixes[i]);
    if (strncmp(path, prefixes[i], length) != 0) continue;
    char *end;
    long fd = strtol(path + length, &end, 10);
    if (end == path + length || (*end && *end != '/')) return -1;
    *rest = end;
    return (int)fd;
  }
  return -1;
}

const char *absolute(int folder, const char *path, char *buffer) {
  if (!path || !root_length) return path;
  if (*path == '/') {
    const char *rest;
    int fd = descriptor_in(path, &rest);
    if (fd < 0 || !path_of(fd)) return path;
    snprintf(buffer, PATH_MAX, "%s%s", path_of(fd), rest);
    return buffer;
  }
  char here[PATH_MAX];
  const char *base = NULL;
  if (folder == AT_FDCWD) {
    if (syscall(SYS_getcwd, here, sizeof here) > 0) base = here;
  } else {
    base = path_of(folder);
  }
  if (!base) return path;
  if (strcmp(path, ".") == 0 || !*path) snprintf(buffer, PATH_MAX, "%s", base);
  else if (snprintf(buffer, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) return path;
  return buffer;
}

// MARK: Verdicts

void die(void) {
  syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
  for (;;) syscall(SYS_pause);
}

enum verdict judge(char class, const char *name, const char *path, int room) {
  if (!is_ours(path) || !strchr(classes, class)) return PASS;
  int saved = errno;
  pthread_mutex_lock(&mutex);
  long number = ++counter;
  if (trace_fd >= 0) {
    char line[2 * PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%ld %c %s %s\n", number, class, name, path);
    raw_write(trace_fd, line, (size_t)length);
  }
  enum verdict verdict = PASS;
  int is_now = number == at;
  switch (mode) {
  case FAIL:
    if (is_now) triggered = 1;
    if (is_now || (triggered && (sticky == 2 || (sticky == 1 && room))))
      verdict = is_short ? SHORTENED : FAILS;
    break;
  case BEFORE: if (is_now) die(); break;
  case AFTER: if (is_now) verdict = KILL_AFTER; break;
  case TORN: if (is_now) verdict = KILL_TORN; break;
  case STOP: if (is_now) syscall(SYS_kill, syscall(SYS_getpid), SIGSTOP); break;
  default: break;
  }
  pthread_mutex_unlock(&mutex);
  errno = saved;
  return verdict;
}

// MARK: Recording

struct entry {
  uint32_t magic, type;
  uint64_t sequence, inode, extra;
  int64_t offset, modified;
  uint32_t first, second;
  uint64_t length;
};

void raw_stat(int fd, const char *path, struct stat *status) {
  memset(status, 0, sizeof *status);
  if (fd >= 0) syscall(SYS_newfstatat, fd, "", status, AT_EMPTY_PATH);
  else syscall(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

void record(uint32_t type, int fd, const char *path, const char *other, int64_t offset,
            const void *data, uint64_t length, uint64_t extra) {
  if (mode != RECORD || record_fd < 0) return;
  int saved = errno;
  struct stat status;
  raw_stat(fd, path, &status);
  pthread_mutex_lock(&mutex);
  struct entry entry = {
    .magic = 0x464c5431, .type = type, .sequence = ++sequence,
    .inode = status.st_ino, .extra = extra, .offset = offset,
    .modified = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec,
    .first = path ? (uint32_t)strlen(path) : 0, .second = other ? (uint32_t)strlen(other) : 0,
    .length = data ? length : 0,
  };
  raw_write(record_fd, &entry, sizeof entry);
  if (path) raw_write(record_fd, path, entry.first);
  if (other) raw_write(record_fd, other, entry.second);
  if (data) raw_write(record_fd, data, length);
  pthread_mutex_unlock(&mutex);
  errno = saved;
}

uint64_t shown_inode(uint64_t device, uint64_t inode) {
  if (device != root_device) return inode;
  for (int i = 0; i < map_count; i++)
    if (map_real[i] == inode) return map_shown[i];
  return inode + inode_add;
}

// MARK: Guarding

static int is_allowed(const char *path) {
  if (*path != '/') return 1;  // a pipe, a socket, memory
  for (int i = 0; i < allowed_count; i++)
    if (is_below(path, allowed[i], strlen(allowed[i]))) return 1;
  return 0;
}

static void tell(char class, const char *name, const char *path) {
  if (is_allowed(path)) return;
  char line[PATH_MAX + 64];
  int length = snprintf(line, sizeof line, "%c %s %s\n", class, name, path);
  raw_write(guard_fd, line, (size_t)length);
}

/// The path by which the system knows a descriptor.
static int real_path(int fd, char *buffer) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, buffer, PATH_MAX - 1);
  if (length < 0) return 0;
  buffer[length] = 0;
  return 1;
}

void watch_open(int fd, const char *path, int is_change, const char *name) {
  if (guard_fd < 0 || fd < 0 || (!is_change && !is_ours(path))) return;
  int saved = errno;
  char real[PATH_MAX];
  if (real_path(fd, real)) tell(is_change ? 'W' : 'R', name, real);
  errno = saved;
}

void watch_target(int folder, const char *path, const char *name) {
  if (guard_fd < 0 || !path) return;
  int saved = errno;
  long fd = syscall(SYS_openat, folder, path, O_PATH | O_CLOEXEC);
  char real[PATH_MAX];
  if (fd >= 0 && real_path((int)fd, real)) tell('W', name, real);
  if (fd >= 0) syscall(SYS_close, fd);
  errno = saved;
}

void watch_name(int folder, const char *path, const char *name) {
  if (guard_fd < 0 || !path) return;
  int saved = errno;
  char parent[PATH_MAX], real[PATH_MAX];
  snprintf(parent, sizeof parent, "%s", path);
  char *slash = strrchr(parent, '/');
  const char *last = slash ? path + (slash - parent) + 1 : path;
  if (slash == parent) slash[1] = 0;
  else if (slash) *slash = 0;
  else snprintf(parent, sizeof parent, ".");
  long fd = syscall(SYS_openat, folder, parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0 && real_path((int)fd, real)) {
    size_t length = strlen(real);
    snprintf(real + length, sizeof real - length, "/%s", last);
    tell('W', name, real);
  }
  if (fd >= 0) syscall(SYS_close, fd);
  errno = saved;
}
