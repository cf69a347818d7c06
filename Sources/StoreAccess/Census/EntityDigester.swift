import Files
import ObjectModel

/// A hash of the rows and links of one concrete entity.
///
/// Its input is unambiguous: each value begins with a tag, a value of variable length with its length, and
/// numbers, most of them small, mark their own end: hashing costs more than reading.
struct EntityDigester {
  private let externalData: String?
  private let allowsMissingFiles: Bool
  private(set) var missingFileCount: Int64 = 0
  private var hash = SHA256()
  private var pending: [UInt8] = []

  init(_ options: StoreCensus.Digesting) {
    externalData = options.externalData
    allowsMissingFiles = options.allowsMissingFiles
  }

  /// The form in which a property's values are digested.
  enum Form {
    case plain
    /// SQLite keeps a whole number as an integer where the column's affinity lets it.
    case real
    /// A blob may be in a file.
    case external

    init(_ attribute: AttributeDescription) {
      switch attribute.attributeType {
      case .double, .float, .date, .decimal: self = .real
      case .undefined, .integer16, .integer32, .integer64, .string, .boolean, .binary, .uuid, .uri,
        .transformable, .objectID, .composite:
        self = attribute.allowsExternalBinaryDataStorage ? .external : .plain
      }
    }
  }

  /// Returns the hash of all that was fed.
  mutating func finish() -> String {
    flush(beyond: 0)
    return Hexadecimal.string(hash.finalize())
  }

  /// Feeds the keys of a link.
  mutating func add(_ owner: Int64, _ other: Int64) {
    add(integer: owner)
    add(integer: other)
    flush(beyond: 1 << 16)
  }

  // MARK: Values

  /// Feeds a value of a row.
  ///
  /// - Parameter storage: Its storage class.
  mutating func add(
    _ row: borrowing SQLiteStatement,
    _ column: Int,
    _ storage: SQLiteStorageClass,
    _ form: Form
  ) throws(FileError) {
    switch storage {
    case .null: pending.append(0)
    case .integer:
      let integer = row.int64(column)
      // A double equals some whole numbers, and not the ones beside them.
      if form == .real, let real = Double(exactly: integer) {
        add(real: real)
      } else {
        add(integer: integer)
      }
    case .real: add(real: row.double(column))
    // The bytes themselves, also where they are no UTF-8.
    case .text: add(bytesOf: row, column, tag: 3)
    case .blob where form == .external: try add(external: row.blob(column) ?? [])
    case .blob: add(bytesOf: row, column, tag: 4)
    }
  }

  private mutating func add(bytesOf row: borrowing SQLiteStatement, _ column: Int, tag: UInt8) {
    unsafe row.withBytes(column) { bytes in
      pending.append(tag)
      add(small: UInt64(bytes.count))
      unsafe pending.append(contentsOf: bytes)
    }
  }

  mutating func add(integer: Int64) {
    pending.append(1)
    // The sign goes to the last bit.
    add(small: UInt64(bitPattern: integer << 1 ^ integer >> 63))
  }

  private mutating func add(real: Double) {
    pending.append(2)
    add(word: real.bitPattern)
  }

  mutating func add(text: [UInt8]) {
    pending.append(3)
    add(small: UInt64(text.count))
    pending.append(contentsOf: text)
  }

  private mutating func add(blob bytes: some Collection<UInt8>) {
    pending.append(4)
    add(small: UInt64(bytes.count))
    pending.append(contentsOf: bytes)
  }

  /// Feeds a value that may be in a file: its first byte is 1 before the bytes themselves, 2 before the
  /// file's name and a NUL (measured on stores of public apps).
  private mutating func add(external bytes: [UInt8]) throws(FileError) {
    switch bytes.first {
    case 1: add(blob: bytes.dropFirst())
    case 2:
      guard let externalData else { return addReference(bytes) }
      let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
      guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
        return addReference(bytes)
      }
      guard let file = try ExternalFolder.open(externalData)?.file(name) else {
        guard allowsMissingFiles else {
          throw FileError(code: .missing, message: "There is no file \(externalData)/\(name)")
        }
        missingFileCount += 1
        return addReference(bytes)
      }
      try add(file)
    default: addReference(bytes)
    }
  }

  private mutating func addReference(_ bytes: [UInt8]) {
    pending.append(5)
    add(small: UInt64(bytes.count))
    pending.append(contentsOf: bytes)
  }

  private mutating func add(_ file: borrowing OpenFile) throws(FileError) {
    let size = try file.status().size
    pending.append(4)
    add(small: UInt64(max(0, size)))
    var offset: Int64 = 0
    while offset < size {
      let piece = try file.read(count: Int(min(1 << 20, size - offset)), at: offset)
      if piece.isEmpty { break }
      pending.append(contentsOf: piece)
      flush(beyond: 1 << 16)
      offset += Int64(piece.count)
    }
  }

  /// Feeds a number seven bits at a time, the least first, with the eighth bit set in all bytes but the last.
  private mutating func add(small number: UInt64) {
    var rest = number
    while rest > 0x7f {
      pending.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    pending.append(UInt8(truncatingIfNeeded: rest))
  }

  private mutating func add(word: UInt64) {
    unsafe withUnsafeBytes(of: word.littleEndian) { unsafe pending.append(contentsOf: $0) }
  }

  /// Hashes what was fed, once it is more than so many bytes.
  mutating func flush(beyond limit: Int) {
    guard pending.count > limit else { return }
    hash.update(pending)
    pending.removeAll(keepingCapacity: true)
  }
}
