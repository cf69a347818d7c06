package import Files
import StoreAccess

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The right to work on a destination, held by one process at a time.
///
/// The system's advisory lock on the lease file decides (`flock(2)`): it ends with its process, so
/// that a dead owner's run can be taken over at once. The text inside names the owner for a reader.
package struct Lease: ~Copyable {
  private let file: OpenFile

  /// Takes the lease in the folder of a workspace.
  ///
  /// - Throws: ``MigrationError``: `inUse` where a living process holds it, `cannotCreate` where
  ///   something else has its name.
  package init(_ folder: Folder, destination: String) throws(MigrationError) {
    // A run that ends removes its lease: a file opened before that is no longer the lease.
    while true {
      let file = try Self.locked(folder, destination)
      if try Self.isCurrent(file, folder) {
        self.file = file
        break
      }
    }
    let text = Array("process \(getpid())\nhost \(Host.name)\nboot \(Self.boot)\n".utf8)
    // For a reader only: the lease holds even where a full disk keeps the text out.
    try? file.truncate(to: 0)
    try? file.write(text)
  }

  deinit { file.unlock() }

  private static func locked(
    _ folder: Folder,
    _ destination: String
  ) throws(MigrationError) -> OpenFile {
    do throws(FileError) {
      let file = try folder.open(updating: Workspace.leaseName)
      if try file.tryLock() { return file }
      let owner = String(decoding: try file.read(count: 512, at: 0), as: UTF8.self)
        .split(separator: "\n").joined(separator: ", ")
      throw FileError(code: .exists, message: owner)
    } catch {
      switch error.code {
      case .exists:
        throw MigrationError(
          .inUse,
          "Another run works on \(destination) (\(error.message)).",
          recovery: "Wait until it ends, or end it and resume."
        )
      case .missing:
        // The folder was there a moment ago: a run that ends removes it.
        throw MigrationError(
          .inUse,
          "Another run at \(destination) has just ended.",
          recovery: "Look at what it left, and begin anew where that is needed."
        )
      default: throw MigrationError(unusable: error)
      }
    }
  }

  private static func isCurrent(
    _ file: borrowing OpenFile,
    _ folder: Folder
  ) throws(MigrationError) -> Bool {
    do throws(FileError) {
      let own = try file.status()
      guard let there = try folder.status(of: Workspace.leaseName), there.isSameFile(as: own) else {
        return false
      }
      if own.linkCount < 2 { return true }
    } catch {
      throw MigrationError(unusable: error)
    }
    throw MigrationError(
      .cannotCreate,
      "\(file.path) is a file that has other names too (hard links).",
      recovery: "Move it away: a run would write over what stands under those names."
    )
  }

  private static var boot: String {
    guard let file = try? OpenFile(reading: "/proc/sys/kernel/random/boot_id"),
      let bytes = try? file.read(count: 36, at: 0)
    else { return "unknown" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
