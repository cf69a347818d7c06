package import Files
internal import StoreAccess
internal import StoreMigration

/// A walk over all files below a folder, each folder once, in the order of the names' bytes.
///
/// The workspaces of migrations are left out, and so are the folders in which Core Data keeps the files of
/// stores. Folders and files that cannot be read are reported rather than passed over.
package struct FolderWalk {
  /// The treatment of symbolic links below the folder.
  package enum Links {
    /// Followed: a link counts as its target.
    case followed
    /// Reported as links; no file is read through one.
    case reported
  }

  /// An item that is no folder, by its name in the folder that is held open.
  package struct Entry {
    /// The folder that contains it.
    package var folder: Folder
    /// The name in the folder.
    package var name: String
    /// The path from the folder that was named.
    package var path: String
    /// The status of the file that has the name; nil for a followed link that leads nowhere.
    package var status: FileStatus?

    /// The path for what must be named by one.
    package var fullPath: String { folder.path(of: name) }
  }

  /// An item of the walk.
  package enum Item {
    /// A folder that is entered, by its path from the folder that was named, with all that it holds.
    case folder(Folder, String, [Folder.Entry])
    /// An item that is no folder.
    case entry(Entry)
    /// A folder or file that cannot be read, by its path from the folder that was named.
    case gap(String, FileError)
  }

  /// The numbers of a folder, however it is named.
  package struct Identity: Hashable {
    private var device: UInt64
    private var inode: UInt64

    /// The identity of the folder that has a status.
    package init(_ status: FileStatus) {
      device = status.device
      inode = status.inode
    }
  }

  /// The greatest depth of folders that are entered; each on the path is held open.
  package static let greatestDepth = 200

  /// The treatment of links.
  let links: Links
  /// The folders that were entered, or are not to be.
  package var visited: Set<Identity> = []
  /// The number of files and folders met so far.
  private(set) var count = 0
  /// The number of files and folders after which the walk ends.
  let limit: Int
  /// Whether there were more.
  var isIncomplete: Bool { count > limit }

  /// A folder on the current path, with its entries that are not visited yet.
  private struct Level {
    var folder: Folder
    var path: String
    var entries: [Folder.Entry]
    var nextEntry = 0
    var folders: [String] = []
    var nextFolder = 0
  }

  private var levels: [Level] = []
  private let root: String
  private var isBegun = false

  /// A walk below a folder, which may itself be named by a link.
  package init(below root: String, links: Links, limit: Int = .max) {
    self.root = root
    self.links = links
    self.limit = limit
  }

  /// Returns the next item; nil at the end.
  package mutating func next() -> Item? {
    if !isBegun {
      isBegun = true
      if let item = open(nil, root, "") { return item }
    }
    while let last = levels.indices.last, !isIncomplete {
      if levels[last].nextEntry < levels[last].entries.count {
        let entry = levels[last].entries[levels[last].nextEntry]
        levels[last].nextEntry += 1
        count += 1
        if !isIncomplete, let item = look(at: entry, last) { return item }
      } else if levels[last].nextFolder < levels[last].folders.count {
        let name = levels[last].folders[levels[last].nextFolder]
        levels[last].nextFolder += 1
        let path = Self.joined(levels[last].path, name)
        if let item = open(levels[last].folder, name, path) { return item }
      } else {
        levels.removeLast()
      }
    }
    return nil
  }

  /// Leaves the last folder of the walk, with everything below it.
  package mutating func skipFolder() { levels.removeLast() }

  /// Reads a folder, and goes on in it.
  private mutating func open(_ parent: Folder?, _ name: String, _ path: String) -> Item? {
    do throws(FileError) {
      let folder = try opened(parent, name)
      guard try visited.insert(Identity(folder.status())).inserted else { return nil }
      guard levels.count < Self.greatestDepth else {
        throw FileError(
          code: .tooLarge,
          message: "it lies more than \(Self.greatestDepth) folders deep",
          recovery: "Name a folder that is nearer."
        )
      }
      let level = Level(folder: folder, path: path, entries: try folder.entries())
      levels.append(level)
      return .folder(folder, path, level.entries)
    } catch {
      return .gap(path, error)
    }
  }

  private func opened(_ parent: Folder?, _ name: String) throws(FileError) -> Folder {
    guard let parent else { return try Folder(following: name) }
    return switch links {
    case .followed: try Folder(following: parent.path(of: name))
    case .reported: try parent.folder(name)
    }
  }

  /// Returns the item of an entry; a folder that may have stores is kept for later, and gives none.
  private mutating func look(at entry: Folder.Entry, _ level: Int) -> Item? {
    let folder = levels[level].folder
    let path = Self.joined(levels[level].path, entry.shownName)
    guard let name = entry.name else { return .gap(path, Self.nameIsNoText) }
    do throws(FileError) {
      let status =
        switch links {
        case .followed: try FileSystem.status(folder.path(of: name))
        case .reported: try folder.status(of: name)
        }
      guard status?.kind == .folder else {
        return .entry(Entry(folder: folder, name: name, path: path, status: status))
      }
      if try !isPassedOver(name, folder.path(of: name)) { levels[level].folders.append(name) }
    } catch {
      return .gap(path, error)
    }
    return nil
  }

  /// Returns whether the files in a folder are part of a store or of a run, and none of them a store by
  /// itself.
  private func isPassedOver(_ name: String, _ path: String) throws(FileError) -> Bool {
    if StoreFiles.isSupportFolder(name) { return true }
    return try name.hasSuffix(Workspace.suffix) ? Workspace.isWorkspace(path) : false
  }

  private static func joined(_ path: String, _ name: String) -> String {
    path.isEmpty ? name : "\(path)/\(name)"
  }

  private static let nameIsNoText = FileError(
    code: .invalidPath,
    message: "its name is not UTF-8",
    recovery: "Rename it."
  )
}
