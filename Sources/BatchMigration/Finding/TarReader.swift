internal import Files

/// A reader of the members of a tar stream, one after the other, in constant memory.
///
/// It knows what `bsdtar --format=pax` writes: the headers of POSIX (pubs.opengroup.org, "pax"), the long
/// names of GNU tar, and its sparse files of version 1.0, which are read with their holes.
struct TarReader: ~Copyable {
  /// An entry of the stream, with its name.
  struct Member {
    enum Kind {
      case file, folder
      /// A hard or symbolic link.
      case link
      /// A device or a pipe.
      case other
    }

    /// The name as the stream has it; any bytes.
    var name: [UInt8]
    var kind: Kind
    /// Bytes of its contents.
    var size: Int64
    /// The time of the last modification, in nanoseconds since 1970.
    var modified: Int64?
  }

  /// A defect of a stream.
  struct Malformed: Error { var reason: String }

  /// The most bytes of a header's extension, such as a long name.
  private static let greatestExtension: Int64 = 1 << 20

  private let fill: (inout [UInt8]) throws -> Int
  private var buffer = [UInt8](repeating: 0, count: 256 << 10)
  private var position = 0
  private var end = 0
  /// Bytes of the present member that are still in the stream, and those that fill its last block.
  private var left: Int64 = 0
  private var padding: Int64 = 0
  /// The parts of the present member that are in the stream, where it is sparse, the last first; and
  /// where its reader is.
  private var extents: [Range<Int64>]?
  private var offset: Int64 = 0
  private var size: Int64 = 0

  /// A reader of a stream.
  ///
  /// - Parameter fill: Fills the bytes with the next ones, and returns their number; 0 at the end.
  init(_ fill: @escaping (inout [UInt8]) throws -> Int) { self.fill = fill }

  /// Returns the next member, or nil at the end of the stream; the unread rest of the one before is skipped.
  ///
  /// - Throws: ``Malformed``, and what reading throws.
  mutating func next() throws -> Member? {
    var records: [String: [UInt8]] = [:]
    var longName: [UInt8]?
    while true {
      try skip(left + padding)
      (left, padding, extents) = (0, 0, nil)
      let header = try take(512)
      if header.allSatisfy({ $0 == 0 }) {
        // The program that writes the stream must be able to end.
        while try refill() {}
        return nil
      }
      let block = try Header(header)
      setLength(block.size)
      switch block.type {
      case UInt8(ascii: "x"): records.merge(try extensions()) { $1 }
      case UInt8(ascii: "g"): break
      case UInt8(ascii: "L"): longName = Array(try extensionBytes().prefix { $0 != 0 })
      case UInt8(ascii: "K"): _ = try extensionBytes()
      default: return try member(block, records, longName)
      }
    }
  }

  /// Returns the next bytes of the present member, at most so many; none at its end.
  ///
  /// - Throws: ``Malformed``, and what reading throws.
  mutating func read(atMost count: Int) throws -> ArraySlice<UInt8> {
    guard offset < size else { return [] }
    var count = min(Int64(count), size - offset)
    if let extent = extents?.last {
      if offset < extent.lowerBound {
        count = min(count, extent.lowerBound - offset)
        offset += count
        return ArraySlice(repeating: 0, count: Int(count))
      }
      count = min(count, extent.upperBound - offset)
    } else if extents != nil {
      offset += count
      return ArraySlice(repeating: 0, count: Int(count))
    }
    if position == end, try !refill() { throw Self.isCutOff }
    let piece = min(Int(count), end - position)
    defer { position += piece }
    offset += Int64(piece)
    if offset == extents?.last?.upperBound { extents?.removeLast() }
    left -= Int64(piece)
    return buffer[position..<position + piece]
  }

  // MARK: Headers

