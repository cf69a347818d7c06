/// The versions of a search space, by their positions in it.
///
/// A version is large and a graph may have a thousand, so the slice copies none.
struct VersionSlice: RandomAccessCollection {
  private let all: [VersionGroup]
  /// The index of each version, in the direction of the search.
  let indexes: [Int]

  /// Some versions of a graph, by their indexes.
  init(_ graph: VersionGraph, _ indexes: [Int]) {
    all = graph.nodes
    self.indexes = indexes
  }

  var startIndex: Int { 0 }
  var endIndex: Int { indexes.count }

  subscript(position: Int) -> VersionGroup { all[indexes[position]] }
}
