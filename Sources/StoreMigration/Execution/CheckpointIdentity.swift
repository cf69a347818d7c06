import Files
import ObjectModel
import StoreAccess

/// The identity of a checkpoint file, computed without reading all of it.
///
/// An identity is the plan's fingerprint and the hop's number (in SQLite's application and user
/// numbers, which change in the same transaction as the rows), the file's size and change counter,
/// a hash of its schema, and the number of rows of each table. Where no later comparison could find
/// a change, it has a digest of all bytes too.
enum CheckpointIdentity {
  /// Returns the number by which a plan marks its checkpoints: 31 bits of its fingerprint.
  static func mark(of fingerprint: String) -> Int64 {
    let bytes =
      Hexadecimal.bytes(String(fingerprint.prefix(8))) ?? Array(fingerprint.utf8.prefix(4))
    let number = bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) } & 0x7fff_ffff
    return max(number, 1)
  }

  /// A file whose identity was read.
  struct Known: Hashable {
    /// The identity.
    let text: String
    /// The number of rows of each table by its name.
    let rows: [String: Int64]
  }

  /// Returns the identity of a closed file.
  ///
  /// - Parameters:
  ///   - known: The identity that this process found before. Where header and size are still the
  ///     same, rows are not counted again.
  ///   - isExact: Whether each byte counts.
  static func known(path: String, before known: Known? = nil, isExact: Bool = false) throws -> Known
  {
    let header = try DatabaseHeader(path: path)
    let size = try FileSystem.size(of: path) ?? 0
    let start =
      "\(header.applicationID) \(header.userVersion) \(size) \(header.changeCounter) "
    if let known, known.text.hasPrefix(start) { return known }
    let connection = try SQLiteConnection(path: path, access: .readOnly)
    var hash = SHA256()
    var counts: [String] = []
    var rows: [String: Int64] = [:]
    for object in try SchemaObject.all(in: connection) {
      hash.update("\(object.kind.rawValue) \(object.name) \(object.sql ?? "")\n".utf8)
      guard object.kind == .table, !object.isVirtual else { continue }
      let count = try connection.integer("SELECT COUNT(*) FROM \(SQL.identifier(object.name))")
      counts.append("\(object.name)=\(count ?? 0)")
      rows[object.name] = count ?? 0
    }
    hash.update(counts.joined(separator: "\n").utf8)
    let text = start + Hexadecimal.string(hash.finalize())
    return Known(text: isExact ? "\(text) \(try digest(path: path))" : text, rows: rows)
  }

  /// Returns a closed file, if it is the one of an identity.
  static func known(path: String, as identity: String) throws -> Known? {
    // Four numbers, the hash, and the digest of one where each byte counts.
    let isExact = identity.split(separator: " ").count > 5
    let found = try known(path: path, isExact: isExact)
    return found.text == identity ? found : nil
  }

  /// Returns whether a closed file is the one of an identity.
  static func matches(path: String, _ identity: String) throws -> Bool {
    try known(path: path, as: identity) != nil
  }

  private static func digest(path: String) throws(FileError) -> String {
    String(try OpenFile(reading: path).digest(), radix: 16)
  }
}
