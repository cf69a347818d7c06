#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A hop that somebody wrote, between two versions of which the second has one attribute more; run
/// by a program with a policy in Swift.
struct PolicyHop {
  /// The program with the policy.
  let program: String
  let waystone: String
  let folder: String

  private var archive: String { "\(folder)/policy.xcdatamodeld" }
  private var result: String { "\(folder)/policy-result.sqlite" }

  /// Writes the two versions and a store of the first, with so many notes.
  func makeStore(rows: Int) throws -> String {
    let store = "\(folder)/policy-\(rows).sqlite"
    for (version, model) in [("v1", ModelText()), ("v2", Self.next)] {
      let path = "\(archive)/\(version).xcdatamodel"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data(model.contents.utf8).write(to: URL(filePath: "\(path)/contents"))
    }
    _ = try Measurement.running(
      waystone,
      [
        "generate", "v1", "--models", archive, "--rows-of", "Note=\(rows)",
        "--rows-of", "Notebook=\(max(1, rows / 1000))", "--rows-of", "Tag=\(max(1, rows / 200))",
        "--seed", "1", "--output", store, "--quiet",
      ]
    )
    return store
  }

  /// Runs the hop: `policy` in Swift, or `sql`.
  func run(_ kind: String, _ store: String) throws -> Measurement {
    defer { removeResult() }
    let printed = "\(folder)/policy-printed.json"
    var measurement = try Measurement.running(program, arguments(kind, store), output: printed)
    measurement.check = try RunStages(printedInto: printed).check
    return measurement
  }

  /// Counts the calls of the hop.
  func count(_ kind: String, _ store: String, library: String) throws -> CallCount {
    defer { removeResult() }
    return try CallCount.running(program, arguments(kind, store), library: library, folder: folder)
  }

  /// Counts the calls of the same step as the command infers it.
  func countInferred(_ store: String, library: String) throws -> CallCount {
    defer { removeResult() }
    return try CallCount.running(
      waystone,
      [
        "migrate", store, "--output", result, "--to", "v2", "--models", archive, "--verify",
        "none", "--accept-unproven-names", "--quiet",
      ],
      library: library,
      folder: folder
    )
  }

  /// All that changes is that notes have one attribute more.
  private static let next = ModelText().changing {
    $0.append(("color", #"optional="YES" attributeType="String""#))
  }

  private func arguments(_ kind: String, _ store: String) -> [String] {
    [kind, store, result, archive, "none"]
  }

  private func removeResult() {
    for suffix in ["", "-wal", "-shm", ".waystone"] {
      try? FileManager.default.removeItem(atPath: result + suffix)
    }
  }
}
