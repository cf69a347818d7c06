internal import Files
internal import StoreAccess
internal import Waystone

extension BatchRun {
  /// The result of a copy of the stores that were not brought to the version.
  package struct Exported: Hashable, Sendable {
    /// A store that was copied, or why it could not be.
    package struct Store: Hashable, Encodable, Sendable {
      package var name: String
      package var state: StoreState
      package var code: String?
      package var message: String?
      /// The path of the copy from the folder of all; nil where there is none.
      package var path: String?
      /// The reason why there is no copy.
      package var failure: String?

      enum CodingKeys: String, CodingKey {
        case state, code, message, path, failure
        case name = "store"
      }
    }

    /// The stores, as they were found.
    package var stores: [Store] = []
  }

  /// Copies the stores that were not brought to the version, each with all its files, for an examination of
  /// the cause.
  ///
  /// - Parameter tree: The absolute path of a folder, which is made and must not be there.
  /// - Throws: ``WaystoneError``, `cannotCreate` where something is there; `badFile` where a store is in no root of the
  ///   batch.
  package func exportFailures(to tree: String) throws -> Exported {
    guard try !FileSystem.exists(tree) else {
      throw WaystoneError(
        .cannotCreate,
        "\(tree) exists already.",
        recovery: "Name a folder that is not there yet."
      )
    }
    var found: [LedgerStore] = []
    try ledger.stores(where: LedgerSelection(states: StoreState.unsuccessful)) { found.append($0) }
    for store in found { try check(placeOf: store) }
    try FileSystem.ensureFolders(tree)
    let search = StoreSearch.Options(
      output: nil,
      ledger: nil,
      folder: WorkingFolder(settings.folder)
    )
    let fetch = StoreFetch(search)
    var exported = Exported()
    for store in found {
      var copy = Exported.Store(
        name: store.found.name,
        state: store.state,
        code: store.code,
        message: store.message
      )
      do {
        let fetched = try fetch.fetch([try store.found.withFilesBesideIt()], into: tree) { _ in
          "\(store.id)"
        }
        if let path = try fetched.first?.result.get() {
          copy.path = "\(store.id)/\(FileSystem.name(of: path))"
        }
      } catch {
        copy.failure = WaystoneError(error).message
      }
      exported.stores.append(copy)
    }
    return exported
  }
}

extension FoundStore {
  /// Returns the store with a list of its files, so that they are copied one by one.
  fileprivate func withFilesBesideIt() throws -> FoundStore {
    guard case .file(let path) = place else { return self }
    let files = try StoreFiles(store: path)
    var listed = [FileSystem.name(of: path): path]
    for file in [files.writeAheadLog, files.rollbackJournal] where try FileSystem.exists(file) {
      listed[FileSystem.name(of: file)] = file
    }
    if try FileSystem.exists(files.externalData) {
      let support = FileSystem.name(of: files.support)
      let folder = FileSystem.name(of: files.externalData)
      for name in try FileSystem.names(inFolder: files.externalData) {
        listed["\(support)/\(folder)/\(name)"] = "\(files.externalData)/\(name)"
      }
    }
    var store = self
    store.place = .backup(folder: FileSystem.folder(of: path), files: listed)
    return store
  }
}
