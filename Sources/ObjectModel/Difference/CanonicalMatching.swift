/// A one-to-one matching of the items of a source and a destination: entities, or the properties of two
/// entities.
///
/// The renaming identifier "creates a canonical name, so set the renaming identifier to the name of
/// the property in the source model (unless that property already has a renaming identifier)"
/// (Apple, *Migrating your data model automatically*). Apps do that, but they also set it to the
/// last name although there was an identifier, clear it once the rename has shipped, and mistype
/// it. So items match, one to one,
///
/// 1. where both name and canonical name are equal;
/// 2. where the canonical names are equal;
/// 3. where the destination's identifier is the source's name;
/// 4. where the names are equal.
///
/// A match by a later rule is a finding. Where a rule has a choice, or a destination that lost its item
/// to an earlier rule has as good a claim on it, the match is ambiguous rather than guessed.
package struct CanonicalMatching {
  /// An item's names.
  package struct Key: Hashable, Sendable {
    /// The name.
    package let name: String
    /// The renaming identifier, where there is one.
    package let renamingIdentifier: String?

    /// The names of an item.
    package init(name: String, renamingIdentifier: String?) {
      self.name = name
      self.renamingIdentifier = renamingIdentifier
    }

    /// The identifier, else the name.
    package var canonicalName: String { renamingIdentifier ?? name }
    /// The identifier, where it differs from the name.
    package var explicitIdentifier: String? {
      renamingIdentifier == name ? nil : renamingIdentifier
    }
  }

  /// The rule by which two items match.
  package enum Basis: Int, Sendable {
    /// The names and the canonical names are equal.
    case nameAndCanonicalName = 1
    /// The canonical names are equal.
    case canonicalName
    /// The destination's identifier is the source's name.
    case identifierIsSourceName
    /// The names are equal, and the canonical names are not.
    case nameOnly
  }

  /// The match of an item of the destination.
  package struct Match {
    /// The index of the item of the source.
    package let source: Int
    /// The rule by which they match.
    package let basis: Basis
  }

  /// A group of items that have several candidates.
  package struct Ambiguity: Hashable {
    /// The name that they share.
    package let canonicalName: String
    /// The items of the source.
    package let sourceNames: [String]
    /// The items of the destination.
    package let destinationNames: [String]
  }

  /// The match of each item of the destination, if it has one.
  package private(set) var matches: [Match?]
  /// The items of the source that match none.
  package private(set) var unmatchedSources: [Int]
  /// The matches that were ambiguous, and so were not made.
  package private(set) var ambiguities: [Ambiguity] = []

  private let source: [Key]
  private let destination: [Key]
  private var isTaken: [Bool]

  /// Matches items whose names are unique on either side.
  ///
  /// - Complexity: O(*s* + *d*) where names and identifiers agree; O(*s* · *d*) in the items left
  ///   over after the first rule.
  package init(source: [Key], destination: [Key]) {
    var indexes: [String: Int] = [:]
    for (index, key) in source.enumerated() { indexes[key.name] = index }
    self.init(source: source, indexes: indexes, destination: destination)
  }

  /// The same where the place of each item of the source is known by its name.
  package init(source: [Key], indexes: [String: Int], destination: [Key]) {
    self.source = source
    self.destination = destination
    matches = Array(repeating: nil, count: destination.count)
    isTaken = Array(repeating: false, count: source.count)
    unmatchedSources = []
    matchEqualItems(indexes)
    unmatchedSources = source.indices.filter { !isTaken[$0] }
    if matches.contains(where: { $0 == nil }) {
      checkClaimsOnEqualItems()
      match(by: .canonicalName) { $0.canonicalName == $1.canonicalName }
      match(by: .identifierIsSourceName) { $0.name == $1.explicitIdentifier }
      match(by: .nameOnly) { $0.name == $1.name }
    }
  }

  private mutating func matchEqualItems(_ indexes: [String: Int]) {
    for (index, key) in destination.enumerated() {
      guard let other = indexes[key.name], source[other].canonicalName == key.canonicalName
      else { continue }
      matches[index] = Match(source: other, basis: .nameAndCanonicalName)
      isTaken[other] = true
    }
  }

  /// Finds destinations whose identifier names an item that lives on under its name.
  private mutating func checkClaimsOnEqualItems() {
    for (index, key) in destination.enumerated() where matches[index] == nil {
      guard let identifier = key.explicitIdentifier,
        let other = source.indices.first(where: { isTaken[$0] && source[$0].name == identifier }),
        source[other].canonicalName == identifier
      else { continue }
      ambiguities.append(
        Ambiguity(
          canonicalName: identifier,
          sourceNames: [source[other].name],
          destinationNames: [source[other].name, key.name]
        )
      )
    }
  }

  private mutating func match(by basis: Basis, where isMatch: (Key, Key) -> Bool) {
    let open = destination.indices.filter { matches[$0] == nil }
    var pairs: [(source: Int, destination: Int)] = []
    for index in open {
      let candidates = unmatchedSources.filter { isMatch(source[$0], destination[index]) }
      guard let first = candidates.first else { continue }
      let rivals = open.filter {
        $0 != index && (isMatch(source[first], destination[$0]) || isNamesake($0, of: first))
      }
      let doubts = unmatchedSources.filter {
        $0 != first && source[$0].name == destination[index].explicitIdentifier
      }
      if candidates.count == 1, rivals.isEmpty, doubts.isEmpty {
        pairs.append((first, index))
      } else {
        record(
          Ambiguity(
            canonicalName: destination[index].canonicalName,
            sourceNames: Set(candidates + doubts).sorted().map { source[$0].name },
            destinationNames: ([index] + rivals).sorted().map { destination[$0].name }
          )
        )
      }
    }
    for pair in pairs {
      matches[pair.destination] = Match(source: pair.source, basis: basis)
      isTaken[pair.source] = true
    }
    unmatchedSources.removeAll { isTaken[$0] }
  }

  /// Returns whether an item of the destination has the name of one of the source, and no identifier
  /// states that it was another item of the source before.
  private func isNamesake(_ index: Int, of candidate: Int) -> Bool {
    let key = destination[index]
    return key.name == source[candidate].name
      && !unmatchedSources.contains { source[$0].canonicalName == key.canonicalName }
  }

  private mutating func record(_ ambiguity: Ambiguity) {
    if !ambiguities.contains(ambiguity) { ambiguities.append(ambiguity) }
  }
}

extension EntityDescription {
  /// The names by which the entity matches.
  package var key: CanonicalMatching.Key {
    CanonicalMatching.Key(name: name, renamingIdentifier: renamingIdentifier)
  }
}

extension PropertyDescription {
  /// The names by which the property matches.
  package var key: CanonicalMatching.Key {
    let identifier =
      switch self {
      case .attribute(let attribute): attribute.renamingIdentifier
      case .relationship(let relationship): relationship.renamingIdentifier
      case .fetchedProperty(let property): property.renamingIdentifier
      }
    return CanonicalMatching.Key(name: name, renamingIdentifier: identifier)
  }
}
