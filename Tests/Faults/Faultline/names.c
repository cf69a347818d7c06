// The hooks of what is done by a name: asking, making, renaming, removing, listing, and attributes.
#include "faultline.h"
#include <dlfcn.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <time.h>
#include <utime.h>

// MARK: Asking

static int examine(int folder, const char *path, struct stat *status, int flags, const char *name) {
  char buffer[PATH_MAX];
  const char *full = flags & AT_EMPTY_PATH && !*path ? path_of(folder)
                                                      : absolute(folder, path, buffer);
  enum verdict verdict = judge('R', name, full, 0);
  FAIL_IF(verdict, -1);
  int result = (int)syscall(SYS_newfstatat, folder, path, status, flags);
  if (result == 0) status->st_ino = shown_inode(status->st_dev, status->st_ino);
  END_IF(verdict);
  return result;
}
int stat(const char *path, struct stat *status) {
  return examine(AT_FDCWD, path, status, 0, "stat");
}
int lstat(const char *path, struct stat *status) {
  return examine(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW, "lstat");
}
int fstat(int fd, struct stat *status) { return examine(fd, "", status, AT_EMPTY_PATH, "fstat"); }
int stat64(const char *path, struct stat64 *status) {
  return examine(AT_FDCWD, path, (struct stat *)status, 0, "stat64");
}
int lstat64(const char *path, struct stat64 *status) {
  return examine(AT_FDCWD, path, (struct stat *)status, AT_SYMLINK_NOFOLLOW, "lstat64");
}
int fstat64(int fd, struct stat64 *status) {
  return examine(fd, "", (struct stat *)status, AT_EMPTY_PATH, "fstat64");
}
int fstatat(int folder, const char *path, struct stat *status, int flags) {
  return examine(folder, path, status, flags, "fstatat");
}
int fstatat64(int folder, const char *path, struct stat64 *status, int flags) {
  return examine(folder, path, (struct stat *)status, flags, "fstatat64");
}
int statx(int folder, const char *path, int flags, unsigned mask, struct statx *status) {
  char buffer[PATH_MAX];
  const char *full = flags & AT_EMPTY_PATH && !*path ? path_of(folder)
                                                      : absolute(folder, path, buffer);
  enum verdict verdict = judge('R', "statx", full, 0);
  FAIL_IF(verdict, -1);
  int result = (int)syscall(SYS_statx, folder, path, flags, mask, status);
  if (result == 0) {
    uint64_t device = ((uint64_t)status->stx_dev_major << 8) | status->stx_dev_minor;
    status->stx_ino = shown_inode(device, status->stx_ino);
  }
  END_IF(verdict);
  return result;
}

static int may(int folder, const char *path, int how, int flags, const char *name) {
  char buffer[PATH_MAX];
  enum verdict verdict = judge('R', name, absolute(folder, path, buffer), 0);
  FAIL_IF(verdict, -1);
  int result = (int)syscall(flags ? SYS_faccessat2 : SYS_faccessat, folder, path, how, flags);
  END_IF(verdict);
  return result;
}
int access(const char *path, int how) { return may(AT_FDCWD, path, how, 0, "access"); }
int faccessat(int folder, const char *path, int how, int flags) {
  return may(folder, path, how, flags, "faccessat");
}

static ssize_t target(int folder, const char *path, char *text, size_t size, const char *name) {
  char buffer[PATH_MAX];
  enum verdict verdict = judge('R', name, absolute(folder, path, buffer), 0);
  FAIL_IF(verdict, -1);
  ssize_t result = syscall(SYS_readlinkat, folder, path, text, size);
  END_IF(verdict);
  return result;
}
ssize_t readlink(const char *path, char *text, size_t size) {
  return target(AT_FDCWD, path, text, size, "readlink");
}
ssize_t readlinkat(int folder, const char *path, char *text, size_t size) {
  return target(folder, path, text, size, "readlinkat");
}
REAL(char *, realpath, const char *, char *)
char *realpath(const char *path, char *text) {
  char buffer[PATH_MAX];
  enum verdict verdict = judge('R', "realpath", absolute(AT_FDCWD, path, buffer), 0);
  FAIL_IF(verdict, NULL);
  char *result = get_realpath()(path, text);
  END_IF(verdict);
  return result;
}

