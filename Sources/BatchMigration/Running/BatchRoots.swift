internal import Files
internal import Waystone

/// The roots of a batch as paths without links; every store of the batch is in one of them.
struct BatchRoots {
  /// The roots as bytes without a slash at the end, since texts that differ in normal form alone are two paths.
  private var paths: Set<[UInt8]> = []
  private var patterns: [PathPattern] = []
  /// Whether stores may be anywhere: a manifest lists them, or the ledger was merged from those of parts,
  /// whose roots it does not have.
  private let isUnbounded: Bool

  /// The roots that a ledger records.
  init(_ roots: [BatchRun.Root]) {
    isUnbounded = roots.isEmpty || roots.contains(where: \.isManifest)
    for root in roots where !isUnbounded {
      if (try? FileSystem.exists(root.text)) != true, let pattern = PathPattern(root.text) {
        patterns.append(pattern)
        insert(pattern.folder)
      } else {
        insert(root.text)
      }
    }
  }

  /// Returns whether a path without links is that of a root, or below one.
  func contain(_ path: String) -> Bool {
    let bytes = Array(path.utf8)
    return isUnbounded || paths.contains(bytes)
      || bytes.indices.contains {
        bytes[$0] == UInt8(ascii: "/") && paths.contains(Array(bytes[..<$0]))
      }
  }

  /// Adds the targets of links that match a pattern.
  mutating func expandPatterns() throws {
    var found: [String] = []
    for pattern in patterns {
      guard let folder = try? Folder(following: pattern.folder) else { continue }
      try pattern.expand(in: folder) {
        found.append($0.isEmpty ? pattern.folder : "\(pattern.folder)/\($0)")
      } orTell: { _, _ in
      }
    }
    for path in found { insert(path) }
  }

  private mutating func insert(_ path: String) {
    // A root that cannot be examined now is known by the path that the user wrote.
    let real = (try? SearchBoundary.canonical(path)) ?? path
    paths.insert(real == "/" ? [] : Array(real.utf8))
  }
}

extension BatchRun {
  /// Throws if a store is in no root of the batch: another program may have written the ledger, and stores
  /// are read and replaced by the places in it.
  ///
  /// A place that cannot be examined is left to the worker, which reports it.
  ///
  /// - Throws: ``WaystoneError``, `badFile`.
  func check(placeOf store: LedgerStore) throws {
    let place = store.found.place
    guard place.isPlain else { throw outside(store) }
    guard (try? FileSystem.exists(place.container)) == true,
      let path = try? SearchBoundary.canonical(place.container)
    else { return }
    if roots?.contain(path) == true { return }
    // Another process may have added a root since.
    var known = BatchRoots(try ledger.roots.map(Root.init(key:)))
    if !known.contain(path) { try known.expandPatterns() }
    roots = known
    guard known.contain(path) else { throw outside(store) }
  }

  private func outside(_ store: LedgerStore) -> WaystoneError {
    ledger.damaged("the place of store \(store.id) leads out of the roots of the batch")
  }
}

extension StorePlace {
  /// The path of the file or folder that has all of the store.
  fileprivate var container: String {
    switch self {
    case .file(let path), .member(let path, _), .backup(let path, _): path
    }
  }

  /// Whether its paths are absolute and without `..`, and those of a backup's files below its folder.
  fileprivate var isPlain: Bool {
    func isPlain(_ path: String) -> Bool {
      path.utf8.first == UInt8(ascii: "/") && BatchLedger.isBelow(String(path.dropFirst()))
    }
    guard case .backup(let folder, let files) = self else { return isPlain(container) }
    return isPlain(folder)
      && files.values.allSatisfy { isPlain($0) && SearchBoundary.lies($0, in: folder) }
  }
}
