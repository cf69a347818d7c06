// Limits of a store's schema, from any author: checked when the store is opened, before any use of its
// text.
extension SchemaObject {
  /// Whether it is a virtual table, whose content is not in its rows.
  package var isVirtual: Bool {
    kind == .table
      && (sql?.prefix(40).uppercased().split(whereSeparator: \.isWhitespace) ?? [])
        .prefix(2) == ["CREATE", "VIRTUAL"]
  }

  /// Throws if a name of Core Data's belongs to anything but a table of rows.
  ///
  /// A view or virtual table could return anything, for any length of time, and a trigger
  /// would act on what a migration writes; Core Data makes neither there.
  ///
  /// - Parameter entityNames: The entities that `Z_PRIMARYKEY` names, once that is known.
  /// - Throws: ``StoreAccessError`` with `damaged`, which names the object.
  static func checkSystemNames(
    _ objects: [SchemaObject],
    entityNames: [String] = [],
    path: String
  ) throws(StoreAccessError) {
    let system = Set(SystemTable.allNames + SystemTable.historyNames)
    let entities = Set(entityNames.map { "Z" + $0.uppercased() })
    for object in objects {
      let name = object.name.uppercased()
      let isJoinTable = name.hasPrefix("Z_") && name.dropFirst(2).first?.isNumber == true
      let isOfCoreData = system.contains(name) || entities.contains(name) || isJoinTable
      let what: String
      switch object.kind {
      case .view where isOfCoreData: what = "the view \(object.name) in the place of a table"
      case .table where isOfCoreData && object.isVirtual:
        what = "the virtual table \(object.name) in the place of a table"
      case .trigger where system.contains(object.tableName.uppercased()):
        what = "the trigger \(object.name) on \(object.tableName)"
      default: continue
      }
      throw StoreAccessError(
        code: .damaged,
        message: "\(path) has \(what), which Core Data does not make",
        recovery: "Take the store from a backup that the app itself made."
      )
    }
  }

  /// Throws if an object that a migration carries along would be made by more, or by something else, than
  /// the one statement that makes it.
  ///
  /// Everything is tried in a database in memory. A statement that fails for another reason, as for a
  /// function of the app's own, is left to the migration.
  ///
  /// - Throws: ``StoreAccessError`` with `damaged`, which names the object.
  /// - Complexity: One statement for each object that is not of Core Data's own tables.
  static func checkStatements(
    _ objects: [SchemaObject],
    path: String
  ) throws(StoreAccessError) {
    let carried = carriedAlong(objects)
    guard !carried.isEmpty else { return }
    do throws(SQLiteError) {
      if let (object, _) = try firstUnmakeable(carried, where: { $0.code == .denied }) {
        throw SQLiteError(
          code: .denied,
          message: "What makes the \(object.kind.rawValue) \(object.name) of \(path) is not one "
            + "statement that makes it and nothing else",
          recovery: "Take the store from a backup that the app itself made."
        )
      }
    } catch {
      throw StoreAccessError(error)
    }
  }

  /// Returns the first object that cannot be made in a new database after those before it, and the
  /// error.
  ///
  /// - Parameter counts: Returns whether an error counts.
  package static func firstUnmakeable(
    _ objects: [SchemaObject],
    where counts: (SQLiteError) -> Bool = { _ in true }
  ) throws(SQLiteError) -> (SchemaObject, SQLiteError)? {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    for object in objects {
      do throws(SQLiteError) { try connection.create(object) } catch {
        if counts(error) { return (object, error) }
      }
    }
    return nil
  }

  /// Returns the objects that are neither tables of the model or Core Data's own three, nor of these.
  private static func carriedAlong(_ objects: [SchemaObject]) -> [SchemaObject] {
    let own = Set(
      objects.filter { $0.isOfEntities || SystemTable(rawValue: $0.name) != nil }.map(\.name)
    )
    return objects.filter { object in
      object.sql != nil && !own.contains(object.tableName) && !object.isVirtual
        && !object.name.lowercased().hasPrefix("sqlite_")
    }
  }
}