REAL(int, statvfs, const char *, struct statvfs *)
int statvfs(const char *path, struct statvfs *status) {
  char buffer[PATH_MAX];
  enum verdict verdict = judge('R', "statvfs", absolute(AT_FDCWD, path, buffer), 0);
  FAIL_IF(verdict, -1);
  int result = get_statvfs()(path, status);
  END_IF(verdict);
  return result;
}
int statvfs64(const char *path, struct statvfs64 *status) {
  return statvfs(path, (struct statvfs *)status);
}
REAL(int, fstatvfs, int, struct statvfs *)
int fstatvfs(int fd, struct statvfs *status) {
  enum verdict verdict = judge('R', "fstatvfs", path_of(fd), 0);
  FAIL_IF(verdict, -1);
  int result = get_fstatvfs()(fd, status);
  END_IF(verdict);
  return result;
}
int fstatvfs64(int fd, struct statvfs64 *status) { return fstatvfs(fd, (struct statvfs *)status); }

// MARK: Folders

REAL(DIR *, opendir, const char *)
DIR *opendir(const char *path) {
  char buffer[PATH_MAX];
  const char *full = absolute(AT_FDCWD, path, buffer);
  enum verdict verdict = judge('O', "opendir", full, 0);
  FAIL_IF(verdict, NULL);
  DIR *folder = get_opendir()(path);
  if (folder) {
    opened(dirfd(folder), full, 0);
    watch_open(dirfd(folder), full, 0, "opendir");
  }
  END_IF(verdict);
  return folder;
}
REAL(DIR *, fdopendir, int)
DIR *fdopendir(int fd) {
  enum verdict verdict = judge('O', "fdopendir", path_of(fd), 0);
  FAIL_IF(verdict, NULL);
  DIR *folder = get_fdopendir()(fd);
  END_IF(verdict);
  return folder;
}
REAL(int, closedir, DIR *)
int closedir(DIR *folder) {
  closed(dirfd(folder));
  return get_closedir()(folder);
}
REAL(struct dirent *, readdir, DIR *)
struct dirent *readdir(DIR *folder) {
  const char *path = path_of(dirfd(folder));
  enum verdict verdict = path ? judge('R', "readdir", path, 0) : PASS;
  FAIL_IF(verdict, NULL);
  struct dirent *entry = get_readdir()(folder);
  END_IF(verdict);
  return entry;
}
struct dirent64 *readdir64(DIR *folder) { return (struct dirent64 *)readdir(folder); }

static int make_folder(int folder, const char *path, mode_t permissions, const char *name) {
  char buffer[PATH_MAX];
  const char *full = absolute(folder, path, buffer);
  enum verdict verdict = judge('W', name, full, 1);
  FAIL_IF(verdict, -1);
  watch_name(folder, path, name);
  int result = (int)syscall(SYS_mkdirat, folder, path, permissions);
  if (result == 0 && is_ours(full)) record(E_MKDIR, -1, full, NULL, 0, NULL, 0, permissions);
  END_IF(verdict);
  return result;
}
int mkdir(const char *path, mode_t permissions) {
  return make_folder(AT_FDCWD, path, permissions, "mkdir");
}
int mkdirat(int folder, const char *path, mode_t permissions) {
  return make_folder(folder, path, permissions, "mkdirat");
}

// MARK: Names