  private mutating func member(
    _ block: Header,
    _ records: [String: [UInt8]],
    _ longName: [UInt8]?
  ) throws -> Member {
    if let text = records["size"] { setLength(try Self.number(text)) }
    offset = 0
    size = left
    var name = records["path"] ?? longName ?? block.name
    if records["GNU.sparse.major"] != nil {
      guard records["GNU.sparse.major"] == Array("1".utf8),
        let real = records["GNU.sparse.realsize"], let realName = records["GNU.sparse.name"]
      else { throw Malformed(reason: "a sparse file is of a form that is not known") }
      name = realName
      size = try Self.number(real)
      try readExtents()
    } else if records.keys.contains(where: { $0.hasPrefix("GNU.sparse.") }) || block.type == 0x53 {
      throw Malformed(reason: "a sparse file is of a form that is not known")
    }
    let kind: Member.Kind =
      switch block.type {
      case 0, UInt8(ascii: "0"), UInt8(ascii: "7"):
        // Before POSIX a folder was a file whose name ends in a slash.
        block.type == 0 && name.last == UInt8(ascii: "/") ? .folder : .file
      case UInt8(ascii: "1"), UInt8(ascii: "2"): .link
      case UInt8(ascii: "5"): .folder
      default: .other
      }
    let modified = records["mtime"].flatMap(Self.time) ?? block.modified.flatMap(Self.nanoseconds)
    return Member(name: name, kind: kind, size: size, modified: modified)
  }

  /// Returns the records of an extended header: "27 path=Documents/Notes.sqlite\n" and so on.
  private mutating func extensions() throws -> [String: [UInt8]] {
    var bytes = try extensionBytes()[...]
    var records: [String: [UInt8]] = [:]
    while let space = bytes.firstIndex(of: UInt8(ascii: " ")) {
      let length = try Self.number(bytes[..<space])
      guard length > space - bytes.startIndex + 1, length <= bytes.count,
        bytes[bytes.startIndex + Int(length) - 1] == UInt8(ascii: "\n")
      else { throw Malformed(reason: "an extended header is damaged") }
      let record = bytes[(space + 1)..<(bytes.startIndex + Int(length) - 1)]
      guard let sign = record.firstIndex(of: UInt8(ascii: "=")) else {
        throw Malformed(reason: "an extended header is damaged")
      }
      records[String(decoding: record[..<sign], as: UTF8.self)] = Array(record[(sign + 1)...])
      bytes = bytes[(bytes.startIndex + Int(length))...]
    }
    guard bytes.isEmpty else { throw Malformed(reason: "an extended header is damaged") }
    return records
  }

  private mutating func extensionBytes() throws -> [UInt8] {
    guard left <= Self.greatestExtension else {
      throw Malformed(reason: "a header is longer than 1 MiB")
    }
    let bytes = try take(Int(left))
    left = 0
    return bytes
  }

  /// Reads the map of a sparse file: how many parts it has, then the offset and the length of each.
  private mutating func readExtents() throws {
    var numbers: [Int64] = []
    var digits: [UInt8] = []
    var bytes = 0
    repeat {
      let block = try take(512)
      bytes += 512
      left -= 512
      for byte in block {
        guard numbers.isEmpty || numbers.count <= 2 * Int(clamping: numbers[0]) else { break }
        if byte != UInt8(ascii: "\n") {
          digits.append(byte)
          guard digits.count < 20 else { throw Malformed(reason: "a sparse file is damaged") }
          continue
        }
        numbers.append(try Self.number(digits))
        guard numbers[0] <= 1_000_000 else {
          throw Malformed(reason: "a sparse file has more than 1,000,000 parts")
        }
        digits = []
      }
      guard left >= 0 else { throw Malformed(reason: "a sparse file is damaged") }
    } while numbers.isEmpty || numbers.count <= 2 * Int(numbers[0])
    var found: [Range<Int64>] = []
    var last: Int64 = 0
    var total: Int64 = 0
    for index in stride(from: 1, to: numbers.count, by: 2) where numbers[index + 1] > 0 {
      let (end, overflow) = numbers[index].addingReportingOverflow(numbers[index + 1])
      guard !overflow, numbers[index] >= last, end <= size else {
        throw Malformed(reason: "a sparse file is damaged")
      }
      found.append(numbers[index]..<end)
      total += numbers[index + 1]
      last = end
    }
    guard total == left else { throw Malformed(reason: "a sparse file is damaged") }
    extents = found.reversed()
  }

