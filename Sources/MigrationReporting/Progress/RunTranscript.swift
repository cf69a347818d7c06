package import StoreMigration

/// A transcript of a run so far: each stage with its time, and the progress of the present one.
package struct RunTranscript: Hashable, Sendable {
  /// A stage of a run.
  package struct Stage: Hashable, Sendable {
    /// The kind of the stage.
    package var kind: MigrationEvent.Stage
    /// The time at which it began, in seconds of any clock.
    package var began: Double
    /// The duration in seconds; nil while it runs.
    package var seconds: Double?
    /// The processor time that it took, of all threads; 0 while it runs.
    package var processorSeconds = 0.0
    /// The processor time that the run had taken when it began.
    var processorBefore: Double
    /// The number of written rows, as far as it was reported.
    package var rows: Int64 = 0
    /// The file name of the checkpoint that ends it, where one does.
    package var checkpoint: String?
  }

  /// The stages in their order, the present one last.
  package private(set) var stages: [Stage] = []
  /// The notes of the run.
  package private(set) var notes: [String] = []
  private var done: Int64 = 0
  private var total: Int64 = 0

  /// Makes an empty transcript.
  package init() {}

  /// Adds an event of the run at a time, in seconds of the same clock.
  ///
  /// - Parameter processor: The processor time that the run has taken, in seconds.
  package mutating func take(_ event: MigrationEvent, at time: Double, processor: Double = 0) {
    switch event {
    case .began(let stage):
      finish(at: time, processor: processor)
      // A run that knows what its plan found goes on asking.
      guard let last = stages.indices.last, let seconds = stages[last].seconds,
        stages[last].kind == stage
      else {
        stages.append(Stage(kind: stage, began: time, processorBefore: processor))
        return
      }
      stages[last].began = time - seconds
      stages[last].seconds = nil
      stages[last].processorBefore = processor - stages[last].processorSeconds
    case .progressed(let done, let total): (self.done, self.total) = (done, total)
    case .filled(_, let rows):
      if let last = stages.indices.last { stages[last].rows &+= rows }
    case .recorded(let record):
      // Later records name the checkpoint that they rest on.
      guard let last = stages.indices.last, record.event == .copied || record.event == .hop else {
        return
      }
      stages[last].checkpoint = record.file
    case .noted(let note): add(note: note)
    case .passed, .called: break
    }
  }

  /// Adds something to be known that is not there yet.
  package mutating func add(note: String) {
    if !notes.contains(note) { notes.append(note) }
  }

  /// Ends the present stage.
  package mutating func finish(at time: Double, processor: Double = 0) {
    (done, total) = (0, 0)
    guard let last = stages.indices.last, stages[last].seconds == nil else { return }
    stages[last].seconds = max(0, time - stages[last].began)
    stages[last].processorSeconds = max(0, processor - stages[last].processorBefore)
  }

  /// Returns the progress of the present stage; nil where none runs.
  package func progress(at time: Double) -> ProgressState? {
    guard let stage = stages.last, stage.seconds == nil else { return nil }
    let elapsed = max(0, time - stage.began)
    var state = ProgressState(
      title: stage.kind.title,
      rows: Int(clamping: max(done, 0)),
      totalRows: total > 0 ? Int(clamping: total) : nil,
      elapsed: elapsed
    )
    if case .hop(let numbers, let count, _, _, _) = stage.kind {
      state.hop = (numbers.upperBound, count)
    }
    if stage.kind == .copying || stage.kind == .checking { state.unit = "page" }
    return state
  }
}

extension MigrationEvent.Stage {
  /// The name of the stage.
  package var title: String {
    switch self {
    case .checking: "checking"
    case .asking: "reading rows"
    case .copying: "copying"
    case .hop(_, _, let from, let to, _): "\(from) → \(to)"
    case .verifying: "verifying"
    case .swapping: "swapping"
    }
  }
}
