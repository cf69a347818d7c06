#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs the program's own measured part where it was started for that; returns false where it was not.
func runYardstick(_ arguments: [String]) throws -> Bool {
  switch (arguments.first, arguments.count) {
  case ("vacuum", 3): try Database.vacuum(arguments[1], into: arguments[2])
  case ("copy", 3): try Database.copy(arguments[1], to: arguments[2])
  case ("sql", 3):
    let script = FileManager.default.contents(atPath: arguments[1]) ?? Data()
    try Database.run(String(decoding: script, as: UTF8.self), in: arguments[2])
  case ("parse", 2): try XMLYardstick.parse(arguments[1])
  case ("loop", 4):
    try RowLoop.copy(table: arguments[1], of: arguments[2], into: arguments[3])
  case ("objects", 4): try ObjectLoop.run(arguments[1], arguments[2], rows: Int(arguments[3]) ?? 0)
  case ("--model", 1): print(ModelText().contents)
  default: return false
  }
  return true
}

/// Measures what was asked for; whether all limits hold.
func measure(_ options: Options, own: String, folder: String) throws -> Bool {
  let (waystone, rows, runs) = (options.waystone, options.rows, options.runs)
  if options.isGate {
    return try Gate(
      waystone: waystone,
      policies: options.policies,
      library: options.library,
      own: own,
      folder: folder
    ).run()
  }
  var isWithinLimits = try Benchmark(
    waystone: waystone,
    other: options.other,
    own: own,
    folder: folder,
    store: options.store,
    rows: rows,
    runs: runs,
    steps: Step.all.filter { options.asks(for: $0.name) }
  ).run()
  if options.asks(for: "imports") {
    let imports = ImportBenchmark(waystone: waystone, own: own, folder: folder, runs: runs)
    isWithinLimits = try imports.run() && isWithinLimits
  }
  if let program = options.policies, options.asks(for: "heavy") {
    let heavy = HeavyBenchmark(
      program: program,
      waystone: waystone,
      own: own,
      folder: folder,
      rows: rows,
      runs: runs
    )
    isWithinLimits = try heavy.run() && isWithinLimits
  }
  if let program = options.policies, options.asks(for: "small") {
    let small = SmallStoreBenchmark(
      program: program,
      waystone: waystone,
      library: options.library,
      folder: folder,
      runs: runs
    )
    isWithinLimits = try small.run() && isWithinLimits
  }
  if options.asks(for: "start") {
    let start = StartBenchmark(
      waystone: waystone,
      folder: folder,
      runs: runs,
      isLarge: options.isLarge
    )
    isWithinLimits = try start.run() && isWithinLimits
  }
  if options.asks(for: "planning") {
    let planning = PlanningBenchmark(waystone: waystone, folder: folder, runs: runs)
    isWithinLimits = try planning.run() && isWithinLimits
  }
  if options.asks(for: "scale") {
    let scale = ScaleBenchmark(waystone: waystone, folder: folder, runs: runs)
    isWithinLimits = try scale.run() && isWithinLimits
  }
  if options.asks(for: "stores") {
    let stores = StorePlanBenchmark(waystone: waystone, folder: folder, runs: runs)
    isWithinLimits = try stores.run() && isWithinLimits
  }
  if options.asks(for: "dump") {
    let dump = DumpBenchmark(waystone: waystone, folder: folder, rows: rows, runs: runs)
    isWithinLimits = try dump.run() && isWithinLimits
  }
  if let program = options.objects, options.asks(for: "objects") {
    let objects = ObjectBenchmark(
      program: program,
      rowProgram: options.rowProgram,
      waystone: waystone,
      own: own,
      folder: folder,
      rows: min(rows, ObjectBenchmark.greatestRows),
      runs: runs
    )
    isWithinLimits = try objects.run() && isWithinLimits
  }
  if options.asks(for: "comparison") {
    let comparison = ComparisonBenchmark(
      waystone: waystone,
      own: own,
      python: options.python,
      library: options.library,
      folder: folder,
      rows: rows,
      runs: runs,
      isLarge: options.isLarge
    )
    isWithinLimits =
      try comparison.run(report: options.report, command: options.command) && isWithinLimits
  }
  return isWithinLimits
}

do {
  let arguments = Array(CommandLine.arguments.dropFirst())
  if try runYardstick(arguments) { exit(0) }
  let options = try Options(arguments)
  let folder = "\(options.parent)/waystone-benchmark-\(ProcessInfo.processInfo.processIdentifier)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let isWithinLimits = try measure(options, own: CommandLine.arguments[0], folder: folder)
  try FileManager.default.removeItem(atPath: folder)
  exit(isWithinLimits ? 0 : 1)
} catch {
  print("Benchmarks: \(error)")
  exit(2)
}
