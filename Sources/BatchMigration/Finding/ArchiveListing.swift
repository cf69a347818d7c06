internal import Files
internal import StoreAccess
internal import StoreMigration

/// The stores of an archive, put together from members that may come in any order.
struct ArchiveListing {
  /// A member that begins as databases do.
  struct Database {
    var path: MemberPath
    var size: Int64
    var modified: Int64?
    var head: [UInt8]
  }

  /// A store with the members that belong to it, by their names beside it.
  struct Store {
    var database: Database
    var files: [String: String]
    /// Bytes of the database and of its `-wal`.
    var bytes: Int64
    /// The members of it that were refused.
    var refused: [String]
  }

  private(set) var databases: [Database] = []
  /// The bytes of files that have the names of SQLite's files beside a store, by path.
  private var companions: [String: Int64] = [:]
  /// The paths of logs that hold something, as long as no store has them.
  private var logs: Set<String> = []
  /// The paths of external files, by the path of the support folder.
  private var externals: [String: [MemberPath]] = [:]
  /// The paths of members that were refused and are in no support folder, as bytes: texts that differ in
  /// normal form alone are two.
  ///
  /// Several members of one name are ambiguous: a program that appends to an archive means the last.
  private var refused: Set<[UInt8]> = []
  /// External files that were refused, by the path of the support folder.
  private var refusedExternals: [String: [MemberPath]] = [:]
  private var workspaces: Set<String> = []
  /// Files that are no databases.
  private(set) var others = 0

  /// The role of a member, read off its path.
  enum Part {
    /// A file in the support folder at a path.
    case support(folder: String, isExternal: Bool)
    /// Kept by SQLite beside a database.
    case companion
    case other
  }

  static func part(_ path: MemberPath) -> Part {
    let folders = path.components.dropLast()
    if let index = folders.firstIndex(where: { StoreFiles.isSupportFolder($0) }) {
      let folder = path.components[...index].joined(separator: "/")
      let rest = path.components[(index + 1)...]
      return .support(
        folder: folder,
        isExternal: rest.count == 2 && rest.first == ExternalFolder.name
      )
    }
    return StoreFiles.companionSuffixes.contains { path.name.hasSuffix($0) } ? .companion : .other
  }

  /// Takes note of a member that is not taken.
  mutating func refuse(_ path: MemberPath) {
    switch Self.part(path) {
    case .support(let folder, isExternal: true): refusedExternals[folder, default: []].append(path)
    case .companion, .other: refused.insert(Array(path.text.utf8))
    case .support: break
    }
  }

  /// Takes note of a folder or a file, for which of the folders are workspaces of migrations.
  mutating func meet(_ path: MemberPath) {
    for (index, name) in path.components.enumerated().dropFirst()
    where Workspace.marks.contains(name) {
      let folder = path.components[index - 1]
      if folder.utf8.count > Workspace.suffix.utf8.count, folder.hasSuffix(Workspace.suffix) {
        workspaces.insert(path.components[..<index].joined(separator: "/"))
      }
    }
  }

  mutating func add(_ database: Database) { databases.append(database) }

  /// Adds a file that is no database.
  ///
  /// - Parameter head: Its first bytes, where they were read.
  mutating func add(other path: MemberPath, size: Int64, _ head: [UInt8]) {
    others += 1
    if StoreSearch.oddity(ofStrayLog: path.name, head, size: size) != nil { logs.insert(path.text) }
    switch Self.part(path) {
    case .support(let folder, isExternal: true): externals[folder, default: []].append(path)
    case .companion: companions[path.text] = size
    case .support, .other: break
    }
  }

  /// The paths of logs that belong to no store of the archive; valid after ``stores()``.
  var strayLogs: [String] {
    logs.filter { log in !workspaces.contains { log.hasPrefix($0 + "/") } }.sorted()
  }

  /// Returns the stores, in the order of the archive; without databases in the workspaces of migrations.
  mutating func stores() -> [Store] {
    var stores: [Store] = []
    for database in databases {
      let folders = database.path.components.dropLast()
      let isOfRun = folders.indices.contains {
        workspaces.contains(folders[...$0].joined(separator: "/"))
      }
      if isOfRun { others += 1 } else { stores.append(store(of: database)) }
    }
    return stores
  }

  private mutating func store(of database: Database) -> Store {
    let (folder, name) = (database.path.folder, database.path.name)
    var store = Store(
      database: database,
      files: [name: database.path.text],
      bytes: database.size,
      refused: refused.contains(Array(database.path.text.utf8)) ? [database.path.text] : []
    )
    for suffix in StoreFiles.companionSuffixes {
      let path = folder + name + suffix
      if let size = companions[path] {
        others -= 1
        logs.remove(path)
        // SQLite makes the index of a log by itself.
        if suffix == "-shm" { continue }
        store.files[name + suffix] = path
        if suffix == "-wal" { store.bytes += size }
      }
      if suffix != "-shm", refused.contains(Array(path.utf8)) { store.refused.append(path) }
    }
    let support = StoreFiles.supportName(of: name)
    let beside = "\(support)/\(ExternalFolder.name)/"
    for path in externals[folder + support] ?? [] {
      others -= 1
      store.files[beside + path.name] = path.text
    }
    store.refused += (refusedExternals[folder + support] ?? []).map(\.text)
    return store
  }
}
