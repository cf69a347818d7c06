import Files
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
/// that a dead owner's run can be taken over at once. The text inside tells people who holds it.
package struct Lease: ~Copyable {
  private let descriptor: Int32

  /// Takes the lease of a workspace whose folder exists.
  ///
  /// - Throws: ``MigrationError`` with `inUse` where a living process holds it.
  package init(_ workspace: Workspace) throws(MigrationError) {
    // A run that ends removes its lease: what was opened before that is no longer the lease.
    while true {
      let descriptor = try Self.locked(workspace)
      if Self.isCurrent(descriptor, workspace.lease) {
        self.descriptor = descriptor
        break
      }
      close(descriptor)
    }
    let text = Array("process \(getpid())\nhost \(Self.host)\nboot \(Self.boot)\n".utf8)
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
  }

  private static func locked(_ workspace: Workspace) throws(MigrationError) -> Int32 {
    let path = workspace.lease
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      // The folder was there a moment ago: a run that ends removes it.
      guard errno == ENOENT else { throw unusable(path) }
      throw MigrationError(
        .inUse,
        "Another run at \(workspace.destination) has just ended.",
        recovery: "Look at what it left, and begin anew where that is needed."
      )
    }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else {
        let error = unusable(path)
        close(descriptor)
        throw error
      }
      var buffer = [UInt8](repeating: 0, count: 512)
      let count = max(0, pread(descriptor, &buffer, buffer.count, 0))
      close(descriptor)
      let owner = String(decoding: buffer[..<count], as: UTF8.self)
        .split(separator: "\n").joined(separator: ", ")
      throw MigrationError(
        .inUse,
        "Another run works on \(workspace.destination) (\(owner)).",
        recovery: "Wait until it ends, or end it and resume."
      )
    }
    return descriptor
  }

  private static func isCurrent(_ descriptor: Int32, _ path: String) -> Bool {
    var own = stat()
    var there = stat()
    return fstat(descriptor, &own) == 0 && lstat(path, &there) == 0
      && own.st_ino == there.st_ino && own.st_dev == there.st_dev
  }

  private static func unusable(_ path: String) -> MigrationError {
    MigrationError(
      .inputOutput,
      "The lease \(path) cannot be taken: \(String(cString: strerror(errno))).",
      recovery: "Use a folder that is writable, on a file system that has locks."
    )
  }

  deinit { close(descriptor) }

  /// Runs a body that needs the lease, which lives at least as long.
  package borrowing func whileHeld<Value>(_ body: () throws -> Value) rethrows -> Value {
    try body()
  }

  private static var host: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static var boot: String {
    guard let file = try? OpenFile(reading: "/proc/sys/kernel/random/boot_id"),
      let bytes = try? file.read(count: 36, at: 0)
    else { return "unknown" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
