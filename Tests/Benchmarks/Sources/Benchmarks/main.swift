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

let usage = """
  usage: Benchmarks --waystone PATH [--policies PATH] [--rows N] [--runs N]
                     [--only STEP,…] [--folder PATH] [--store PATH] [--against PATH]

  --store measures a store that `waystone generate` made of the version that --model prints.
  --against names another build of the command, which runs each migration in turn with this one.
  --only planning measures but the paths between all versions of these models.
  --only scale measures but plans and coverage of a hundred and of a thousand versions.
  --only imports measures but the import of all versions of two public apps' models, which lie in
  the folder that the environment's WAYSTONE_CORPUS names; --only heavy measures but hops that
  people wrote, by the program that --policies names.
  """

do {
  let arguments = CommandLine.arguments
  if arguments.count == 4, arguments[1] == "vacuum" {
    try Database.vacuum(arguments[2], into: arguments[3])
    exit(0)
  }
  if arguments.count == 3, arguments[1] == "parse" {
    try XMLYardstick.parse(arguments[2])
    exit(0)
  }
  if arguments.count == 5, arguments[1] == "loop" {
    try RowLoop.copy(table: arguments[2], of: arguments[3], into: arguments[4])
    exit(0)
  }
  if arguments.dropFirst() == ["--model"] {
    print(ModelText().contents)
    exit(0)
  }
  var options = [
    "--rows": "1000000", "--runs": "5", "--folder": FileManager.default.temporaryDirectory.path,
  ]
  for index in stride(from: 1, to: arguments.count, by: 2) {
    guard index + 1 < arguments.count,
      [
        "--waystone", "--policies", "--rows", "--runs", "--folder", "--only", "--store",
        "--against",
      ].contains(arguments[index])
    else { throw BenchmarkError(usage) }
    options[arguments[index]] = arguments[index + 1]
  }
  guard let waystone = options["--waystone"], let parent = options["--folder"],
    let rows = options["--rows"].flatMap({ Int($0) }), rows > 0,
    let runs = options["--runs"].flatMap({ Int($0) }), runs > 0
  else { throw BenchmarkError(usage) }
  let names = options["--only"]?.split(separator: ",").map(String.init)
  let folder = "\(parent)/waystone-benchmark-\(ProcessInfo.processInfo.processIdentifier)"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  let benchmark = Benchmark(
    waystone: waystone,
    other: options["--against"],
    own: arguments[0],
    folder: folder,
    store: options["--store"],
    rows: rows,
    runs: runs,
    steps: Step.all.filter { names?.contains($0.name) ?? true }
  )
  var isWithinLimits = try benchmark.run()
  if names?.contains("imports") ?? true {
    let imports = ImportBenchmark(
      waystone: waystone,
      own: arguments[0],
      folder: folder,
      runs: runs
    )
    isWithinLimits = try imports.run() && isWithinLimits
  }
  if let program = options["--policies"], names?.contains("heavy") ?? true {
    let heavy = HeavyBenchmark(
      program: program,
      waystone: waystone,
      own: arguments[0],
      folder: folder,
      rows: rows,
      runs: runs
    )
    isWithinLimits = try heavy.run() && isWithinLimits
  }
  if names?.contains("planning") ?? true {
    let planning = PlanningBenchmark(waystone: waystone, folder: folder, runs: runs)
    isWithinLimits = try planning.run() && isWithinLimits
  }
  if names?.contains("scale") ?? true {
    let scale = ScaleBenchmark(waystone: waystone, folder: folder, runs: runs)
    isWithinLimits = try scale.run() && isWithinLimits
  }
  try FileManager.default.removeItem(atPath: folder)
  exit(isWithinLimits ? 0 : 1)
} catch {
  print("Benchmarks: \(error)")
  exit(2)
}