/// A rename or a link, from one name to another.
static int two(int a, const char *from, int b, const char *to, unsigned flags, uint32_t type,
               const char *name) {
  char first[PATH_MAX], second[PATH_MAX], shown[2 * PATH_MAX + 8];
  const char *old = absolute(a, from, first), *new = absolute(b, to, second);
  const char *key = is_ours(old) ? old : new;
  snprintf(shown, sizeof shown, "%s -> %s", old, new);
  enum verdict verdict = judge('W', name, key == old && is_ours(old) ? shown : key, type == E_LINK);
  FAIL_IF(verdict, -1);
  if (type == E_RENAME) watch_name(a, from, name);
  watch_name(b, to, name);
  long result = type == E_LINK ? syscall(SYS_linkat, a, from, b, to, flags)
                : flags        ? syscall(SYS_renameat2, a, from, b, to, flags)
                               : syscall(SYS_renameat, a, from, b, to);
  if (result == 0 && is_ours(key)) {
    // By the path that names the file now.
    int saved = errno;
    struct stat status;
    raw_stat(-1, new, &status);
    errno = saved;
    record(type, -1, old, new, 0, NULL, 0, status.st_ino);
  }
  END_IF(verdict);
  return (int)result;
}
int rename(const char *from, const char *to) {
  return two(AT_FDCWD, from, AT_FDCWD, to, 0, E_RENAME, "rename");
}
int renameat(int a, const char *from, int b, const char *to) {
  return two(a, from, b, to, 0, E_RENAME, "renameat");
}
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
  return two(a, from, b, to, flags, E_RENAME, "renameat2");
}
int link(const char *from, const char *to) {
  return two(AT_FDCWD, from, AT_FDCWD, to, 0, E_LINK, "link");
}
int linkat(int a, const char *from, int b, const char *to, int flags) {
  return two(a, from, b, to, (unsigned)flags, E_LINK, "linkat");
}

static int make_link(const char *text, int folder, const char *path, const char *name) {
  char buffer[PATH_MAX];
  const char *full = absolute(folder, path, buffer);
  enum verdict verdict = judge('W', name, full, 1);
  FAIL_IF(verdict, -1);
  watch_name(folder, path, name);
  int result = (int)syscall(SYS_symlinkat, text, folder, path);
  if (result == 0 && is_ours(full)) record(E_SYMLINK, -1, full, text, 0, NULL, 0, 0);
  END_IF(verdict);
  return result;
}
int symlink(const char *text, const char *path) {
  return make_link(text, AT_FDCWD, path, "symlink");
}
int symlinkat(const char *text, int folder, const char *path) {
  return make_link(text, folder, path, "symlinkat");
}

static int take_away(int folder, const char *path, int flags, const char *name) {
  char buffer[PATH_MAX];
  const char *full = absolute(folder, path, buffer);
  enum verdict verdict = judge('W', name, full, 0);
  FAIL_IF(verdict, -1);
  watch_name(folder, path, name);
  int result = (int)syscall(SYS_unlinkat, folder, path, flags);
  if (result == 0 && is_ours(full))
    record(flags & AT_REMOVEDIR ? E_RMDIR : E_UNLINK, -1, full, NULL, 0, NULL, 0, 0);
  END_IF(verdict);
  return result;
}
int unlink(const char *path) { return take_away(AT_FDCWD, path, 0, "unlink"); }
int rmdir(const char *path) { return take_away(AT_FDCWD, path, AT_REMOVEDIR, "rmdir"); }
int unlinkat(int folder, const char *path, int flags) {
  return take_away(folder, path, flags, "unlinkat");
}
int remove(const char *path) {
  struct stat status;
  raw_stat(-1, path, &status);
  return take_away(AT_FDCWD, path, S_ISDIR(status.st_mode) ? AT_REMOVEDIR : 0, "remove");
}

// MARK: Attributes

/// A change by a path, which may follow links, with its event or 0.
#define BY_PATH(folder, path, name, room, call, event, offset, extra) \
  char buffer[PATH_MAX]; \
  const char *full = absolute(folder, path, buffer); \
  enum verdict verdict = judge('W', name, full, room); \
  FAIL_IF(verdict, -1); \
  watch_target(folder, path, name); \
  int result = (int)(call); \
  if (result == 0 && (event) != 0 && is_ours(full)) \
    record(event, -1, full, NULL, offset, NULL, 0, extra); \
  END_IF(verdict); \
  return result

