#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

/// The machine that the process runs on.
package enum Host {
  /// The name that the machine gives itself; no name server is asked.
  package static let name: String = {
    var buffer = [CChar](repeating: 0, count: 256)
    let result = unsafe gethostname(&buffer, buffer.count - 1)
    guard result == 0 else { return "unknown" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()
}
