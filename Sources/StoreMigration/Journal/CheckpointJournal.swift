import Files
import ObjectModel
import StoreAccess

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The record of a run: one JSON object a line, with sequence number and checksum.
///
/// Each line is on the disk before the run goes on, so that only the last can be torn: it then never
/// happened. A damaged line before others is another matter, and an error.
package struct CheckpointJournal: Sendable {
  /// The file.
  package let path: String
  /// The lines that stand.
  package private(set) var records: [JournalRecord] = []
  private var length: Int64 = 0

  /// The longest journal that is read, in bytes; a real one has a few hundred a hop.
  private static let greatestSize: Int64 = 16 << 20

  /// Reads a journal; one that does not exist, or whose first line is torn, has no records.
  ///
  /// - Throws: ``MigrationError`` with `mismatch` where it is no journal, or not one of this version;
  ///   `FileError` where it cannot be read.
  package init(path: String) throws {
    self.path = path
    guard let status = try FileSystem.status(path), status.size > 0 else { return }
    guard status.kind == .file, status.size <= Self.greatestSize else {
      throw Self.mismatch(path, "is larger than any run writes, or is no file")
    }
    let bytes = try OpenFile(reading: path).read(count: Int(status.size), at: 0)
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let tail = lines.popLast() ?? []
    for (index, line) in lines.enumerated() {
      guard let json = Self.json(of: line) else {
        let isTorn =
          index > 0 && !Self.holdsAnother(line)
          && lines[(index + 1)...].allSatisfy { Self.json(of: $0) == nil }
        if isTorn { break }
        throw Self.mismatch(path, "is not a journal, or its line \(index + 1) is damaged")
      }
      guard let record = try? JSONDecoder().decode(JournalRecord.self, from: Data(json)),
        record.sequence == index + 1, (record.run != nil) == (index == 0), record.isPlausible
      else {
        throw Self.mismatch(
          path,
          "was written by another version, or not by a run, line \(index + 1)"
        )
      }
      records.append(record)
      length += Int64(line.count) + 1
    }
    if lines.isEmpty, !Self.isTornBeginning(tail) { throw Self.mismatch(path, "is not a journal") }
  }

  private static let beginning = Array("{\"crc\":\"".utf8)

  /// Whether a second line begins within one, so that it is the line feed that is damaged.
  private static func holdsAnother(_ line: ArraySlice<UInt8>) -> Bool {
    line.indices.dropFirst().contains { line[$0...].starts(with: beginning) }
  }

  /// Whether bytes may be what is left of the first line: its beginning, or a hole.
  private static func isTornBeginning(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.starts(with: beginning) || beginning.starts(with: bytes)
      || bytes.allSatisfy { $0 == 0 }
  }

  private static func mismatch(_ path: String, _ what: String) -> MigrationError {
    MigrationError(
      .mismatch,
      "The journal \(path) \(what).",
      recovery: "The store is intact. To start anew, move the folder "
        + "\(FileSystem.folder(of: path)) away, with the originals that it may keep."
    )
  }

  /// What the run was asked to do.
  package var run: RunDescription? { records.first?.run }
  /// What was done last.
  package var last: JournalRecord? { records.last }
  /// Whether the run is over.
  package var isFinished: Bool { last?.event == .finished || last?.event == .rolledBack }

  /// Appends a record and waits until it is on the disk.
  package mutating func append(
    _ event: JournalRecord.Event,
    run: RunDescription? = nil,
    hop: Int? = nil,
    file: String? = nil,
    identity: String? = nil
  ) throws {
    let record = JournalRecord(
      sequence: records.count + 1,
      event: event,
      run: run,
      hop: hop,
      file: file,
      identity: identity
    )
    let isNew = records.isEmpty
    if let size = try FileSystem.size(of: path), size > length {
      // What a dying run wrote after the last whole line.
      let torn = try OpenFile(writing: path)
      try torn.truncate(to: length)
      try torn.synchronize()
    }
    let line = try Self.line(record)
    let output = try OpenFile(appending: path)
    try output.write(line)
    try output.synchronize()
    if isNew { try FileSystem.synchronize(folder: FileSystem.folder(of: path)) }
    records.append(record)
    length += Int64(line.count)
  }

  private static func line(_ record: JournalRecord) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = [UInt8](try encoder.encode(record))
    return Array(prefix(json).utf8) + json + Array("}\n".utf8)
  }

  private static func prefix(_ json: some Sequence<UInt8>) -> String {
    let checksum = CRC32.checksum(json)
    let digits = Hexadecimal.string(
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> UInt32($0)) }
    )
    return "{\"crc\":\"\(digits)\",\"record\":"
  }

  /// The record's text in a line whose checksum is right.
  private static func json(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let prefixLength = prefix([]).utf8.count
    guard line.count > prefixLength + 1, line.last == UInt8(ascii: "}") else { return nil }
    let json = line.dropFirst(prefixLength).dropLast()
    return line.starts(with: prefix(json).utf8) ? json : nil
  }
}
