/// What a search met beside stores.
package struct SearchTally: Hashable, Codable, Sendable {
  /// Something that was refused, could not be looked at, or is named as a store and is no database.
  package struct Oddity: Hashable, Codable, Sendable {
    /// What reports call it: as a store, its path from the root.
    package var name: String
    /// Why, in a sentence.
    package var reason: String

    package init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }
  }

  /// The files that were looked at, stores and what lies beside them included.
  package var files = 0
  /// Those that are no stores, nor part of one.
  package var others = 0
  /// What could not be taken, in the order in which it was met.
  package var oddities: [Oddity] = []

  /// What a search met; nothing, where it has just begun.
  package init(files: Int = 0, others: Int = 0, oddities: [(name: String, reason: String)] = []) {
    self.files = files
    self.others = others
    self.oddities = oddities.map { Oddity(name: $0.name, reason: $0.reason) }
  }

  mutating func add(_ name: String, _ reason: String) {
    oddities.append(Oddity(name: name, reason: reason))
  }
}
