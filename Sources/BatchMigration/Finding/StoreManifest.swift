private import Foundation

/// A list of stores that a program wrote, read record by record: JSON lines, or CSV with a header.
///
/// `{"path": "a.sqlite", "name": "Phone 1"}` a line, or a table with the columns `path` and, if there is one,
/// `name`. The first byte decides the format.
struct StoreManifest {
  /// A record of the list: one store, archive, folder or backup.
  struct Record: Decodable {
    var path: String
    var name: String?
  }

  /// A record that is none.
  struct Malformed: Error { var reason: String }

  /// The most bytes of a record.
  static let greatestLength = 1 << 20

  /// The number of the line at which the last record begins, from 1.
  private(set) var line = 0

  private let fill: (inout [UInt8]) throws -> Int
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  private var position = 0
  private var end = 0
  private var nextLine = 1
  private var columns: (path: Int, name: Int?)?
  private var isJSON = false

  /// A manifest whose bytes a closure gives: it fills them, and returns how many came; 0 at the end.
  ///
  /// - Throws: ``Malformed`` where a table has no column `path`, and what the closure throws.
  init(_ fill: @escaping (inout [UInt8]) throws -> Int) throws {
    self.fill = fill
    // A byte order mark, which some programs write.
    for byte in [0xef, 0xbb, 0xbf] as [UInt8] where try peek() == byte { position += 1 }
    while let byte = try peek(), [0x20, 0x09, 0x0d, 0x0a].contains(byte) {
      if byte == UInt8(ascii: "\n") { nextLine += 1 }
      position += 1
    }
    isJSON = try peek() == UInt8(ascii: "{")
    guard !isJSON, let header = try fields() else { return }
    let names = header.map { $0.lowercased().filter { $0 != " " } }
    guard let path = names.firstIndex(of: "path") else {
      throw Malformed(reason: "It is a table without a column path, and no JSON.")
    }
    columns = (path, names.firstIndex(of: "name"))
  }

  /// Returns the next record; nil at the end.
  ///
  /// - Throws: ``Malformed``, after which the next can be asked for, and what the closure throws.
  mutating func next() throws -> Record? {
    guard isJSON else { return try row() }
    while let text = try jsonLine() {
      if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { continue }
      let record: Record
      do { record = try JSONDecoder().decode(Record.self, from: Data(text)) } catch {
        throw Malformed(reason: "It is no JSON object with a path.")
      }
      guard !record.path.isEmpty else { throw Malformed(reason: Self.hasNoPath) }
      return record
    }
    return nil
  }

  private static let hasNoPath = "It has no path."

  private mutating func row() throws -> Record? {
    guard let columns else { return nil }
    while let fields = try fields() {
      if fields == [""] { continue }
      guard columns.path < fields.count, !fields[columns.path].isEmpty else {
        throw Malformed(reason: Self.hasNoPath)
      }
      let name = columns.name.flatMap { $0 < fields.count ? fields[$0] : nil }
      return Record(path: fields[columns.path], name: name?.isEmpty ?? true ? nil : name)
    }
    return nil
  }

  // MARK: Text

  private mutating func peek() throws -> UInt8? {
    if position == end {
      position = 0
      end = try fill(&buffer)
      if end == 0 { return nil }
    }
    return buffer[position]
  }

  private mutating func take() throws -> UInt8? {
    guard let byte = try peek() else { return nil }
    position += 1
    if byte == UInt8(ascii: "\n") { nextLine += 1 }
    return byte
  }

  private mutating func jsonLine() throws -> [UInt8]? {
    line = nextLine
    var bytes: [UInt8] = []
    var length = 0
    while let byte = try take(), byte != UInt8(ascii: "\n") {
      length += 1
      if length <= Self.greatestLength { bytes.append(byte) }
    }
    guard length <= Self.greatestLength else {
      throw Malformed(reason: "It is longer than 1 MiB.")
    }
    return try bytes.isEmpty && nextLine == line && peek() == nil ? nil : bytes
  }

  /// Returns the fields of a row of a table (RFC 4180); nil at the end.
  private mutating func fields() throws -> [String]? {
    line = nextLine
    guard try peek() != nil else { return nil }
    var fields: [[UInt8]] = [[]]
    var isQuoted = false
    var length = 0
    while let byte = try take() {
      length += 1
      guard length <= Self.greatestLength else { continue }
      let last = fields.count - 1
      switch byte {
      case UInt8(ascii: "\""):
        if !isQuoted {
          isQuoted = true
        } else if try peek() == byte {
          position += 1
          fields[last].append(byte)
        } else {
          isQuoted = false
        }
      case UInt8(ascii: ",") where !isQuoted: fields.append([])
      case UInt8(ascii: "\r") where !isQuoted: break
      case UInt8(ascii: "\n") where !isQuoted: return try texts(fields)
      default: fields[last].append(byte)
      }
    }
    guard length <= Self.greatestLength, !isQuoted else {
      throw Malformed(reason: isQuoted ? "A quotation mark is not closed." : "It is too long.")
    }
    return try texts(fields)
  }

  private func texts(_ fields: [[UInt8]]) throws -> [String] {
    try fields.map { field in
      guard let text = String(validating: field, as: UTF8.self) else {
        throw Malformed(reason: "It is not UTF-8.")
      }
      return text
    }
  }
}
