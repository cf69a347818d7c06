internal import Files
internal import StoreAccess
internal import Waystone

/// A reader of the members of an archive of any form, one after the other.
///
/// `bsdtar` turns the archive into a tar stream on its standard output, and waits as long as that is not
/// read. It writes no file.
final class ArchiveReader {
  /// The reason why nothing of an archive is taken.
  struct Refusal: Error {
    /// A sentence.
    var reason: String
  }

  private let limits: ArchiveLimits
  private let size: Int64
  private let stream: Stream
  private var tar: TarReader
  private var entries = 0
  private var bytes: Int64 = 0

  /// The program with its output, so that a closure can have it.
  private final class Stream {
    var child: ChildProcess
    var bytes: Int64 = 0
    let check: (Int64) throws -> Void

    init(_ child: consuming ChildProcess, _ check: @escaping (Int64) throws -> Void) {
      self.child = child
      self.check = check
    }

    func fill(_ buffer: inout [UInt8]) throws -> Int {
      let count = try child.read(into: &buffer)
      bytes += Int64(count)
      try check(bytes)
      return count
    }
  }

  /// Begins to read the archive at an absolute path.
  ///
  /// - Parameter program: The path of `bsdtar`, as ``program(searchPath:)`` finds it.
  /// - Throws: ``Refusal`` and `FileError`.
  init(_ path: String, program: String, limits: ArchiveLimits) throws {
    let size = try FileSystem.size(of: path) ?? 0
    self.size = size
    self.limits = limits
    let form = try Self.checkForm(path, program)
    try ArchiveChecksums(program: program, environment: Self.environment, limits: limits)
      .check(path, isZip: form == "ZIP")
    let child = try Self.run(program, "-cf", "-", "--format=pax", "@\(path)")
    let stream = Stream(child) { try Self.check($0, size, limits) }
    self.stream = stream
    tar = TarReader { try stream.fill(&$0) }
  }

  private static func run(_ program: String, _ arguments: String...) throws -> ChildProcess {
    try ChildProcess(program, arguments, environment: environment)
  }

  private static var environment: [String: String] { ["LC_ALL": locale, "PATH": "/usr/bin:/bin"] }

