#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The benchmarks to measure, and their parameters.
struct Options {
  /// The command that is measured.
  let waystone: String
  /// The program with a policy in Swift; nil where it was not built.
  let policies: String?
  /// The program with managed objects; nil where it was not built.
  let objects: String?
  /// The program with GRDB's rows; nil where it was not built.
  let rowProgram: String?
  /// Another build of the command.
  let other: String?
  /// The interpreter of the peers; nil where they are not installed.
  let python: String?
  /// The library that counts calls; nil where they are not counted.
  let library: String?
  let rows: Int
  let runs: Int
  /// The names of what is measured; nil for all but the comparison.
  let names: [String]?
  /// The folder of the stores.
  let parent: String
  /// A store of the base version that is there already.
  let store: String?
  /// The folder for the report of the comparison.
  let report: String?
  let isGate: Bool
  let isLarge: Bool
  /// The arguments as they were given to `Scripts/bench`.
  let command: String

  /// The names that `--only` accepts.
  static let known =
    Step.all.map(\.name)
    + ["imports", "heavy", "small", "start", "planning", "scale", "stores", "dump"]
    + ["objects", "comparison"]

  static let usage = """
    usage: Benchmarks --waystone PATH [--policies PATH] [--objects PATH] [--grdb PATH] [--peers PYTHON] [--calls LIBRARY]
                       [--rows N] [--runs N] [--only NAME,…] [--large] [--report FOLDER]
                       [--folder PATH] [--store PATH] [--against PATH] [--gate]

    --only names steps of the first table, or imports, heavy, small, start, planning, scale, stores,
    dump, objects, comparison. The comparison is measured only where it is named; --report writes it into a folder.
    --gate measures only counts and three ratios, in about a minute.
    --large also measures ten million rows, and the start beside a store of 1 GB.
    --store measures a store that `waystone generate` made of the version that --model prints.
    --against names another build of the command, which runs each migration in turn with this one.
    imports and planning read the models of public apps, in the folder that the environment's
    WAYSTONE_CORPUS names; heavy and small run hops that people wrote, by the program that
    --policies names. objects runs the program that --objects names, beside the one of --grdb.
    """

  /// - Throws: ``BenchmarkError`` with the usage where an argument is not known.
  init(_ arguments: [String]) throws {
    let flags = ["--gate", "--large"]
    let known = [
      "--waystone", "--policies", "--objects", "--grdb", "--peers", "--calls", "--rows", "--runs",
      "--folder", "--only",
      "--store", "--against", "--report",
    ]
    // What Scripts/bench adds by itself is no part of the command.
    let added = ["--waystone", "--policies", "--objects", "--grdb", "--peers", "--calls"]
    var values = ["--rows": "1000000", "--runs": "5"]
    var words = ["Scripts/bench"]
    var index = 0
    while index < arguments.count {
      let name = arguments[index]
      index += 1
      if flags.contains(name) {
        values[name] = ""
        words.append(name)
        continue
      }
      guard known.contains(name), index < arguments.count else {
        throw BenchmarkError(Self.usage)
      }
      values[name] = arguments[index]
      if !added.contains(name), name != "--folder" { words += [name, arguments[index]] }
      index += 1
    }
    guard let waystone = values["--waystone"],
      let rows = values["--rows"].flatMap({ Int($0) }), rows > 0,
      let runs = values["--runs"].flatMap({ Int($0) }), runs > 0
    else { throw BenchmarkError(Self.usage) }
    self.waystone = waystone
    policies = values["--policies"]
    objects = values["--objects"]
    rowProgram = values["--grdb"]
    other = values["--against"]
    python = values["--peers"]
    library = values["--calls"]
    self.rows = rows
    self.runs = runs
    names = values["--only"]?.split(separator: ",").map(String.init)
    if let unknown = names?.first(where: { !Self.known.contains($0) }) {
      throw BenchmarkError("There is no benchmark \(unknown).\n\(Self.usage)")
    }
    parent = values["--folder"] ?? FileManager.default.temporaryDirectory.path
    store = values["--store"]
    report = values["--report"]
    isGate = values["--gate"] != nil
    isLarge = values["--large"] != nil
    command = words.joined(separator: " ")
  }

  /// Whether a benchmark is measured; those of the models' steps are asked for one by one.
  func asks(for name: String) -> Bool { names?.contains(name) ?? (name != "comparison") }
}
