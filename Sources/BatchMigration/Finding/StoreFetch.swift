internal import Files
private import Foundation
internal import StoreAccess
package import Waystone

/// A copy of stores from an archive or a backup into a private folder, where they can be migrated.
///
/// Each gets a folder of its own with its file under its real name, its `-wal` and its external files. All
/// is made anew, for this user alone, and nothing is written outside.
package struct StoreFetch: Sendable {
  /// The result of fetching one store.
  package struct Outcome: Sendable {
    package var store: FoundStore
    /// The path of its file, or why it is not there.
    package var result: Result<String, WaystoneError>
  }

  private let limits: ArchiveLimits
  private let searchPath: String

  /// A fetch with the limits and the programs of a search.
  package init(_ options: StoreSearch.Options) {
    limits = options.limits
    searchPath = options.searchPath
  }

  /// Fetches stores of one archive, in one pass over it, or stores of backups.
  ///
  /// A store that lacks a file, is too long, or changed since it was found, is not fetched, and its files are
  /// removed.
  ///
  /// - Parameters:
  ///   - stores: The stores to fetch; none is a `file`, and all `member`s are of one archive.
  ///   - folder: The folder that gets their folders; it must exist.
  ///   - name: The name of a store's folder, which must not be there.
  /// - Returns: The outcome of each store, in order.
  /// - Throws: ``WaystoneError`` where nothing can be fetched: the archive is refused or gone.
  package func fetch(
    _ stores: [FoundStore],
    into folder: String,
    name: (FoundStore) -> String
  ) throws(WaystoneError) -> [Outcome] {
    let parent: Folder
    do throws(FileError) { parent = try Folder(following: folder) } catch {
      throw WaystoneError(error)
    }
    var pending: [FetchedStore] = []
    for store in stores { pending.append(FetchedStore(store, named: name(store), in: parent)) }
    let archives = Set(stores.compactMap(\.place.archive))
    precondition(archives.count <= 1, "stores of several archives")
    do {
      if let archive = archives.first { try read(archive, &pending) }
    } catch {
      for index in pending.indices { pending[index].discard() }
      guard let refusal = error as? ArchiveReader.Refusal else { throw WaystoneError(error) }
      throw WaystoneError(
        .badFile,
        "The archive \(archives.first ?? "") is refused. \(refusal.reason)",
        recovery: "Make the archive anew, or unpack it and name the folder."
      )
    }
    var outcomes: [Outcome] = []
    for index in pending.indices {
      if case .backup(_, let files) = pending[index].store.place { pending[index].copy(files) }
      outcomes.append(Outcome(store: pending[index].store, result: pending[index].finish()))
    }
    return outcomes
  }

  /// Writes what the stores need of an archive.
  private func read(_ archive: String, _ pending: inout [FetchedStore]) throws {
    /// The files to fetch, by path in the archive, as bytes: texts that differ in normal form alone are two.
    var wanted: [[UInt8]: (store: Int, name: String)] = [:]
    for (index, item) in pending.enumerated() {
      guard case .member(_, let files) = item.store.place else { continue }
      for (name, path) in files { wanted[Array(path.utf8)] = (index, name) }
    }
    let program = try ArchiveReader.program(searchPath: searchPath)
    let reader = try ArchiveReader(archive, program: program, limits: limits)
    while let member = try reader.next() {
      guard member.kind == .file, let path = try? MemberPath(member.name),
        // The first of a name, as in the search.
        let (index, name) = wanted.removeValue(forKey: Array(path.text.utf8))
      else { continue }
      try pending[index].write(name, size: member.size) { try reader.read(atMost: 256 << 10) }
    }
  }
}

extension StorePlace {
  /// The archive of a member.
  fileprivate var archive: String? {
    if case .member(let archive, _) = self { archive } else { nil }
  }
}
