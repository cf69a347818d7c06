/// The nodes of a route, by their positions on it.
///
/// A node is large and a graph may have a thousand: they stay where the graph has them.
struct VersionSlice: RandomAccessCollection {
  private let all: [VersionGroup]
  /// The index of each node, in the direction of the route.
  let indexes: [Int]

  /// Some nodes of a graph, by their indexes.
  init(_ graph: VersionGraph, _ indexes: [Int]) {
    all = graph.nodes
    self.indexes = indexes
  }

  var startIndex: Int { 0 }
  var endIndex: Int { indexes.count }

  subscript(position: Int) -> VersionGroup { all[indexes[position]] }
}
