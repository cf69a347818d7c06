/// The likeness of names and shapes, used to suspect renames without an identifier.
package enum Similarity {
  /// A pair of things that may be one.
  struct Candidate {
    let old: Int
    let new: Int
    let similarity: Double
  }

  /// The similarity below which no rename is suspected.
  package static let threshold = 0.6

  /// Returns the most alike pairs, one to one, the most alike first.
  static func pairs(
    _ oldCount: Int,
    _ newCount: Int,
    _ similarity: (Int, Int) -> Double
  ) -> [Candidate] {
    var candidates: [Candidate] = []
    for old in 0..<oldCount {
      for new in 0..<newCount {
        let value = similarity(old, new)
        if value >= threshold {
          candidates.append(Candidate(old: old, new: new, similarity: value))
        }
      }
    }
    candidates.sort { ($1.similarity, $0.old, $0.new) < ($0.similarity, $1.old, $1.new) }
    var oldTaken: Set<Int> = []
    var newTaken: Set<Int> = []
    return candidates.filter { candidate in
      guard !oldTaken.contains(candidate.old), !newTaken.contains(candidate.new) else {
        return false
      }
      oldTaken.insert(candidate.old)
      newTaken.insert(candidate.new)
      return true
    }
  }

  /// Returns the pairs of properties that may be one: the most alike, then of the rest the only removed
  /// and the only added one of each type, of any names.
  static func pairs(
    _ removed: [PropertyDescription],
    _ added: [PropertyDescription]
  ) -> [Candidate] {
    var result = pairs(removed.count, added.count) { of(removed[$0], added[$1]) }
    func left(_ properties: [PropertyDescription], _ taken: Set<Int>) -> [String: [Int]] {
      Dictionary(
        grouping: properties.indices.filter {
          !taken.contains($0) && properties[$0].isPersistent
        },
        by: { type(of: properties[$0]) }
      )
    }
    let old = left(removed, Set(result.map(\.old)))
    let new = left(added, Set(result.map(\.new)))
    for (type, places) in old.sorted(by: { ByteOrder.precedes($0.key, $1.key) }) {
      guard places.count == 1, let others = new[type], others.count == 1 else { continue }
      let (gone, come) = (removed[places[0]], added[others[0]])
      result.append(Candidate(old: places[0], new: others[0], similarity: of(gone, come)))
    }
    return result
  }

  /// Returns the type that two properties must share so that one could hold the other's values or links.
  package static func type(of property: PropertyDescription) -> String {
    switch property {
    case .attribute(let attribute):
      "\(attribute.attributeType) \(attribute.derivationExpression == nil)"
        + (attribute.membership.map { " of \($0.attributeName)" } ?? "")
    case .relationship(let relationship):
      "\(relationship.destinationEntityName) \(relationship.isToMany)"
    case .fetchedProperty: "fetched"
    }
  }

  /// Returns the likeness of two entities: mostly by their properties, where those are more than two or
  /// equal, else by their names.
  static func of(
    _ oldName: String,
    _ old: Set<String>,
    _ newName: String,
    _ new: Set<String>
  ) -> Double {
    let all = old.union(new).count
    guard all > 2 || all > 0 && old == new else { return rounded(of(oldName, newName)) }
    let shared = Double(old.intersection(new).count) / Double(all)
    return rounded(0.7 * shared + 0.3 * of(oldName, newName))
  }

  /// Returns the likeness of two properties: mostly by their names; 0 where their types exclude each other.
  static func of(_ old: PropertyDescription, _ new: PropertyDescription) -> Double {
    switch (old, new) {
    case (.attribute(let old), .attribute(let new)):
      // An element is no other composite's, and an attribute's values are no element's.
      guard old.attributeType == new.attributeType, old.isPersistent == new.isPersistent,
        old.membership?.attributeName == new.membership?.attributeName
      else { return 0 }
      let shape = [
        old.isOptional == new.isOptional, old.defaultValue == new.defaultValue,
        old.valueTransformerName == new.valueTransformerName,
        old.usesScalarValueType == new.usesScalarValueType,
      ]
      let names = of(old.ownName, new.ownName)
      return rounded(0.8 * names + 0.2 * Double(shape.count { $0 }) / Double(shape.count))
    case (.relationship(let old), .relationship(let new)):
      guard old.isToMany == new.isToMany, old.isPersistent == new.isPersistent else { return 0 }
      let leadsAlike = old.destinationEntityName == new.destinationEntityName
      let leadsBackAlike = old.inverseName != nil && old.inverseName == new.inverseName
      return rounded(
        0.4 * of(old.name, new.name) + (leadsAlike ? 0.2 : 0) + (leadsBackAlike ? 0.4 : 0)
      )
    default: return 0
    }
  }

  /// Returns the likeness of two names: the pairs of letters they share (Dice's coefficient), without
  /// regard to case.
  package static func of(_ old: String, _ new: String) -> Double {
    let left = letterPairs(old)
    let right = letterPairs(new)
    guard !left.isEmpty, !right.isEmpty else { return old.lowercased() == new.lowercased() ? 1 : 0 }
    var counts: [[UInt8]: Int] = [:]
    for pair in left { counts[pair, default: 0] += 1 }
    var shared = 0
    for pair in right {
      guard let count = counts[pair], count > 0 else { continue }
      counts[pair] = count - 1
      shared += 1
    }
    return 2 * Double(shared) / Double(left.count + right.count)
  }

  private static func letterPairs(_ name: String) -> [[UInt8]] {
    let letters = Array(name.lowercased().utf8)
    return zip(letters, letters.dropFirst()).map { [$0, $1] }
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
