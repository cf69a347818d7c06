// The hooks of what is done with an open file: opening, closing, writing, reading, flushing, locking.
#include "faultline.h"
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

#ifndef FICLONE
#define FICLONE 0x40049409
#endif
#ifndef F_OFD_GETLK
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#define F_OFD_SETLKW 38
#endif

// MARK: Opening and closing

static int raw_open(int folder, const char *path, int flags, mode_t permissions, const char *name) {
  char buffer[PATH_MAX];
  const char *full = absolute(folder, path, buffer);
  int ours = is_ours(full);
  struct stat before;
  int was_there = 1;
  if (ours && (flags & (O_CREAT | O_TRUNC)))
    was_there = syscall(SYS_newfstatat, AT_FDCWD, full, &before, 0) == 0;
  int changes = (flags & O_CREAT && !was_there) || flags & O_TRUNC;
  enum verdict verdict = judge(changes ? 'W' : 'O', name, full, changes);
  FAIL_IF(verdict, -1);
  long fd = syscall(SYS_openat, folder, path, flags, permissions);
  if (fd < 0) return -1;
  opened((int)fd, full, flags);
  if (!(flags & O_PATH))
    watch_open((int)fd, full, (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC), name);
  if (ours && !was_there) record(E_CREATE, (int)fd, full, NULL, 0, NULL, 0, permissions);
  else if (ours && flags & O_TRUNC) record(E_TRUNCATE, (int)fd, full, NULL, 0, NULL, 0, 0);
  END_IF(verdict);
  return (int)fd;
}

#define OPEN_HOOK(name) \
  int name(const char *path, int flags, ...) { \
    mode_t permissions = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
      va_list list; va_start(list, flags); permissions = va_arg(list, mode_t); va_end(list); \
    } \
    return raw_open(AT_FDCWD, path, flags, permissions, #name); \
  }
OPEN_HOOK(open)
OPEN_HOOK(open64)
int __open_2(const char *path, int flags) { return raw_open(AT_FDCWD, path, flags, 0, "open"); }
int __open64_2(const char *path, int flags) { return raw_open(AT_FDCWD, path, flags, 0, "open64"); }

