import Files
import Synchronization

/// The indexes of a database, read beside its tables, by a thread of their own.
///
/// What their entries are is only known; whether they are those of the tables is held against what those
/// need.
final class IndexProof: Sendable {
  /// An index to be read.
  struct Tree: Sendable {
    let name: String
    /// The table that it is of.
    let table: String
    let root: UInt32
    /// What its entries are; nil where nothing but their pages is looked at.
    let form: TableShape.Index?
  }

  /// What an index has.
  struct Entries: Sendable {
    let tree: Tree
    let count: Int64
    let sum: UInt64
    let isInOrder: Bool
    let pageCount: Int
  }

  /// All indexes, and the pages that they use.
  struct Found: Sendable {
    var indexes: [Entries] = []
    var account: PageAccount
  }

  private let trees: [Tree]
  private let reader: PageReader
  private let found = Mutex<Found?>(nil)
  private let isStopped = Atomic<Bool>(false)

  init(_ trees: [Tree], _ reader: PageReader) {
    self.trees = trees
    self.reader = reader
  }

  /// Reads all of them on another thread while a closure runs on this one.
  ///
  /// Small files are read on this thread: another would cost more than it saves.
  /// - Throws: What the closure throws, or ``Unproven`` where an index is not proven whole.
  func besides(
    stopping shouldContinue: @escaping () -> Bool,
    _ body: () throws -> Void
  ) throws -> Found {
    let isLarge = reader.layout.pageCount > Self.greatestSmallFile
    let thread =
      isLarge ? WorkThread { self.read { !self.isStopped.load(ordering: .relaxed) } } : nil
    do {
      defer { thread?.join() }
      do { try body() } catch {
        isStopped.store(true, ordering: .relaxed)
        throw error
      }
    }
    if thread == nil { read(shouldContinue) }
    guard let found = found.withLock({ $0 }) else { throw Unproven() }
    return found
  }

  /// The pages of a file of which reading takes less than a thread.
  private static let greatestSmallFile: UInt32 = 256

  private func read(_ shouldContinue: @escaping () -> Bool) {
    do throws(Unproven) {
      let all = try readAll(shouldContinue)
      found.withLock { $0 = all }
    } catch {
      // SQLite reads again, and tells itself what it cannot read.
      _ = SQLiteSystemCalls.takeFailedRead()
    }
  }

  private func readAll(_ shouldContinue: @escaping () -> Bool) throws(Unproven) -> Found {
    var walk = TreeWalk(reader, shouldContinue: shouldContinue)
    var indexes: [Entries] = []
    for tree in trees {
      let before = walk.pageCount
      var content = IndexContent(tree.form)
      try walk.walk(root: tree.root, &content)
      indexes.append(
        Entries(
          tree: tree,
          count: content.count,
          sum: content.sum,
          isInOrder: content.isInOrder,
          pageCount: walk.pageCount - before
        )
      )
    }
    return Found(indexes: indexes, account: walk.account)
  }
}
