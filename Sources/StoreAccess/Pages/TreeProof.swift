import Files
import Synchronization

/// The trees of a database, read by as many threads as there are processors.
///
/// Each thread takes a tree, or a part of a large table's, as long as any are left. The entries of
/// indexes are only collected here, and compared with the entries that the tables need afterwards.
final class TreeProof: Sendable {
  /// The unit of work of a thread.
  enum Unit: Sendable {
    case schema
    case index(Index)
    case table(PageVerification.Tree, TableShape, TreePart)
  }

  /// An index to be read.
  struct Index: Sendable {
    let name: String
    /// The table that it is of.
    let table: String
    let root: UInt32
    /// The form of its entries; nil where only their pages are checked.
    let form: TableShape.Index?
  }

  /// The facts about an index.
  struct Entries: Sendable {
    let index: Index
    let count: Int64
    let sum: UInt64
    let isInOrder: Bool
    let pageCount: Int
  }

  /// The facts about a table, or a part of one.
  struct Table: Sendable {
    var rows: PageVerification.Rows
    /// The sum of the rows as each of the shape's indexes must have it.
    var sums: [UInt64]
    let height: Int

    /// Adds another part of the table.
    ///
    /// - Throws: ``Unproven`` where it is not as deep.
    mutating func merge(_ other: Table) throws(Unproven) {
      guard height == other.height else { throw Unproven() }
      rows.merge(other.rows)
      for place in sums.indices { sums[place] &+= other.sums[place] }
    }
  }

  /// The results of the reading.
  struct Found: Sendable {
    var indexes: [Entries] = []
    var tables: [String: Table] = [:]
    var account: PageAccount
    var keys: ReferenceKeys.Found

    fileprivate mutating func merge(_ other: Found) throws(Unproven) {
      indexes += other.indexes
      for (name, table) in other.tables { try add(table, name) }
      try account.merge(other.account)
      keys.merge(other.keys)
    }

    fileprivate mutating func add(_ table: Table, _ name: String) throws(Unproven) {
      guard tables[name] != nil else {
        tables[name] = table
        return
      }
      try tables[name]?.merge(table)
    }
  }

  private let reader: PageReader
  private let units: [Unit]
  private let shapes: [String: TableShape]
  private let interest: PageVerification.Interest
  private let next = Atomic<Int>(0)
  private let isStopped = Atomic<Bool>(false)
  private let pagesRead = Atomic<Int>(0)
  private let found = Mutex<[Found]>([])

  /// - Parameter partCount: The parts into which large tables are cut.
  init(
    _ trees: [PageVerification.Tree],
    _ shapes: [String: TableShape],
    _ reader: PageReader,
    _ interest: PageVerification.Interest,
    partCount: Int
  ) throws(Unproven) {
    self.reader = reader
    self.shapes = shapes
    self.interest = interest
    let forms = Dictionary(
      shapes.values.flatMap { $0.indexes.map { ($0.name, $0) } },
      uniquingKeysWith: { first, _ in first }
    )
    var units: [Unit] = [.schema]
    // Whole indexes first, so that threads end alike.
    for tree in trees where !tree.isTable {
      let form = forms[tree.name]
      units.append(
        .index(Index(name: tree.name, table: tree.table, root: tree.root, form: form))
      )
    }
    for tree in trees where tree.isTable {
      guard let shape = shapes[tree.name] else { throw Unproven() }
      for part in try TreePart.parts(of: tree.root, reader, most: partCount) {
        units.append(.table(tree, shape, part))
      }
    }
    self.units = units
  }

  /// Reads all of them.
  ///
  /// Small files are read by this thread alone: another would cost more than it saves.
  /// - Parameters:
  ///   - onProgress: Called on this thread, after each tree or part that it has read.
  ///   - shouldContinue: Called on this thread.
  /// - Throws: ``Unproven`` where a tree is not proven whole.
  func read(
    _ onProgress: PageVerification.Progress?,
    _ shouldContinue: @escaping () -> Bool
  ) throws(Unproven) -> Found {
    let count = reader.layout.pageCount > Self.greatestSmallFile ? WorkThread.processorCount : 1
    let helpers = (0..<min(count, units.count) - 1).compactMap { _ in
      WorkThread { self.run(nil) { true } }
    }
    run(onProgress, shouldContinue)
    for helper in helpers { helper.join() }
    let parts = found.withLock { $0 }
    guard !isStopped.load(ordering: .relaxed), var all = parts.first else { throw Unproven() }
    for part in parts.dropFirst() { try all.merge(part) }
    return all
  }

  /// The greatest number of pages of a file that this thread reads faster than it starts another.
  private static let greatestSmallFile: UInt32 = 256

  private func run(_ onProgress: PageVerification.Progress?, _ shouldContinue: @escaping () -> Bool)
  {
    do throws(Unproven) {
      let own = try readUnits(onProgress) {
        !self.isStopped.load(ordering: .relaxed) && shouldContinue()
      }
      found.withLock { $0.append(own) }
    } catch {
      isStopped.store(true, ordering: .relaxed)
      // SQLite reads again, and reports itself what it cannot read.
      _ = SQLiteSystemCalls.takeFailedRead()
    }
  }

  /// Reads what is next until nothing is left.
  private func readUnits(
    _ onProgress: PageVerification.Progress?,
    _ shouldContinue: @escaping () -> Bool
  ) throws(Unproven) -> Found {
    var walk = BTreeReader(reader, shouldContinue: shouldContinue)
    let keys = try ReferenceKeys(interest.references, in: shapes)
    var own = Found(account: walk.account, keys: keys.found)
    while true {
      let number = next.add(1, ordering: .relaxed).oldValue
      guard number < units.count else { break }
      let before = walk.pageCount
      switch units[number] {
      case .schema:
        var content = TableContent()
        _ = try walk.walk(root: 1, .whole, &content)
      case .index(let index):
        var content = IndexContent(index.form)
        _ = try walk.walk(root: index.root, .whole, &content)
        own.indexes.append(
          Entries(
            index: index,
            count: content.count,
            sum: content.sum,
            isInOrder: content.isInOrder,
            pageCount: walk.pageCount - before
          )
        )
      case .table(let tree, let shape, let part):
        var content = TableContent(shape, keys: keys.of(tree.name), sums: interest.sums)
        let height = try walk.walk(root: tree.root, part, &content)
        var rows = content.facts(shape)
        rows.pageCount = Int64(walk.pageCount - before)
        let sums = shape.indexes.indices.map { content.sum($0) }
        try own.add(Table(rows: rows, sums: sums, height: height), tree.name)
      }
      let count = walk.pageCount - before
      let read = pagesRead.add(count, ordering: .relaxed).newValue
      onProgress?(Int64(read), Int64(reader.layout.pageCount))
    }
    (own.account, own.keys) = (walk.account, keys.found)
    return own
  }
}
