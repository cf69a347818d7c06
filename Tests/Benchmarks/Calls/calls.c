// Counts what a process asks of the system and of SQLite. Loaded with LD_PRELOAD on Linux; the
// counters lie in the file that the environment's WAYSTONE_CALLS names, which is there already and
// has room for them, so that also a process that ends without its exit handlers is counted.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

// The order of the file's 64-bit numbers; CallCount.swift reads them in the same.
enum call { STATEMENTS, READS, READ_BYTES, SYNCS, ALLOCATIONS, CALL_COUNT };

// What happens before the file is mapped, as other libraries start, counts nowhere.
static atomic_llong unseen[CALL_COUNT];
static atomic_llong *counters = unseen;

static void count(enum call call, long long amount) {
  atomic_fetch_add_explicit(&counters[call], amount, memory_order_relaxed);
}

__attribute__((constructor)) static void map_counters(void) {
  const char *path = getenv("WAYSTONE_CALLS");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *page = mmap(NULL, sizeof unseen, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) counters = page;
}

#define NEXT(name) \
  static __typeof__(&name) next; \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t pread(int file, void *buffer, size_t size, off_t offset) {
  NEXT(pread);
  count(READS, 1);
  ssize_t result = next(file, buffer, size, offset);
  if (result > 0) count(READ_BYTES, result);
  return result;
}

ssize_t pread64(int file, void *buffer, size_t size, off64_t offset) {
  NEXT(pread64);
  count(READS, 1);
  ssize_t result = next(file, buffer, size, offset);
  if (result > 0) count(READ_BYTES, result);
  return result;
}

int fsync(int file) {
  NEXT(fsync);
  count(SYNCS, 1);
  return next(file);
}

int fdatasync(int file) {
  NEXT(fdatasync);
  count(SYNCS, 1);
  return next(file);
}

// SQLite's own types do not matter here: pointers go through as they are.
int sqlite3_prepare_v2(void *, const char *, int, void **, const char **);
int sqlite3_prepare_v3(void *, const char *, int, unsigned, void **, const char **);

int sqlite3_prepare_v2(
    void *database, const char *sql, int size, void **statement, const char **tail) {
  NEXT(sqlite3_prepare_v2);
  count(STATEMENTS, 1);
  return next(database, sql, size, statement, tail);
}

int sqlite3_prepare_v3(
    void *database, const char *sql, int size, unsigned flags, void **statement,
    const char **tail) {
  NEXT(sqlite3_prepare_v3);
  count(STATEMENTS, 1);
  return next(database, sql, size, flags, statement, tail);
}

// glibc's own names: dlsym allocates, and must not end here again.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *malloc(size_t size) {
  count(ALLOCATIONS, 1);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(ALLOCATIONS, 1);
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count(ALLOCATIONS, 1);
  return __libc_realloc(memory, size);
}
