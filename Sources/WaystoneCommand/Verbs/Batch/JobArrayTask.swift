internal import BatchMigration
internal import Waystone

/// A task of an array of jobs, read from its scheduler's variables.
///
/// Slurm (`SLURM_ARRAY_TASK_ID` and `_MIN`, `_MAX`, `_COUNT`: sbatch's manual), Kubernetes indexed jobs
/// (`JOB_COMPLETION_INDEX`, from 0; the job's manifest must give their number in `JOB_COMPLETIONS`), AWS
/// Batch (`AWS_BATCH_JOB_ARRAY_INDEX` from 0 and `AWS_BATCH_JOB_ARRAY_SIZE`), GNU parallel
/// (`PARALLEL_SEQ` from 1; the caller must give their number in `PARALLEL_TOTAL`).
struct JobArrayTask {
  /// The name of the scheduler's array in messages.
  let scheduler: String
  /// The task's place among all tasks, from 1; nil where the variables do not contain it.
  private let place: Int?
  /// The number of tasks; nil where the variables do not contain it.
  private let count: Int?
  /// The task's place where the caller gives the number of tasks.
  private let placeAmongGiven: Int?
  /// The number of tasks that the caller must give, where it gives one.
  private let fixedCount: Int?
  private let countVariable: String

  init?(_ environment: [String: String]) {
    func number(_ name: String) -> Int? {
      environment[name].flatMap { Int($0) }.flatMap { (0...1 << 30).contains($0) ? $0 : nil }
    }
    if environment["SLURM_ARRAY_TASK_ID"] != nil {
      self.init(slurm: number)
      return
    }
    let others = [
      ("JOB_COMPLETION_INDEX", 0, "JOB_COMPLETIONS", "a Kubernetes indexed job"),
      ("AWS_BATCH_JOB_ARRAY_INDEX", 0, "AWS_BATCH_JOB_ARRAY_SIZE", "an AWS Batch array"),
      ("PARALLEL_SEQ", 1, "PARALLEL_TOTAL", "GNU parallel"),
    ]
    guard let (index, first, size, name) = others.first(where: { environment[$0.0] != nil }) else {
      return nil
    }
    self.init(
      index: number(index).map { $0 - first + 1 },
      of: number(size),
      by: size,
      scheduler: name
    )
  }

  /// A task of a scheduler that counts all tasks of an array, also those that are not run.
  private init(index: Int?, of count: Int?, by variable: String, scheduler: String) {
    self.scheduler = scheduler
    place = index
    self.count = count
    placeAmongGiven = index
    fixedCount = count
    countVariable = variable
  }

  /// A task of Slurm's, which counts the tasks that were submitted together.
  ///
  /// Task 3 of 4, submitted again alone (`--array=3`), gets variables for 1 of 1, and would migrate the
  /// parts of others. So the number of tasks is taken only from an array without gaps from 0 or 1; where
  /// the caller gives it, tasks count from 1, and the number of a task is its place.
  private init(slurm number: (String) -> Int?) {
    scheduler = "a Slurm array"
    countVariable = "SLURM_ARRAY_TASK_COUNT"
    fixedCount = nil
    let task = number("SLURM_ARRAY_TASK_ID")
    let first = number("SLURM_ARRAY_TASK_MIN")
    placeAmongGiven = first == 0 ? nil : task
    guard let task, let first, let last = number("SLURM_ARRAY_TASK_MAX"), first <= 1,
      last - first + 1 == number(countVariable)
    else {
      (place, count) = (nil, nil)
      return
    }
    place = task - first + 1
    count = last - first + 1
  }

  /// Returns the task's part of the stores.
  ///
  /// - Parameter given: The number of parts, where the caller gives it.
  /// - Throws: ``WaystoneError``, `badArgument`, where the variables do not contain it, or contradict
  ///   the caller.
  func shard(of given: Int?) throws(WaystoneError) -> BatchShard {
    guard let given else {
      guard let place, let count, let shard = BatchShard(index: place, count: count) else {
        throw WaystoneError(
          .badArgument,
          "This process is one task of \(scheduler), whose variables do not say which of how many.",
          recovery: "Number the tasks from 1, and say how many there are: --shard auto/8."
        )
      }
      return shard
    }
    guard fixedCount == nil || fixedCount == given else {
      throw WaystoneError(
        .badArgument,
        "\(countVariable) says \(fixedCount ?? 0) tasks, and --shard says \(given).",
        recovery: "Say the same number in both."
      )
    }
    guard let place = placeAmongGiven, let shard = BatchShard(index: place, count: given) else {
      throw WaystoneError(
        .badArgument,
        "This task of \(scheduler) is none of the tasks 1 to \(given).",
        recovery: "Number the tasks from 1 to \(given)."
      )
    }
    return shard
  }
}
