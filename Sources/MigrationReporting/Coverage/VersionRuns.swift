internal import Waystone

/// A short text for some versions of a history, in which no range holds a version that is not meant.
package struct VersionRuns {
  /// The versions, oldest first, broken where one between them is not meant.
  private let runs: [[String]]

  /// The number of runs that are named.
  private static let limit = 3

  /// - Parameter order: All versions of the report, oldest first; others come after them.
  /// - Complexity: O(*n* log *n*) in the versions.
  package init(_ names: [String], in order: [String]) {
    let places = Dictionary(
      order.enumerated().map { ($1, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var seen: Set<String> = []
    let sorted = names.filter { seen.insert($0).inserted }.enumerated()
      .map { (name: $1, place: places[$1] ?? order.count + $0) }
      .sorted { $0.place < $1.place }
    var runs: [[String]] = []
    var last: Int?
    for (name, place) in sorted {
      if last == place - 1, place < order.count {
        runs[runs.count - 1].append(name)
      } else {
        runs.append([name])
      }
      last = place
    }
    self.runs = runs
  }

  /// The number of versions.
  package var count: Int { runs.reduce(0) { $0 + $1.count } }

  /// Returns the versions, a few by name and many as ranges with how many they are.
  ///
  /// - Parameter isVerbose: Whether each is named.
  package func text(isVerbose: Bool = false) -> String {
    guard count > 4, !isVerbose else { return runs.joined().joined(separator: ", ") }
    return "\(ranges(from: 3)) (\(count) versions)"
  }

  /// Returns the versions as ranges.
  ///
  /// - Parameter length: The least number of versions that are a range.
  package func ranges(from length: Int = 2) -> String {
    let shown = runs.prefix(Self.limit).map { run in
      run.count < length ? run.joined(separator: ", ") : "\(run[0]) – \(run[run.count - 1])"
    }
    let rest = runs.dropFirst(Self.limit).reduce(0) { $0 + $1.count }
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension CoverageReport.Model {
  /// The short names of the versions that the report covers, oldest first.
  var lookedAt: [String] {
    let places = Dictionary(
      order.enumerated().map { ($1, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var seen: Set<String> = []
    return paths.flatMap { names(of: $0) }.filter { seen.insert($0).inserted }.enumerated()
      .map { (name: $1, place: places[$1] ?? order.count + $0) }
      .sorted { $0.place < $1.place }.map { short($0.name) }
  }

  /// Returns a short text for versions; the names may be short ones.
  func text(of names: [String]) -> String {
    VersionRuns(names.map(short), in: lookedAt).text()
  }
}