#define OPENAT_HOOK(name) \
  int name(int folder, const char *path, int flags, ...) { \
    mode_t permissions = 0; \
    if (flags & (O_CREAT | O_TMPFILE)) { \
      va_list list; va_start(list, flags); permissions = va_arg(list, mode_t); va_end(list); \
    } \
    return raw_open(folder, path, flags, permissions, #name); \
  }
OPENAT_HOOK(openat)
OPENAT_HOOK(openat64)
int __openat_2(int folder, const char *path, int flags) {
  return raw_open(folder, path, flags, 0, "openat");
}
int __openat64_2(int folder, const char *path, int flags) {
  return raw_open(folder, path, flags, 0, "openat64");
}

int creat(const char *path, mode_t permissions) {
  return raw_open(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, permissions, "creat");
}
int creat64(const char *path, mode_t permissions) { return creat(path, permissions); }

REAL(FILE *, fopen, const char *, const char *)
FILE *fopen(const char *path, const char *how) {
  char buffer[PATH_MAX];
  const char *full = absolute(AT_FDCWD, path, buffer);
  int changes = strpbrk(how, "wa+") != NULL;
  enum verdict verdict = judge(changes ? 'W' : 'O', "fopen", full, 1);
  FAIL_IF(verdict, NULL);
  FILE *file = get_fopen()(path, how);
  if (file) watch_open(fileno(file), full, changes, "fopen");
  END_IF(verdict);
  return file;
}
FILE *fopen64(const char *path, const char *how) { return fopen(path, how); }

int close(int fd) {
  const char *path = path_of(fd);
  enum verdict verdict = path ? judge('C', "close", path, 0) : PASS;
  long result = syscall(SYS_close, fd);
  closed(fd);
  // The descriptor is gone whatever close says (Linux).
  FAIL_IF(verdict, -1);
  END_IF(verdict);
  return (int)result;
}

int dup(int fd) {
  long result = syscall(SYS_dup, fd);
  if (result >= 0 && path_of(fd)) opened((int)result, path_of(fd), appends(fd) ? O_APPEND : 0);
  return (int)result;
}
int dup3(int fd, int other, int flags) {
  long result = syscall(SYS_dup3, fd, other, flags);
  if (result < 0) return -1;
  closed(other);
  if (path_of(fd)) opened(other, path_of(fd), appends(fd) ? O_APPEND : 0);
  return (int)result;
}
int dup2(int fd, int other) { return fd == other ? fd : dup3(fd, other, 0); }

// MARK: Writing

static ssize_t put(int fd, const void *bytes, size_t count, off_t offset, int positioned,
                   const char *name) {
  const char *path = path_of(fd);
  enum verdict verdict = path ? judge('W', name, path, 1) : PASS;
  if (verdict == FAILS) { errno = fault_errno; return -1; }
  if (verdict == SHORTENED || verdict == KILL_TORN) count = count > 1 ? count / 2 : count;
  off_t place = offset;
  if (path && mode == RECORD && !positioned) {
    struct stat status;
    raw_stat(fd, NULL, &status);
    place = appends(fd) ? status.st_size : syscall(SYS_lseek, fd, 0, SEEK_CUR);
  }
  ssize_t done = positioned ? syscall(SYS_pwrite64, fd, bytes, count, offset)
                            : syscall(SYS_write, fd, bytes, count);
  if (done > 0 && path) record(E_WRITE, fd, path, NULL, place, bytes, (uint64_t)done, 0);
  END_IF(verdict);
  return done;
}
ssize_t write(int fd, const void *bytes, size_t count) { return put(fd, bytes, count, 0, 0, "write"); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  return put(fd, bytes, count, offset, 1, "pwrite");
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) {
  return put(fd, bytes, count, offset, 1, "pwrite64");
}

static ssize_t put_parts(int fd, const struct iovec *parts, int number, off_t offset,
                         int positioned, const char *name) {
  ssize_t total = 0;
  for (int i = 0; i < number; i++) {
    ssize_t done = put(fd, parts[i].iov_base, parts[i].iov_len, offset + total, positioned, name);
    if (done < 0) return total > 0 ? total : -1;
    total += done;
    if ((size_t)done < parts[i].iov_len) break;
  }
  return total;
}
ssize_t writev(int fd, const struct iovec *parts, int number) {
  if (!path_of(fd)) return syscall(SYS_writev, fd, parts, number);
  return put_parts(fd, parts, number, 0, 0, "writev");
}
ssize_t pwritev(int fd, const struct iovec *parts, int number, off_t offset) {
  if (!path_of(fd)) return syscall(SYS_pwritev, fd, parts, number, offset, 0);
  return put_parts(fd, parts, number, offset, 1, "pwritev");
}

static int cut(int fd, off_t size, const char *name) {
  const char *path = path_of(fd);
  enum verdict verdict = path ? judge('W', name, path, 1) : PASS;
  FAIL_IF(verdict, -1);
  int result = (int)syscall(SYS_ftruncate, fd, size);
  if (result == 0 && path) record(E_TRUNCATE, fd, path, NULL, size, NULL, 0, 0);
  END_IF(verdict);
  return result;
}
int ftruncate(int fd, off_t size) { return cut(fd, size, "ftruncate"); }
int ftruncate64(int fd, off_t size) { return cut(fd, size, "ftruncate64"); }

static int reserve(int fd, int how, off_t offset, off_t length, const char *name) {
  const char *path = path_of(fd);
  enum verdict verdict = path ? judge('W', name, path, 1) : PASS;
  FAIL_IF(verdict, -1);
  int result = (int)syscall(SYS_fallocate, fd, how, offset, length);
  if (result == 0 && path) {
    struct stat status;
    raw_stat(fd, NULL, &status);
    record(E_TRUNCATE, fd, path, NULL, status.st_size, NULL, 0, 1);
  }
  END_IF(verdict);
  return result;
}
int fallocate(int fd, int how, off_t offset, off_t length) {
  return reserve(fd, how, offset, length, "fallocate");
}
int fallocate64(int fd, int how, off_t offset, off_t length) {
  return reserve(fd, how, offset, length, "fallocate64");
}
int posix_fallocate(int fd, off_t offset, off_t length) {
  return reserve(fd, 0, offset, length, "posix_fallocate") == 0 ? 0 : errno;
}
int posix_fallocate64(int fd, off_t offset, off_t length) {
  return posix_fallocate(fd, offset, length);
}

ssize_t sendfile(int out, int in, off_t *offset, size_t count) {
  const char *path = path_of(out);
  enum verdict verdict = path ? judge('W', "sendfile", path, 1) : PASS;
  FAIL_IF(verdict, -1);
  if (path && mode == RECORD) { errno = EINVAL; return -1; }
  ssize_t done = syscall(SYS_sendfile, out, in, offset, count);
  END_IF(verdict);
  return done;
}
ssize_t sendfile64(int out, int in, off_t *offset, size_t count) {
  return sendfile(out, in, offset, count);
}
ssize_t copy_file_range(int in, off_t *from, int out, off_t *to, size_t count, unsigned flags) {
  const char *path = path_of(out);
  enum verdict verdict = path ? judge('W', "copy_file_range", path, 1) : PASS;
  FAIL_IF(verdict, -1);
  if (path && mode == RECORD) { errno = EXDEV; return -1; }
  ssize_t done = syscall(SYS_copy_file_range, in, from, out, to, count, flags);
  END_IF(verdict);
  return done;
}
int ioctl(int fd, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  const char *path = path_of(fd);
  enum verdict verdict = PASS;
  if (path && request == FICLONE) {
    verdict = judge('W', "ioctl(FICLONE)", path, 1);
    FAIL_IF(verdict, -1);
    if (mode == RECORD) { errno = EOPNOTSUPP; return -1; }
  }
  int result = (int)syscall(SYS_ioctl, fd, request, argument);
  END_IF(verdict);
  return result;
}

// MARK: Reading

static ssize_t get(int fd, void *bytes, size_t count, off_t offset, int positioned,
                   const char *name) {
  const char *path = path_of(fd);
  enum verdict verdict = path ? judge('R', name, path, 0) : PASS;
  if (verdict == FAILS) { errno = fault_errno; return -1; }
  if (verdict == SHORTENED) count = count > 1 ? count / 2 : count;
  ssize_t done = positioned ? syscall(SYS_pread64, fd, bytes, count, offset)
                            : syscall(SYS_read, fd, bytes, count);
  END_IF(verdict);
  return done;
}
ssize_t read(int fd, void *bytes, size_t count) { return get(fd, bytes, count, 0, 0, "read"); }
ssize_t pread(int fd, void *bytes, size_t count, off_t offset) {
  return get(fd, bytes, count, offset, 1, "pread");
}
ssize_t pread64(int fd, void *bytes, size_t count, off_t offset) {
  return get(fd, bytes, count, offset, 1, "pread64");
}
ssize_t readv(int fd, const struct iovec *parts, int number) {
  enum verdict verdict = path_of(fd) ? judge('R', "readv", path_of(fd), 0) : PASS;
  FAIL_IF(verdict, -1);
  ssize_t done = syscall(SYS_readv, fd, parts, number);
  END_IF(verdict);
  return done;
}

static void *map(void *start, size_t length, int protection, int flags, int fd, off_t offset) {
  const char *path = flags & MAP_ANONYMOUS ? NULL : path_of(fd);
  enum verdict verdict = path ? judge('R', "mmap", path, 0) : PASS;
  FAIL_IF(verdict, MAP_FAILED);
  void *result = (void *)syscall(SYS_mmap, start, length, protection, flags, fd, offset);
  if (path && flags & MAP_SHARED && protection & PROT_WRITE)
    record(E_SHARED_MAP, fd, path, NULL, offset, NULL, 0, length);
  END_IF(verdict);
  return result;
}
void *mmap(void *start, size_t length, int protection, int flags, int fd, off_t offset) {
  return map(start, length, protection, flags, fd, offset);
}
void *mmap64(void *start, size_t length, int protection, int flags, int fd, off_t offset) {
  return map(start, length, protection, flags, fd, offset);
}

// MARK: Flushing

static int flush(int fd, int is_data, const char *name) {
  const char *path = path_of(fd);
  enum verdict verdict = path ? judge('S', name, path, 0) : PASS;
  FAIL_IF(verdict, -1);
  int result = no_sync ? 0 : (int)syscall(is_data ? SYS_fdatasync : SYS_fsync, fd);
  if (result == 0 && path) record(is_data ? E_FDATASYNC : E_FSYNC, fd, path, NULL, 0, NULL, 0, 0);
  END_IF(verdict);
  return result;
}
int fsync(int fd) { return flush(fd, 0, "fsync"); }
int fdatasync(int fd) { return flush(fd, 1, "fdatasync"); }
int sync_file_range(int fd, off_t offset, off_t length, unsigned flags) {
  (void)offset; (void)length; (void)flags;
  const char *path = path_of(fd);
  enum verdict verdict = path ? judge('S', "sync_file_range", path, 0) : PASS;
  FAIL_IF(verdict, -1);
  END_IF(verdict);
  return 0;
}

// MARK: Locks

static int control(int fd, int command, long argument) {
  const char *path = path_of(fd);
  int is_lock = command == F_GETLK || command == F_SETLK || command == F_SETLKW
    || command == F_OFD_GETLK || command == F_OFD_SETLK || command == F_OFD_SETLKW;
  enum verdict verdict = path && is_lock ? judge('L', "fcntl", path, 0) : PASS;
  FAIL_IF(verdict, -1);
  long result = syscall(SYS_fcntl, fd, command, argument);
  if (result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC) && path)
    opened((int)result, path, appends(fd) ? O_APPEND : 0);
  END_IF(verdict);
  return (int)result;
}
#define FCNTL_HOOK(name) \
  int name(int fd, int command, ...) { \
    va_list list; va_start(list, command); long argument = va_arg(list, long); va_end(list); \
    return control(fd, command, argument); \
  }
FCNTL_HOOK(fcntl)
FCNTL_HOOK(fcntl64)

int flock(int fd, int operation) {
  const char *path = path_of(fd);
  enum verdict verdict = path ? judge('L', "flock", path, 0) : PASS;
  FAIL_IF(verdict, -1);
  int result = (int)syscall(SYS_flock, fd, operation);
  END_IF(verdict);
  return result;
}
