import Files
import MigrationPlanning
import ObjectModel
import StoreAccess

/// A transfer of a store's external files to an output.
struct ExternalTransfer {
  let source: StoreFiles
  let destination: StoreFiles

  /// The name of a file that is not whole yet; Core Data gives names of hexadecimal digits.
  private static let partial = ".waystone-partial"

  /// Refuses an output that would share its folder with the store, whose app removes files in it.
  ///
  /// - Parameter canHaveFiles: Whether a model of the run allows such files.
  func checkStem(canHaveFiles: Bool) throws {
    guard source.support == destination.support,
      try canHaveFiles || FileSystem.exists(source.support)
    else { return }
    throw MigrationError(
      .cannotCreate,
      "\(destination.store) and \(source.store) would keep their external files in one folder, "
        + "\(source.support).",
      recovery: "Give the output a name that differs before its extension, or another folder."
    )
  }

  /// Throws, before anything is written, if the store's folder is a link, or the output's folder
  /// holds files that are not the store's.
  func check() throws {
    do throws(FileError) { _ = try ExternalFolder.open(source.externalData) } catch {
      guard error.code == .notPlain else { throw error }
      throw MigrationError(
        .damaged,
        error.message + ".",
        recovery: "Put the folder itself in its place: no link is followed to a store's files."
      )
    }
    let there = try ExternalContents(ofFolder: destination.externalData)
    if let oddity = there.oddities.first { throw inTheWay("\(destination.support)/\(oddity.name)") }
    guard !there.files.isEmpty else { return }
    let original = try ExternalFolder.open(source.externalData)
    let copies = try ExternalFolder.open(destination.externalData)
    for name in there.files.keys.sorted() where name != Self.partial {
      guard let first = try original?.file(name), let second = try copies?.file(name),
        try first.hasSameContents(as: second)
      else { throw inTheWay("\(destination.externalData)/\(name)") }
    }
  }

  /// Copies all plain files.
  ///
  /// Each gets its name when all of it is on the disk, so that none with a name is torn. The names
  /// themselves are brought there once, at the end, and so before the run records that its result
  /// takes its place: files whose names a loss of power took are copied again by the resumed run.
  /// Files that an earlier process copied are compared and left.
  func run(_ cancellation: Cancellation) throws {
    guard let original = try ExternalFolder.open(source.externalData) else { return }
    let files = try ExternalContents(ofFolder: source.externalData).files
    try FileSystem.ensureFolder(destination.support)
    try FileSystem.ensureFolder(destination.externalData)
    guard let copies = try ExternalFolder.open(destination.externalData) else {
      throw inTheWay(destination.externalData)
    }
    for name in files.keys.sorted() {
      try cancellation.check()
      guard let file = try original.file(name) else { throw changed(name) }
      if try copies.folder.status(of: name) != nil {
        guard let there = try copies.file(name), try file.hasSameContents(as: there) else {
          throw inTheWay("\(destination.externalData)/\(name)")
        }
        continue
      }
      try copy(file, as: name, into: copies.folder, cancellation)
    }
    try copies.folder.synchronize()
    try FileSystem.synchronize(folder: destination.support)
  }

  private func copy(
    _ file: borrowing OpenFile,
    as name: String,
    into folder: borrowing Folder,
    _ cancellation: Cancellation
  ) throws {
    let status = try file.status()
    try folder.remove(Self.partial)
    do {
      let copy = try folder.open(creating: Self.partial, permissions: status.permissions & 0o777)
      try file.copy(into: copy) { !cancellation.isRequested }
      try copy.synchronize()
      // A file that grows or shrinks meanwhile is not the one that the store's rows mean.
      guard try copy.status().size == status.size else { throw changed(name) }
    } catch {
      try cancellation.check()
      throw error
    }
    try folder.rename(Self.partial, to: name)
  }

  private func inTheWay(_ path: String) -> MigrationError {
    MigrationError(
      .cannotCreate,
      "\(path) is there already, and is not the store's.",
      recovery: "Choose another name for the output, or move \(destination.support) away."
    )
  }

  private func changed(_ name: String) -> MigrationError {
    MigrationError(
      .inUse,
      "\(source.externalData)/\(name) changed while it was copied.",
      recovery: "Close the app or tool that has the store open, then go on with resume."
    )
  }
}

extension MigrationPlan {
  /// Whether a model of the plan lets Core Data keep values as files beside the store.
  var allowsExternalFiles: Bool {
    ([source.model] + hops.map(\.destination.model)).contains { model in
      model.entities.contains { entity in
        model.ownAttributes(of: entity.name).contains { $0.allowsExternalBinaryDataStorage }
      }
    }
  }
}
