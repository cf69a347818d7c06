/// The tables of a database, read one after the other.
struct TableProof: ~Copyable {
  private var walk: TreeWalk
  private let interest: PageProof.Interest
  /// What the rows of each table are, by its name.
  private(set) var rows: [String: PageProof.Rows] = [:]
  /// How many entries each index must have, and their sum, by its name.
  private(set) var sums: [String: (count: Int64, sum: UInt64)] = [:]
  /// The references of interest of which each key has a row.
  private(set) var wholeReferences: Set<PageProof.Interest.Reference> = []

  init(
    _ reader: PageReader,
    _ interest: PageProof.Interest,
    _ shouldContinue: @escaping () -> Bool
  ) {
    walk = TreeWalk(reader, shouldContinue: shouldContinue)
    self.interest = interest
  }

  /// The pages that are used so far.
  var account: PageAccount { walk.account }

  /// Reads the table of the schema, and all others.
  mutating func read(
    _ trees: [PageProof.Tree],
    _ shapes: [String: TableShape]
  ) throws(Unproven) {
    var own = TableContent()
    try walk.walk(root: 1, &own)
    let keys = try ReferenceKeys(interest.references, in: shapes)
    for tree in trees {
      guard let shape = shapes[tree.name] else { throw Unproven() }
      try read(tree, shape, keys.of(tree.name))
    }
    wholeReferences = keys.whole
  }

  private mutating func read(
    _ tree: PageProof.Tree,
    _ shape: TableShape,
    _ keys: ReferenceKeys.Places?
  ) throws(Unproven) {
    let before = walk.pageCount
    var content = TableContent(shape, keys: keys, sums: interest.sums)
    try walk.walk(root: tree.root, &content)
    for (place, index) in shape.indexes.enumerated() {
      sums[index.name] = (content.count, content.sum(place))
    }
    var facts = content.facts(shape)
    facts.pageCount = Int64(walk.pageCount - before)
    rows[tree.name] = facts
  }
}
