private import Synchronization

/// A function applied to many inputs at once, on as many threads as there are processors.
///
/// Threads and not tasks, as reading models is a plain function that callers need not await, and as parsers
/// of nested input need a stack of a known size.
package final class ParallelMap<Input: Sendable, Output: Sendable>: Sendable {
  private let inputs: [Input]
  private let transform: @Sendable (Input) -> Output
  private let next = Atomic<Int>(0)
  private let outputs = Mutex<[(index: Int, output: Output)]>([])

  private init(_ inputs: [Input], _ transform: @escaping @Sendable (Input) -> Output) {
    self.inputs = inputs
    self.transform = transform
  }

  /// Returns the closure's result for each input, in the order of the inputs.
  package static func map(
    _ inputs: [Input],
    _ transform: @escaping @Sendable (Input) -> Output
  ) -> [Output] {
    let work = ParallelMap(inputs, transform)
    // A thread costs about what a small model does.
    let helpers = (0..<max(0, min(WorkThread.processorCount, inputs.count / 2) - 1)).compactMap {
      _ in
      WorkThread { work.run() }
    }
    work.run()
    for helper in helpers { helper.join() }
    return work.sortedOutputs
  }

  /// Returns the closure's result for each input, in the order of the inputs, computed only on threads with
  /// stacks of so many bytes; nil where the system has no such thread.
  ///
  /// - Parameter threads: The most threads, independent of the number of processors.
  package static func map(
    _ inputs: [Input],
    stackSize: Int,
    threads: Int,
    _ transform: @escaping @Sendable (Input) -> Output
  ) -> [Output]? {
    guard !inputs.isEmpty else { return [] }
    let work = ParallelMap(inputs, transform)
    let count = max(1, min(WorkThread.processorCount, threads, inputs.count))
    let helpers = (0..<count).compactMap { _ in WorkThread(stackSize: stackSize) { work.run() } }
    for helper in helpers { helper.join() }
    return helpers.isEmpty ? nil : work.sortedOutputs
  }

  private var sortedOutputs: [Output] {
    outputs.withLock { $0.sorted { $0.index < $1.index }.map(\.output) }
  }

  /// Takes the next input until none is left.
  private func run() {
    var own: [(index: Int, output: Output)] = []
    while true {
      let index = next.add(1, ordering: .relaxed).oldValue
      guard index < inputs.count else { break }
      own.append((index, transform(inputs[index])))
    }
    outputs.withLock { $0 += own }
  }

}