  private mutating func setLength(_ length: Int64) {
    left = length
    padding = (512 - length % 512) % 512
  }

  // MARK: Numbers

  private static func number(_ digits: some Collection<UInt8>) throws -> Int64 {
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int64(String(decoding: digits, as: UTF8.self)), number <= .max - 1024
    else { throw Malformed(reason: "a header has a number that is none") }
    return number
  }

  private static func nanoseconds(_ seconds: Int64) -> Int64? {
    let (result, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? nil : result
  }

  /// Parses a time such as "1795451249.29224191"; nil where it is out of range or no time.
  private static func time(_ bytes: [UInt8]) -> Int64? {
    let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 1)
    guard let first = parts.first, let seconds = try? number(first),
      let whole = nanoseconds(seconds)
    else { return nil }
    guard parts.count == 2 else { return whole }
    let digits = parts[1].prefix(9) + [UInt8](repeating: 0x30, count: max(0, 9 - parts[1].count))
    guard let part = try? number(digits) else { return nil }
    let (result, overflow) = whole.addingReportingOverflow(part)
    return overflow ? nil : result
  }

  // MARK: Bytes

  private static let isCutOff = Malformed(reason: "it ends within a member")

  private mutating func refill() throws -> Bool {
    position = 0
    end = try fill(&buffer)
    return end > 0
  }

  private mutating func take(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      if position == end, try !refill() { throw Self.isCutOff }
      let piece = min(count - bytes.count, end - position)
      bytes += buffer[position..<position + piece]
      position += piece
    }
    return bytes
  }

  private mutating func skip(_ count: Int64) throws {
    var count = count
    while count > 0 {
      if position == end, try !refill() { throw Self.isCutOff }
      let piece = Int(min(count, Int64(end - position)))
      position += piece
      count -= Int64(piece)
    }
  }
}

extension TarReader {
  /// The fields of a header that are read.
  private struct Header {
    var name: [UInt8]
    var size: Int64
    var modified: Int64?
    var type: UInt8

    init(_ bytes: [UInt8]) throws {
      // The sum counts its own eight bytes as spaces.
      let sum = bytes.indices.reduce(Int64(0)) {
        $0 + Int64((148..<156).contains($1) ? 0x20 : bytes[$1])
      }
      guard try Self.number(bytes[148..<156]) == sum else {
        throw Malformed(reason: "a header's checksum is wrong")
      }
      let size = try Self.number(bytes[124..<136])
      guard let size, size >= 0, size <= .max - 1024 else {
        throw Malformed(reason: "a member's size is impossible")
      }
      self.size = size
      modified = try Self.number(bytes[136..<148])
      type = bytes[156]
      let isPOSIX = bytes[257..<263].elementsEqual(Array("ustar\0".utf8))
      let prefix = isPOSIX ? bytes[345..<500].prefix { $0 != 0 } : []
      name = (prefix.isEmpty ? [] : prefix + [UInt8(ascii: "/")]) + bytes[..<100].prefix { $0 != 0 }
    }

    /// Parses a number in octal digits, or in base 256 where the first bit is set; nil where there is none.
    static func number(_ field: ArraySlice<UInt8>) throws -> Int64? {
      if let first = field.first, first & 0x80 != 0 {
        guard first == 0x80, field.dropFirst().dropLast(8).allSatisfy({ $0 == 0 }),
          let number = Int64(exactly: field.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        else { return nil }
        return number
      }
      let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
      if digits.isEmpty { return nil }
      guard let number = Int64(String(decoding: digits, as: UTF8.self), radix: 8) else {
        throw Malformed(reason: "a header has a number that is none")
      }
      return number
    }
  }
}
