internal import MigrationPlanning
internal import ObjectModel
internal import Waystone

/// A range of consecutive versions with the same outcome, as one row of a report.
struct PathRange {
  /// The indexes of their paths in the model.
  private(set) var paths: [Int]
  /// The outcome that all of them share.
  let look: PathStyle
  /// Whether they lose different things.
  let isMixed: Bool

  /// Returns the ranges of a model's paths, in their order; a store's path is always a row of its own.
  ///
  /// - Parameter limit: The number of rows that are read at a glance; where there would be more, what is lost is no
  ///   difference.
  /// - Complexity: O(*p* · *f*) in the paths and their findings.
  static func ranges(of model: CoverageReport.Model, limit: Int = 25) -> [PathRange] {
    let looks = model.paths.map { PathStyle($0) }
    let fine = ranges(of: model, looks, isMixed: false)
    return fine.count <= limit ? fine : ranges(of: model, looks.map(\.inShort), isMixed: true)
  }

  private static func ranges(
    of model: CoverageReport.Model,
    _ looks: [PathStyle],
    isMixed: Bool
  ) -> [PathRange] {
    var ranges: [PathRange] = []
    for (index, path) in model.paths.enumerated() {
      let hasStore = path.store != nil || index > 0 && model.paths[index - 1].store != nil
      if !hasStore, ranges.last?.look == looks[index] {
        ranges[ranges.count - 1].paths.append(index)
      } else {
        ranges.append(PathRange(paths: [index], look: looks[index], isMixed: isMixed))
      }
    }
    return ranges
  }
}
