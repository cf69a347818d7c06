/// The counts of a search: files that are no stores, and oddities.
package struct SearchTally: Hashable, Codable, Sendable {
  /// A file or folder that was refused or could not be read, or a file named as a store that is no database.
  package struct Oddity: Hashable, Codable, Sendable {
    /// The oddity's name in reports: as a store's, its path from the root.
    package var name: String
    /// The reason, as a sentence.
    package var reason: String

    package init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }
  }

  /// The number of files examined, stores and the files beside them included.
  package var files = 0
  /// The number of files that are no stores, nor part of one.
  package var others = 0
  /// The oddities, in the order in which the search found them.
  package var oddities: [Oddity] = []

  /// A tally with given counts; empty by default.
  package init(files: Int = 0, others: Int = 0, oddities: [(name: String, reason: String)] = []) {
    self.files = files
    self.others = others
    self.oddities = oddities.map { Oddity(name: $0.name, reason: $0.reason) }
  }

  mutating func add(_ name: String, _ reason: String) {
    oddities.append(Oddity(name: name, reason: reason))
  }
}