#define BY_DESCRIPTOR(fd, name, call, event, extra) \
  const char *path = path_of(fd); \
  enum verdict verdict = path ? judge('W', name, path, 0) : PASS; \
  FAIL_IF(verdict, -1); \
  int result = (int)(call); \
  if (result == 0 && (event) != 0 && path) record(event, fd, path, NULL, 0, NULL, 0, extra); \
  END_IF(verdict); \
  return result

int truncate(const char *path, off_t size) {
  BY_PATH(AT_FDCWD, path, "truncate", 1, syscall(SYS_truncate, path, size), E_TRUNCATE, size, 0);
}
int chmod(const char *path, mode_t permissions) {
  BY_PATH(AT_FDCWD, path, "chmod", 0, syscall(SYS_chmod, path, permissions), E_CHMOD, 0,
          permissions);
}
int fchmodat(int folder, const char *path, mode_t permissions, int flags) {
  (void)flags;
  BY_PATH(folder, path, "fchmodat", 0, syscall(SYS_fchmodat, folder, path, permissions), E_CHMOD, 0,
          permissions);
}
int fchmod(int fd, mode_t permissions) {
  BY_DESCRIPTOR(fd, "fchmod", syscall(SYS_fchmod, fd, permissions), E_CHMOD, permissions);
}
int chown(const char *path, uid_t owner, gid_t group) {
  BY_PATH(AT_FDCWD, path, "chown", 0, syscall(SYS_chown, path, owner, group), 0, 0, 0);
}
int lchown(const char *path, uid_t owner, gid_t group) {
  BY_PATH(AT_FDCWD, path, "lchown", 0, syscall(SYS_lchown, path, owner, group), 0, 0, 0);
}
int fchownat(int folder, const char *path, uid_t owner, gid_t group, int flags) {
  BY_PATH(folder, path, "fchownat", 0, syscall(SYS_fchownat, folder, path, owner, group, flags), 0,
          0, 0);
}
int fchown(int fd, uid_t owner, gid_t group) {
  BY_DESCRIPTOR(fd, "fchown", syscall(SYS_fchown, fd, owner, group), 0, 0);
}
int utime(const char *path, const struct utimbuf *times) {
  BY_PATH(AT_FDCWD, path, "utime", 0, syscall(SYS_utime, path, times), E_TIMES, 0, 0);
}
int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  BY_PATH(folder, path, "utimensat", 0, syscall(SYS_utimensat, folder, path, times, flags), E_TIMES,
          0, 0);
}
int futimens(int fd, const struct timespec times[2]) {
  BY_DESCRIPTOR(fd, "futimens", syscall(SYS_utimensat, fd, NULL, times, 0), E_TIMES, 0);
}
int fsetxattr(int fd, const char *key, const void *value, size_t size, int flags) {
  BY_DESCRIPTOR(fd, "fsetxattr", syscall(SYS_fsetxattr, fd, key, value, size, flags), 0, 0);
}
int setxattr(const char *path, const char *key, const void *value, size_t size, int flags) {
  BY_PATH(AT_FDCWD, path, "setxattr", 1, syscall(SYS_setxattr, path, key, value, size, flags), 0, 0,
          0);
}
ssize_t fgetxattr(int fd, const char *key, void *value, size_t size) {
  enum verdict verdict = judge('R', "fgetxattr", path_of(fd), 0);
  FAIL_IF(verdict, -1);
  ssize_t result = syscall(SYS_fgetxattr, fd, key, value, size);
  END_IF(verdict);
  return result;
}
ssize_t flistxattr(int fd, char *list, size_t size) {
  enum verdict verdict = judge('R', "flistxattr", path_of(fd), 0);
  FAIL_IF(verdict, -1);
  ssize_t result = syscall(SYS_flistxattr, fd, list, size);
  END_IF(verdict);
  return result;
}
