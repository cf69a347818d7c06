import Files
import Foundation
import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

@Suite struct CheckpointJournalTests {
  /// The task of a run, as its journal has it.
  private static func description() throws -> RunDescription {
    let settings = String(
      decoding: try JSONEncoder().encode(RunDescription.Settings()),
      as: UTF8.self
    )
    let json = """
      {"from":"Letters/v1","models":"/models","planFingerprint":"0123abcd",
       "run":"1700000000-0123abcd-1f","schemaFingerprint":"4567","settings":\(settings),
       "sourceIdentity":"1 2 3 4 5 6","store":"/stores/Letters \\"1\\".sqlite",
       "to":"Letters/v4","usesWriteAheadLog":true}
      """
    return try JSONDecoder().decode(RunDescription.self, from: Data(json.utf8))
  }

  private let run: RunDescription

  init() throws { run = try Self.description() }

  /// Writes a journal, and gives its lines with their line feeds.
  private func write(_ path: String) throws -> [[UInt8]] {
    var journal = try CheckpointJournal(path: path)
    try journal.append(.begun, run: run)
    try journal.append(.copied, hop: 0, file: "hop-0.sqlite", identity: "a")
    try journal.append(.hop, hop: 1, file: "hop-0.sqlite", identity: "b")
    try journal.append(.hop, hop: 2, file: "hop-2.sqlite", identity: "c")
    let bytes = try #require(TemporaryFolder.bytes(of: path))
    return bytes.split(separator: 0x0a).map { Array($0) + [0x0a] }
  }

  @Test func `what could not be read again is not written, and the run can still end`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/journal.ndjson"
      let limit: Int64 = 64 << 10
      var journal = try CheckpointJournal(path: path, greatestSize: limit)
      try journal.append(.begun, run: run)
      func count(_ name: String, in journal: inout CheckpointJournal) throws {
        var counts = StoreCounts()
        counts.entities[name] = StoreCounts.Entity(objects: 1)
        let account = HopReconciliation(
          of: ComposedMapping(identityOf: try ModelSketch.model("\(name) { text: String? }")),
          from: "v1",
          to: "v2",
          before: counts,
          after: counts,
          hasCode: false,
          losses: nil
        )
        try journal.append(.hop, hop: 1, file: "hop-1.sqlite", identity: "a", account: account)
      }
      try count("A", in: &journal)
      let name = String(repeating: "A", count: Int(limit))
      #expect(throws: MigrationError.self) { try count(name, in: &journal) }
      try journal.append(.verified, hop: 1, file: "hop-1.sqlite", identity: "b")
      let read = try CheckpointJournal(path: path, greatestSize: limit)
      #expect(read.records == journal.records && read.records.count == 3)
    }
  }

  @Test func `a line that is torn at any byte never happened`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/journal.ndjson"
      let lines = try write(path)
      let whole = try CheckpointJournal(path: path)
      #expect(whole.records.count == 4 && whole.run == run)
      // What a power cut may leave behind a torn line: nothing, a hole, or what stood there before.
      let tails: [[UInt8]] = [[], [0, 0, 0], [0x7b, 0x0a, 0x0a]]
      for kept in 0..<lines.count {
        for length in 0..<lines[kept].count {
          let torn = lines[..<kept].flatMap(\.self) + lines[kept][..<length]
          for tail in tails {
            if kept == 0 || length == 0, !tail.isEmpty { continue }
            try TemporaryFolder.write(torn + tail, to: path)
            var journal = try CheckpointJournal(path: path)
            #expect(journal.records == Array(whole.records[..<kept]))
            guard length == lines[kept].count / 2 else { continue }
            // What is written next stands where the torn line stood.
            if kept == 0 {
              try journal.append(.begun, run: run)
            } else {
              try journal.append(.verified, hop: 0, file: "hop-0.sqlite", identity: "d")
            }
            #expect(try CheckpointJournal(path: path).records == journal.records)
          }
        }
      }
    }
  }

  @Test func `a changed byte is found out, or costs the last line at most`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/journal.ndjson"
      let lines = try write(path)
      let bytes = lines.flatMap(\.self)
      let whole = try CheckpointJournal(path: path).records
      var refused = 0
      for index in bytes.indices {
        for change in [0x01, 0x20, 0x80, 0xff] as [UInt8] {
          var damaged = bytes
          damaged[index] ^= change
          try TemporaryFolder.write(damaged, to: path)
          do {
            let records = try CheckpointJournal(path: path).records
            #expect(records == Array(whole.dropLast()), "byte \(index) ^ \(change)")
            #expect(index >= bytes.count - (lines.last?.count ?? 0), "byte \(index) ^ \(change)")
          } catch let error as MigrationError {
            #expect(error.code == .mismatch)
            refused += 1
          }
        }
      }
      print("\(refused) of \(bytes.count * 4) damaged journals refused, the others a line shorter")
    }
  }

  @Test func `numbers and names that no run writes are refused`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/journal.ndjson"
      func expectRefusal(_ write: (inout CheckpointJournal) throws -> Void) throws {
        try FileSystem.remove(path)
        var journal = try CheckpointJournal(path: path)
        try write(&journal)
        let error = #expect(throws: MigrationError.self) { try CheckpointJournal(path: path) }
        #expect(error?.code == .mismatch)
      }
      for name in ["../../etc/x", "", "a/b", "..", "a\u{0}", String(repeating: "a", count: 200)] {
        var run = self.run
        run.run = name
        try expectRefusal { try $0.append(.begun, run: run) }
      }
      try expectRefusal { try $0.append(.copied, hop: 0, file: "hop-0.sqlite", identity: "a") }
      for (hop, file) in [
        (-1, "hop-0.sqlite"), (Int.max, "hop-0.sqlite"), (Int.min, nil), (0, "../store.sqlite"),
        (1, "hop-2.sqlite"), (1, "hop--1.sqlite"), (1, "journal.ndjson"), (1, ""), (1, ".."),
        (1, "hop-01.sqlite"), (1, "hop-1.sqlite\u{0}"),
      ] as [(Int, String?)] {
        try expectRefusal {
          try $0.append(.begun, run: run)
          try $0.append(.hop, hop: hop, file: file, identity: "a")
        }
      }
      try expectRefusal {
        try $0.append(.begun, run: run)
        try $0.append(.begun, run: run)
      }
    }
  }

  @Test func `what is no journal is refused and left alone`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/journal.ndjson"
      let others: [[UInt8]] = [
        Array("hello".utf8), Array("hello\n".utf8), Array("{\"record\":1}\n".utf8), [0x0a],
        Array("{\"crc\":\"00000000\",\"record\":{}}\n".utf8), [0xff, 0xfe, 0],
        [UInt8](repeating: 0x7b, count: 100_000) + [0x0a],
      ]
      for bytes in others {
        try TemporaryFolder.write(bytes, to: path)
        let error = #expect(throws: MigrationError.self) { try CheckpointJournal(path: path) }
        #expect(error?.code == .mismatch)
        #expect(TemporaryFolder.bytes(of: path) == bytes)
      }
      let huge = try OpenFile(writing: path)
      try huge.truncate(to: 1 << 34)
      #expect(throws: MigrationError.self) { try CheckpointJournal(path: path) }
      try FileSystem.remove(path)
      try FileSystem.createFolder(path)
      #expect(throws: MigrationError.self) { try CheckpointJournal(path: path) }
    }
  }
}
