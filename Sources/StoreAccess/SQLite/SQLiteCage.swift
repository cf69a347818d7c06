private import CSQLite

/// The limits of every connection.
///
/// A store is untrusted input, and so is the SQL in its schema. No list names harmful operations: an
/// operation on none of these lists does not happen.
enum SQLiteCage {
  /// SQLite's own functions that statements may call: none of them reads or writes a file, loads
  /// code, or takes a pointer.
  static let functions: Set<String> = Set(
    (core + aggregates + windows + times + numbers + json + alteration).map { $0 }
  )

  private static let core = [
    "abs", "changes", "char", "coalesce", "concat", "concat_ws", "format", "glob", "hex", "if",
    "ifnull", "iif", "instr", "last_insert_rowid", "length", "like", "likelihood", "likely",
    "lower", "ltrim", "max", "min", "nullif", "octet_length", "printf", "quote", "random",
    "randomblob", "replace", "round", "rtrim", "sign", "soundex", "sqlite_source_id",
    "sqlite_version", "substr", "substring", "total_changes", "trim", "typeof", "unhex", "unicode",
    "unistr", "unistr_quote", "unlikely", "upper", "zeroblob",
  ]
  private static let aggregates = ["avg", "count", "group_concat", "string_agg", "sum", "total"]
  private static let windows = [
    "row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead",
    "first_value", "last_value", "nth_value",
  ]
  private static let times = [
    "current_date", "current_time", "current_timestamp", "date", "datetime", "julianday",
    "strftime", "time", "timediff", "unixepoch",
  ]
  private static let numbers = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "ceiling", "cos", "cosh",
    "degrees", "exp", "floor", "ln", "log", "log10", "log2", "mod", "pi", "pow", "power", "radians",
    "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
  ]
  private static let json = [
    "->", "->>", "json", "json_array", "json_array_length", "json_error_position", "json_extract",
    "json_group_array", "json_group_object", "json_insert", "json_object", "json_patch",
    "json_pretty", "json_quote", "json_remove", "json_replace", "json_set", "json_type",
    "json_valid", "jsonb", "jsonb_array", "jsonb_extract", "jsonb_group_array",
    "jsonb_group_object", "jsonb_insert", "jsonb_object", "jsonb_patch", "jsonb_remove",
    "jsonb_replace", "jsonb_set",
  ]
  /// The functions of the statements that SQLite makes for ALTER TABLE; no other statement can call them.
  private static let alteration = [
    "sqlite_drop_column", "sqlite_fail", "sqlite_rename_column", "sqlite_rename_parent",
    "sqlite_rename_quotefix", "sqlite_rename_table", "sqlite_rename_test",
  ]

  /// Pragmas that report on the object or the number that they are given.
  private static let questions: Set<String> = [
    "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
    "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
  ]
  /// Pragmas that report without an argument.
  private static let facts: Set<String> = [
    "application_id", "auto_vacuum", "cache_size", "compile_options", "database_list", "encoding",
    "freelist_count", "journal_mode", "locking_mode", "page_count", "page_size", "query_only",
    "schema_version", "synchronous", "user_version",
  ]
  /// The pragmas that constants of our own code may set; see ``SQLitePermission/settings``.
  static let settings: Set<String> = [
    "application_id", "auto_vacuum", "cache_size", "cell_size_check", "encoding", "journal_mode",
    "locking_mode", "mmap_size", "page_size", "query_only", "synchronous", "user_version",
    "wal_autocheckpoint",
  ]

  /// Returns whether a statement may contain a pragma.
  ///
  /// - Parameter sets: Whether the pragma is given a value.
  static func allowsPragma(_ name: String, sets: Bool, _ permission: SQLitePermission) -> Bool {
    if case .creating = permission { return false }
    if case .editingSchema = permission {
      return ["writable_schema", "schema_version"].contains(name)
    }
    if questions.contains(name) || !sets && facts.contains(name) { return true }
    return permission == .settings && settings.contains(name)
  }

  /// Configures a new connection: from here on all it compiles is held against the lists.
  ///
  /// The settings are SQLite's advice for files from elsewhere (sqlite.org/security.html).
  static func close(around callbacks: SQLiteCallbacks) {
    let handle = unsafe callbacks.handle
    func configure(_ option: Int32, _ isOn: Bool) {
      unsafe _ = waystone_sqlite_configure(handle, option, isOn ? 1 : 0)
    }
    configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    // The schema of a file may call harmless functions only, and runs nothing: what its triggers
    // would do is done by name or not at all.
    configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
    configure(SQLITE_DBCONFIG_ENABLE_VIEW, false)
    configure(SQLITE_DBCONFIG_WRITABLE_SCHEMA, false)
    configure(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false)
    configure(SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false)
    // A misspelt quoted name must be an error, not a string.
    configure(SQLITE_DBCONFIG_DQS_DML, false)
    for (limit, value) in limits { unsafe _ = sqlite3_limit(handle, limit, value) }
    unsafe _ = waystone_sqlite_drop_modules(handle)
    // The callbacks live as long as the connection and each of its statements.
    let context = unsafe Unmanaged.passUnretained(callbacks).toOpaque()
    unsafe _ = sqlite3_set_authorizer(
      handle,
      { context, action, first, second, database, _ in
        guard let context = unsafe context else { return SQLITE_DENY }
        let callbacks = unsafe Unmanaged<SQLiteCallbacks>.fromOpaque(context).takeUnretainedValue()
        return unsafe callbacks.allows(action, first, second, database) ? SQLITE_OK : SQLITE_DENY
      },
      context
    )
  }

  /// The limits of a statement (sqlite.org/limits.html).
  ///
  /// A limit above what SQLite was built with is
  /// lowered to that by SQLite.
  private static let limits: [(Int32, Int32)] = [
    // The checkpoint before, the scratch database and the result.
    (SQLITE_LIMIT_ATTACHED, 4),
    // Core Data keeps no greater values, and SQLite's own page format allows few.
    (SQLITE_LIMIT_LENGTH, 1_000_000_000),
    // An entity of 2,000 columns is rebuilt by one statement of some 100 kB.
    (SQLITE_LIMIT_SQL_LENGTH, 16_000_000),
    (SQLITE_LIMIT_COLUMN, 2_000),
    (SQLITE_LIMIT_COMPOUND_SELECT, 500),
    (SQLITE_LIMIT_VDBE_OP, 25_000_000),
    (SQLITE_LIMIT_EXPR_DEPTH, 1_000),
    (SQLITE_LIMIT_FUNCTION_ARG, 127),
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 10),
    (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766),
    (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]
}
