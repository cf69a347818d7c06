#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Asks a file system whether two of its files can share their blocks.
enum CloneProbe {
  /// Tries it with two small files, which are removed again.
  static func canClone(in folder: String) -> Bool {
    let paths = ["\(folder)/clone-a", "\(folder)/clone-b"]
    defer { for path in paths { unlink(path) } }
    let source = open(paths[0], O_RDWR | O_CREAT, 0o600)
    defer { close(source) }
    guard source >= 0, write(source, "a", 1) == 1 else { return false }
    #if canImport(Darwin)
      return clonefile(paths[0], paths[1], 0) == 0
    #else
      let copy = open(paths[1], O_RDWR | O_CREAT, 0o600)
      defer { close(copy) }
      // FICLONE of <linux/fs.h>.
      return copy >= 0 && ioctl(copy, 0x4004_9409, source) == 0
    #endif
  }
}
