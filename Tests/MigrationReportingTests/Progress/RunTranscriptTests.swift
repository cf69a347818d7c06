import Foundation
import MigrationReporting
import StoreMigration
import Testing

@Suite struct RunTranscriptTests {
  /// A run of one hop, with the times at which it told each thing.
  static let events: [(Double, MigrationEvent)] = [
    (10, .began(.copying)),
    (10.5, .progressed(done: 100, total: 100)),
    (11, recorded(#"{"sequence": 2, "event": "copied", "file": "hop-0.sqlite"}"#)),
    (11, .began(.hop(numbers: 1...1, of: 1, from: "v1", to: "v2", inPlace: false))),
    (12, .progressed(done: 500, total: 2000)),
    (13, .filled(table: "ZBOOK", rows: 1500)),
    (13, .filled(table: "ZAUTHOR", rows: 500)),
    (13.25, recorded(#"{"sequence": 3, "event": "hop", "hop": 1, "file": "hop-1.sqlite"}"#)),
    (13.25, .noted("An index that no model asks for was left behind.")),
    (13.25, .began(.verifying)),
    (14, .began(.swapping)),
  ]

  /// A line of a journal.
  private static func recorded(_ line: String) -> MigrationEvent {
    let record = try? JSONDecoder().decode(JournalRecord.self, from: Data(line.utf8))
    return record.map { .recorded($0) } ?? .noted("This is no line of a journal: \(line)")
  }

  static var finished: RunTranscript {
    var transcript = RunTranscript()
    for (time, event) in events { transcript.take(event, at: time) }
    transcript.finish(at: 14.5)
    return transcript
  }

  @Test func `each stage has its time, rows and checkpoint`() {
    let stages = Self.finished.stages
    #expect(stages.map(\.kind.title) == ["copying", "v1 → v2", "verifying", "swapping"])
    #expect(stages.map(\.seconds) == [1, 2.25, 0.75, 0.5])
    #expect(stages.map(\.rows) == [0, 2000, 0, 0])
    #expect(stages.map(\.checkpoint) == ["hop-0.sqlite", "hop-1.sqlite", nil, nil])
    #expect(Self.finished.notes.count == 1)
  }

  @Test func `a stage that goes on is one stage, without the time between`() {
    var transcript = RunTranscript()
    transcript.take(.began(.checking), at: 1, processor: 0.5)
    transcript.take(.progressed(done: 3, total: 9), at: 2, processor: 2)
    #expect(transcript.progress(at: 2)?.unit == "page")
    transcript.take(.began(.asking), at: 3, processor: 4)
    transcript.finish(at: 3.5, processor: 4.25)
    transcript.take(.began(.asking), at: 10, processor: 20)
    transcript.take(.began(.copying), at: 11, processor: 21)
    transcript.finish(at: 12, processor: 22)
    #expect(transcript.stages.map(\.kind) == [.checking, .asking, .copying])
    #expect(transcript.stages.map(\.seconds) == [2, 1.5, 1])
    #expect(transcript.stages.map(\.processorSeconds) == [3.5, 1.25, 1])
  }

  @Test func `progress is that of the present stage alone`() {
    var transcript = RunTranscript()
    #expect(transcript.progress(at: 0) == nil)
    for (time, event) in Self.events.prefix(5) { transcript.take(event, at: time) }
    let progress = transcript.progress(at: 13)
    #expect(progress?.title == "v1 → v2")
    #expect(progress?.rows == 500)
    #expect(progress?.totalRows == 2000)
    #expect(progress?.elapsed == 2)
    #expect(progress?.hop?.number == 1)
    #expect(Self.finished.progress(at: 20) == nil)
  }

  @Test func `a clock that stands still and counts that make no sense do no harm`() {
    var transcript = RunTranscript()
    transcript.take(.progressed(done: 1, total: 1), at: 0)
    transcript.take(.filled(table: "Z", rows: .max), at: 0)
    transcript.take(.began(.copying), at: 5)
    transcript.take(.progressed(done: -3, total: .min), at: 4)
    let progress = transcript.progress(at: 3)
    #expect(progress?.rows == 0)
    #expect(progress?.totalRows == nil)
    #expect(progress?.elapsed == 0)
    transcript.finish(at: 1)
    #expect(transcript.stages.map(\.seconds) == [0])
  }
}