  /// Throws if a file is neither a zip nor a tar archive inside.
  ///
  /// A file that gzip compressed may have any form that bsdtar knows, and a list in the form of mtree
  /// makes it read files of this machine. Listing the first member, `bsdtar` prints the archive's form;
  /// it escapes control characters in names.
  ///
  /// - Returns: The form, as `bsdtar` prints it.
  private static func checkForm(_ path: String, _ program: String) throws -> String {
    var child = try run(program, "-tvvf", path, "--fast-read", "*")
    var said: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try child.read(into: &bytes)
      if count == 0 { break }
      said = (said + bytes[..<count]).suffix(64 << 10)
    }
    child.end()
    _ = try child.wait()
    let last = String(decoding: said, as: UTF8.self).split(separator: "\n").last ?? ""
    let mark = "Archive Format: "
    guard last.hasPrefix(mark) else { throw refusal(child.complaint, nil) }
    let form = last.dropFirst(mark.count)
    let known = ["ZIP", "POSIX ustar", "POSIX pax", "GNU tar", "tar"].first(where: form.hasPrefix)
    guard let known else {
      let name = ShownName.of(String(form.prefix { $0 != "," }))
      throw Refusal(reason: "It is no zip or tar archive inside, but of the form “\(name)”.")
    }
    return known
  }

  /// A locale in which names are UTF-8.
  private static var locale: String {
    #if canImport(Darwin)
      "en_US.UTF-8"
    #else
      "C.UTF-8"
    #endif
  }

  /// Returns the next member, or nil at the end of an archive that was read without a fault.
  ///
  /// - Throws: ``Refusal``, after which nothing else may be asked.
  func next() throws -> TarReader.Member? {
    do {
      guard let member = try tar.next() else {
        try finish(nil)
        return nil
      }
      entries += 1
      guard entries <= limits.entries else {
        throw Refusal(reason: "It holds more than \(limits.entries) files and folders.")
      }
      let (sum, overflow) = bytes.addingReportingOverflow(member.size)
      bytes = overflow ? .max : sum
      try Self.check(bytes, size, limits)
      return member
    } catch let error as TarReader.Malformed {
      try finish(error)
      return nil
    }
  }

  /// Returns the next bytes of the present member, at most so many; none at its end.
  ///
  /// - Throws: ``Refusal``, after which nothing else may be asked.
  func read(atMost count: Int) throws -> ArraySlice<UInt8> {
    do { return try tar.read(atMost: count) } catch let error as TarReader.Malformed {
      try finish(error)
      return []
    }
  }

  static func check(_ bytes: Int64, _ size: Int64, _ limits: ArchiveLimits) throws {
    guard bytes <= limits.bytes else {
      throw Refusal(reason: "It unpacks to more than \(limits.bytes) bytes.")
    }
    let (most, overflow) = size.multipliedReportingOverflow(by: limits.ratio)
    guard bytes <= limits.bytesOfAnyRatio || overflow || bytes <= most else {
      throw Refusal(
        reason: "It unpacks to more than \(limits.ratio) times its size of \(size) bytes, as "
          + "archives do that are made to fill a disk."
      )
    }
  }

  /// Waits for the program's end, and throws where it or the stream was at fault.
  private func finish(_ fault: TarReader.Malformed?) throws {
    if fault != nil { stream.child.end() }
    let ending = try stream.child.wait()
    if fault == nil, ending == .exited(0) { return }
    throw Self.refusal(stream.child.complaint, fault)
  }

  /// Returns the reason why an archive cannot be read, from the error output of `bsdtar` or the fault in its
  /// stream.
  static func refusal(_ complaint: String, _ fault: TarReader.Malformed?) -> Refusal {
    if complaint.contains("passphrase") || complaint.contains("encrypt") {
      return Refusal(reason: "It is encrypted; unpack it, and name the folder.")
    }
    let line = complaint.split(whereSeparator: \.isNewline).first.map { line in
      ShownName.of(String(line.trimmingPrefix("bsdtar: ").prefix(300)))
    }.flatMap { $0.contains("(null)") ? nil : $0 }
    let reason = line.map { "bsdtar says “\($0)”" } ?? fault?.reason ?? "bsdtar ended early"
    return Refusal(reason: "It cannot be read to its end: \(reason).")
  }

  // MARK: The program

  /// Returns the path of `bsdtar`.
  ///
  /// - Parameter searchPath: The folders where it may be, with colons between.
  /// - Throws: ``WaystoneError``, `badArgument` where it is in none.
  static func program(searchPath: String) throws(WaystoneError) -> String {
    for folder in searchPath.split(separator: ":") where folder.hasPrefix("/") {
      let path = "\(folder)/bsdtar"
      if let status = try? FileSystem.status(path), status.kind == .file,
        status.permissions & 0o111 != 0
      {
        return path
      }
    }
    throw WaystoneError(
      .badArgument,
      "There is no bsdtar to open archives with.",
      recovery:
        "Install it (Debian and Ubuntu: apt-get install libarchive-tools; Fedora: dnf install "
        + "bsdtar; macOS has it), or unpack the archives, and name the folders."
    )
  }

  /// Returns whether a file that begins with these bytes is an archive: zip, tar, or what gzip or Zstandard
  /// compressed.
  static func isArchive(_ head: [UInt8]) -> Bool {
    let starts: [[UInt8]] = [
      Array("PK\u{3}\u{4}".utf8), Array("PK\u{5}\u{6}".utf8), [0x1f, 0x8b],
      [0x28, 0xb5, 0x2f, 0xfd],
    ]
    return starts.contains { head.starts(with: $0) }
      || head.count >= 512 && head[257..<262].elementsEqual(Array("ustar".utf8))
  }

  /// Returns whether a file is named as an archive of an unsupported form, or as a store that was compressed
  /// by itself.
  static func isNamedOtherArchive(_ name: String) -> Bool {
    let name = name.lowercased()
    let forms = [".7z", ".rar", ".tar.xz", ".txz", ".tar.bz2", ".tbz2", ".tar.lz4", ".tar.lzma"]
    if forms.contains(where: name.hasSuffix) { return true }
    return [".gz", ".xz", ".bz2", ".zst"].contains { ending in
      name.hasSuffix(ending) && StoreFiles.isNamedStore(String(name.dropLast(ending.count)))
    }
  }

  /// Returns whether a file is named as an archive of a supported form.
  static func isNamedArchive(_ name: String) -> Bool {
    [".zip", ".tar", ".tgz", ".tar.gz", ".tar.zst"].contains { name.lowercased().hasSuffix($0) }
  }
}
