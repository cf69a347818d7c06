/// The keys that rows have and lead to, for the references that a proof is asked about.
struct ReferenceKeys {
  /// The sets that the keys of one table's rows are added to.
  struct Places {
    let sets: KeySets
    /// The set of the numbers of its rows; nil where no reference leads there.
    var own: Int?
    /// The set of each column that leads on, by the column's place.
    var columns: [Int: Int] = [:]
  }

  private let sets: KeySets
  private var places: [String: Places] = [:]
  private var ends: [(reference: PageVerification.Interest.Reference, from: Int, to: Int)] = []

  /// Room for the references between tables that rows have; of more than there are sets for, the first.
  ///
  /// - Throws: ``Unproven`` where there is no memory for them.
  init(
    _ references: [PageVerification.Interest.Reference],
    in shapes: [String: TableShape]
  ) throws(Unproven) {
    sets = try KeySets(count: references.isEmpty ? 0 : KeySets.greatestCount)
    var count = 0
    for reference in references {
      guard let shape = shapes[reference.table], let target = shapes[reference.target],
        target.numberColumn >= 0, let column = shape.columns.firstIndex(of: reference.column),
        !shape.defaulted.contains(column), column != shape.numberColumn,
        count + 2 <= KeySets.greatestCount
      else { continue }
      func set(_ known: Int?) -> Int {
        if known == nil { count += 1 }
        return known ?? count - 1
      }
      let own = set(places[reference.target]?.own)
      places[reference.target, default: Places(sets: sets)].own = own
      let from = set(places[reference.table]?.columns[column])
      places[reference.table, default: Places(sets: sets)].columns[column] = from
      ends.append((reference, from, own))
    }
  }

  /// Returns the sets for a table's keys; nil where no reference needs them.
  func of(_ table: String) -> Places? { places[table] }

  /// The keys found so far.
  var found: Found { Found(ends: ends, sets: sets.contents) }

  /// The keys that one thread, or all, found for the references.
  struct Found: Sendable {
    fileprivate let ends: [(reference: PageVerification.Interest.Reference, from: Int, to: Int)]
    fileprivate var sets: [KeySets.Keys]

    /// Adds what another thread found for the same references.
    mutating func merge(_ other: Found) {
      for set in sets.indices { sets[set].formUnion(other.sets[set]) }
    }

    /// The references whose keys all have a row.
    var whole: Set<PageVerification.Interest.Reference> {
      Set(ends.filter { sets[$0.from].isSubset(of: sets[$0.to]) }.map(\.reference))
    }
  }
}
