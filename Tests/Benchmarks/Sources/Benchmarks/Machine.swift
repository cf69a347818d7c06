import CSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The machine that figures were taken on.
struct Machine {
  /// The folder whose file system holds the stores.
  let folder: String

  /// One line: date, cores, memory, system, file system, SQLite.
  var description: String {
    let process = ProcessInfo.processInfo
    let memory = (process.physicalMemory + (1 << 29)) >> 30
    #if canImport(Darwin)
      let system = "macOS"
    #else
      let system = "Linux"
    #endif
    let date = Date.now.formatted(.iso8601.year().month().day())
    let copying = CloneProbe.canClone(in: folder) ? "clones files" : "copies files"
    return """
      \(date), \(system), \(process.activeProcessorCount) cores, \(memory) GB of memory, \
      \(fileSystem) (which \(copying)), SQLite \(String(cString: sqlite3_libversion()))
      """
  }

  private var fileSystem: String {
    #if canImport(Darwin)
      var information = statfs()
      guard statfs(folder, &information) == 0 else { return "a file system" }
      return withUnsafeBytes(of: information.f_fstypename) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    #else
      let mounts = FileManager.default.contents(atPath: "/proc/self/mounts") ?? Data()
      let fields = String(decoding: mounts, as: UTF8.self).split(separator: "\n").map {
        $0.split(separator: " ")
      }
      let holding = fields.filter { $0.count > 2 && (folder + "/").hasPrefix($0[1] + "/") }
      let root = fields.filter { $0.count > 2 && $0[1] == "/" }
      let best = (root + holding).max { $0[1].count < $1[1].count }
      return best.map { String($0[2]) } ?? "a file system"
    #endif
  }
}
