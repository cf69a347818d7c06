private import CFiles

#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

extension FileSystem {
  /// Gives a file the extended attributes of another, access lists included.
  ///
  /// - Returns: The names of those that the file cannot be given, in byte order: a file system may
  ///   have none, and some belong to the system.
  /// - Throws: ``FileError`` where the other's cannot be read.
  package static func copyExtendedAttributes(
    of source: String,
    to target: String
  ) throws(FileError) -> [String] {
    try check(source)
    try check(target)
    var failed: [String] = []
    for name in try extendedAttributes(of: source) {
      guard let value = try extendedAttribute(name, of: source) else { continue }
      // Attributes that the file has already may stay, such as those that the system gives each file of
      // its folder.
      if try extendedAttribute(name, of: target) == value { continue }
      let result = unsafe value.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          unsafe setxattr(target, name, bytes.baseAddress, bytes.count, 0, 0)
        #else
          unsafe setxattr(target, name, bytes.baseAddress, bytes.count, 0)
        #endif
      }
      if result != 0 { failed.append(name) }
    }
    return failed.sorted()
  }

  /// Returns the names of a file's extended attributes; none where the file system has none.
  private static func extendedAttributes(of path: String) throws(FileError) -> [String] {
    let bytes = try unsafe growing(path) { buffer in
      #if canImport(Darwin)
        unsafe listxattr(path, buffer.baseAddress, buffer.count, 0)
      #else
        unsafe listxattr(path, buffer.baseAddress, buffer.count)
      #endif
    }
    return (bytes ?? []).split(separator: 0).map {
      String(decoding: $0.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// Returns the bytes of an attribute; nil where there is none of the name.
  private static func extendedAttribute(
    _ name: String,
    of path: String
  ) throws(FileError) -> [CChar]? {
    try unsafe growing(path) { buffer in
      #if canImport(Darwin)
        unsafe getxattr(path, name, buffer.baseAddress, buffer.count, 0, 0)
      #else
        unsafe getxattr(path, name, buffer.baseAddress, buffer.count)
      #endif
    }
  }

  /// Returns the bytes that a call writes into a buffer that is large enough; nil where there are none.
  private static func growing(
    _ path: String,
    _ call: (UnsafeMutableBufferPointer<CChar>) -> Int
  ) throws(FileError) -> [CChar]? {
    var size = 1024
    while true {
      var count = 0
      var number: Int32 = 0
      let bytes = unsafe [CChar](unsafeUninitializedCapacity: size) { buffer, initialized in
        count = unsafe call(buffer)
        number = errno
        initialized = max(0, count)
      }
      if count >= 0 { return bytes }
      switch number {
      case ERANGE where size < 1 << 22: size *= 4
      case ENOTSUP, EOPNOTSUPP, ENODATA, ENOSYS: return nil
      default: throw FileError(number: number, deed: "read the attributes of", path: path)
      }
    }
  }
}
