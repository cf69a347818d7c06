/// The bytes of a tar archive with members that no archiver would write.
enum TarBytes {
  /// A member as its header says; `type` is the byte of the format (`0` a file, `2` a link).
  static func member(
    _ name: [UInt8],
    type: Character = "0",
    size: Int? = nil,
    _ contents: [UInt8] = []
  ) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ bytes: some Collection<UInt8>, at offset: Int) {
      header.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    func octal(_ number: Int, _ width: Int) -> [UInt8] {
      let digits = String(number, radix: 8)
      return Array((String(repeating: "0", count: width - digits.count) + digits).utf8)
    }
    put(name, at: 0)
    put(octal(0o644, 7), at: 100)
    put(octal(0, 7), at: 108)
    put(octal(0, 7), at: 116)
    put(octal(size ?? contents.count, 11), at: 124)
    put(octal(1_700_000_000, 11), at: 136)
    put([UInt8](repeating: 0x20, count: 8), at: 148)
    put(String(type).utf8, at: 156)
    if type == "1" || type == "2" { put("/etc/hostname".utf8, at: 157) }
    put(Array("ustar\0".utf8) + Array("00".utf8), at: 257)
    put(octal(header.reduce(0) { $0 + Int($1) }, 6) + [0, 0x20], at: 148)
    let padding = [UInt8](repeating: 0, count: (512 - contents.count % 512) % 512)
    return header + contents + padding
  }

  static func member(_ name: String, type: Character = "0", _ contents: [UInt8] = []) -> [UInt8] {
    member(Array(name.utf8), type: type, contents)
  }

  /// The end of an archive.
  static let end = [UInt8](repeating: 0, count: 1024)

  /// Bytes that begin as a database does.
  static func database(_ byte: UInt8 = 1) -> [UInt8] {
    Array("SQLite format 3\0".utf8) + [UInt8](repeating: byte, count: 5000)
  }
}
