internal import Files
internal import Foundation
internal import Waystone

#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

/// The limits of a worker's process, as the system counts its resources.
///
/// Only Linux reports the memory of another process, and lets a process reset its peak; elsewhere memory is
/// not bounded.
enum ProcessLimits {
  /// Bounds this process.
  ///
  /// - Parameters:
  ///   - memory: Bytes; the dispatcher ends a worker that has more. The bound of the system is set at twice
  ///     that above what the process takes up now, for a process that grows too fast to be seen.
  ///   - fileSize: The bytes of the greatest file that may be written.
  static func set(memory: Int64?, fileSize: Int64?) throws {
    #if os(Linux)
      if let memory {
        let own = field("VmSize", of: "self") ?? 0
        try bound(__rlimit_resource_t(RLIMIT_AS.rawValue), own + 2 * memory, "memory")
      }
      if let fileSize {
        try bound(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), fileSize, "files")
      }
    #else
      if let fileSize { try bound(RLIMIT_FSIZE, fileSize, "files") }
    #endif
  }

  #if os(Linux)
    private typealias Resource = __rlimit_resource_t
  #else
    private typealias Resource = Int32
  #endif

  private static func bound(_ resource: Resource, _ bytes: Int64, _ what: String) throws {
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else {
      throw WaystoneError(
        .inputOutput,
        "The system does not say how much \(what) a process may have.",
        recovery: "Leave that limit out."
      )
    }
    limit.rlim_cur = min(rlim_t(clamping: bytes), limit.rlim_max)
    guard unsafe setrlimit(resource, &limit) == 0 else {
      throw WaystoneError(
        .inputOutput,
        "The system does not let \(what) of a process be bounded.",
        recovery: "Leave that limit out."
      )
    }
  }

  /// Begins to measure this process's greatest memory anew.
  static func forgetPeak() {
    #if os(Linux)
      let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      _ = unsafe write(descriptor, "5", 1)
      close(descriptor)
    #endif
  }

  /// The greatest memory of this process, in bytes; nil where the system does not report it.
  static var peak: Int64? { field("VmHWM", of: "self") }

  /// Returns the memory that a process has now, in bytes; nil where the system does not report it.
  static func memory(of process: Int32) -> Int64? { field("VmRSS", of: "\(process)") }

  private static func field(_ name: String, of process: String) -> Int64? {
    #if os(Linux)
      guard let file = try? OpenFile(reading: "/proc/\(process)/status"),
        let bytes = try? file.read(count: 4_096, at: 0)
      else { return nil }
      let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("\(name):") }
      let number = line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first
      let kilobytes = number.flatMap { Int64($0) }
      return kilobytes.map { $0 * 1_024 }
    #else
      return nil
    #endif
  }
}
