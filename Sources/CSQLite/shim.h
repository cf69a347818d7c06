// SQLite, as Swift can import it.
#ifndef WAYSTONE_CSQLITE_SHIM_H
#define WAYSTONE_CSQLITE_SHIM_H

#include <sqlite3.h>

// SQLITE_TRANSIENT and SQLITE_STATIC are casts of integers to function pointers, which Swift does
// not import.
static inline sqlite3_destructor_type waystone_sqlite_transient(void) { return SQLITE_TRANSIENT; }
static inline sqlite3_destructor_type waystone_sqlite_static(void) { return SQLITE_STATIC; }

// sqlite3_config is variadic, which Swift does not import. Memory statistics take a global mutex at
// every allocation; switching them off saves an eighth of an index build.
static inline int waystone_sqlite_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// sqlite3_db_config is variadic too. This is its form for the options that are switches.
static inline int waystone_sqlite_configure(sqlite3 *connection, int option, int on) {
  return sqlite3_db_config(connection, option, on, (int *)0);
}

// The name of the database of an index among those that a connection has, or null: a function of
// SQLite 3.39, without which messages name the first database only.
static inline const char *waystone_sqlite_database_name(sqlite3 *connection, int index) {
#if SQLITE_VERSION_NUMBER >= 3039000
  return sqlite3_db_name(connection, index);
#else
  return index == 0 ? "main" : 0;
#endif
}

// The list of names is an array of C strings, which is easier to write in C. R-trees and full-text
// tables of a file then have no code that reads what a stranger put into them.
static inline int waystone_sqlite_drop_modules(sqlite3 *connection) {
  const char *kept[] = {"dbstat", "json_each", "json_tree", (const char *)0};
  return sqlite3_drop_modules(connection, kept);
}

#endif
