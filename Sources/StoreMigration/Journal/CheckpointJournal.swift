package import Files
package import MigrationPlanning
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
  /// The records of the complete lines, in order.
  package private(set) var records: [JournalRecord] = []
  private var length: Int64 = 0
  private let folder: Folder?
  private let greatestSize: Int64

  /// The longest journal that is written and read, in bytes; a real one has a few hundred a hop, and up
  /// to a hundred thousand where the hop is counted.
  package static let greatestSize: Int64 = 64 << 20

  /// Reads a journal by its path; one that does not exist, or whose first line is torn, has no records.
  ///
  /// - Parameter greatestSize: The most bytes that it may have.
  /// - Throws: ``MigrationError``: `mismatch` where it is no journal, or not one of this version,
  ///   `cannotCreate` where it or its folder is a link, a pipe or a device; `FileError` where it cannot
  ///   be read.
  package init(path: String, greatestSize: Int64 = Self.greatestSize) throws {
    let parent = FileSystem.folder(of: path)
    let folder: Folder?
    do {
      folder = try Folder(parent)
    } catch {
      guard error.code == .missing || error.code == .notPlain else { throw error }
      guard error.code == .missing else { throw MigrationError(unusable: error) }
      folder = nil
    }
    try self.init(path: path, folder, greatestSize)
  }

  /// Reads a journal of a folder that is held open.
  ///
  /// - Throws: As ``init(path:)``.
  package init(_ name: String, in folder: Folder) throws {
    try self.init(path: folder.path(of: name), folder, Self.greatestSize)
  }

  private init(path: String, _ folder: Folder?, _ greatestSize: Int64) throws {
    self.path = path
    self.greatestSize = greatestSize
    self.folder = folder
    guard let bytes = try Self.contents(path, folder, greatestSize), !bytes.isEmpty else { return }
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

  private static func contents(
    _ path: String,
    _ folder: Folder?,
    _ greatestSize: Int64
  ) throws -> [UInt8]? {
    do throws(FileError) {
      guard let file = try folder?.open(reading: FileSystem.name(of: path)) else { return nil }
      let size = try file.status().size
      if size <= greatestSize { return try file.read(count: Int(size), at: 0) }
    } catch {
      if error.code == .missing { return nil }
      if error.code == .notPlain { throw MigrationError(unusable: error) }
      throw error
    }
    throw mismatch(path, "is larger than any run writes")
  }

  private static let beginning = Array("{\"crc\":\"".utf8)

  /// Returns whether a second line begins within one, so that it is the line feed that is damaged.
  private static func holdsAnother(_ line: ArraySlice<UInt8>) -> Bool {
    line.indices.dropFirst().contains { line[$0...].starts(with: beginning) }
  }

  /// Returns whether bytes may be the rest of the first line: its beginning, or a hole.
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

  /// The accounts of the hops done since the working copy was made, by any process.
  var accounts: [HopReconciliation] {
    let start = records.lastIndex { $0.event == .copied } ?? 0
    return records.dropFirst(start).compactMap(\.account)
  }

  /// The description of the run.
  package var run: RunDescription? { records.first?.run }
  /// The last record.
  package var last: JournalRecord? { records.last }
  /// The verified certificate of the run, with the accounts of its hops; nil where none was made.
  package var certificate: MigrationCertificate? {
    var certificate = records.last { $0.certificate != nil }?.certificate
    certificate?.hops = accounts
    return certificate
  }
  /// Whether the run is over.
  package var isFinished: Bool { last?.event == .finished || last?.event == .rolledBack }

  /// The rollback that was begun and has not ended.
  package var unfinishedRollback: RollbackDescription? {
    last?.event == .rollingBack ? last?.rollback : nil
  }

  /// Appends a record and waits until it is on the disk.
  ///
  /// - Parameter certificate: Its hops are left out: each has a record of its own.
  /// - Throws: `FileError`; ``MigrationError``, `failed` where accounts leave no room for the rest.
  package mutating func append(
    _ event: JournalRecord.Event,
    run: RunDescription? = nil,
    hop: Int? = nil,
    file: String? = nil,
    identity: String? = nil,
    rollback: RollbackDescription? = nil,
    account: HopReconciliation? = nil,
    certificate: MigrationCertificate? = nil
  ) throws {
    var certificate = certificate
    certificate?.hops = []
    let record = JournalRecord(
      sequence: records.count + 1,
      event: event,
      run: run,
      hop: hop,
      file: file,
      identity: identity,
      rollback: rollback,
      account: account,
      certificate: certificate
    )
    let line = try Self.line(record)
    // The records by which a run ends or is rolled back may take the room that accounts leave.
    let isCounting = account != nil || certificate != nil
    let limit = isCounting ? greatestSize - greatestSize / 64 : greatestSize
    guard length + Int64(line.count) <= limit else {
      throw MigrationError(
        .failed,
        "The accounts of this run are larger than a journal may be (\(greatestSize) bytes).",
        recovery:
          "The store is intact. Migrate it without --certificate, or by fewer hops at a time."
      )
    }
    let folder = try folder ?? Folder(FileSystem.folder(of: path))
    let output = try folder.open(appending: FileSystem.name(of: path))
    if try output.status().size > length {
      // The bytes that a dying run wrote after the last whole line.
      try output.truncate(to: length)
      try output.synchronize()
    }
    try output.write(line)
    try output.synchronize()
    if records.isEmpty { try folder.synchronize() }
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

  /// Returns the record's text in a line whose checksum is right.
  private static func json(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let prefixLength = prefix([]).utf8.count
    guard line.count > prefixLength + 1, line.last == UInt8(ascii: "}") else { return nil }
    let json = line.dropFirst(prefixLength).dropLast()
    return line.starts(with: prefix(json).utf8) ? json : nil
  }
}
