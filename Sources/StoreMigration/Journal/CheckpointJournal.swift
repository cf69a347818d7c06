import ObjectModel
import StoreAccess

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The record of a run: one JSON object a line, with sequence number and checksum.
///
/// Each line is on the disk before the run goes on. A line that is torn, or whose checksum or
/// number is wrong, ends the journal: it and what follows never happened.
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
  /// - Throws: ``MigrationError`` or `FileError` where it cannot be read or is no journal.
  package init(path: String) throws {
    self.path = path
    guard let size = FileSystem.size(of: path), size > 0 else { return }
    guard size <= Self.greatestSize else {
      throw MigrationError(
        .mismatch,
        "The journal \(path) is larger than any run writes.",
        recovery: "Move the folder away if it is not Waystone's."
      )
    }
    let file = try OpenFile(reading: path)
    let bytes = try file.read(count: Int(size), at: 0)
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let tail = lines.popLast()
    for line in lines {
      guard let record = Self.record(Array(line)), record.sequence == records.count + 1,
        (record.run != nil) == (record.sequence == 1)
      else { break }
      records.append(record)
      length += Int64(line.count) + 1
    }
    if records.isEmpty, !lines.isEmpty || tail?.starts(with: Array("{\"crc".utf8)) == false {
      throw MigrationError(
        .mismatch,
        "The file \(path) is not a journal, or its first line is damaged.",
        recovery: "No store was replaced by a run without a journal: move the folder "
          + "\(FileSystem.folder(of: path)) away to start anew."
      )
    }
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
    if let size = FileSystem.size(of: path), size > length {
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

  private static func record(_ line: [UInt8]) -> JournalRecord? {
    let prefixLength = prefix([]).utf8.count
    guard line.count > prefixLength + 1, line.last == UInt8(ascii: "}") else { return nil }
    let json = line[prefixLength..<(line.count - 1)]
    guard Array(prefix(json).utf8) == Array(line[..<prefixLength]) else { return nil }
    return try? JSONDecoder().decode(JournalRecord.self, from: Data(json))
  }
}
