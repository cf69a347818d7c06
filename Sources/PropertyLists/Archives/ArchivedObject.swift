/// An object of a keyed archive: its class's name and its values by key.
///
/// Two handles are equal if they refer to the same object of the same archive.
package struct ArchivedObject: Sendable {
  /// The archive that holds the object.
  package let archive: KeyedArchive
  /// The object's number in the archive.
  package let index: Int
  private let entry: KeyedArchive.ClassEntry
  private let fields: [String: PropertyList]

  init(
    archive: KeyedArchive,
    index: Int,
    entry: KeyedArchive.ClassEntry,
    fields: [String: PropertyList]
  ) {
    self.archive = archive
    self.index = index
    self.entry = entry
    self.fields = fields
  }

  /// The name of the object's class.
  package var className: String { entry.name }

  /// Returns whether the object is of the class or of one below it.
  package func isKind(of name: String) -> Bool {
    entry.name == name || entry.hierarchy.contains(name)
  }

  /// The keys under which the object archived something, without the archiver's own.
  package var keys: Set<String> { Set(fields.keys.filter { $0 != "$class" }) }

  /// The value under the key, its reference followed; nil where it is absent or was nil.
  package subscript(key: String) -> ArchivedValue? { fields[key].flatMap(archive.resolve) }

  /// Returns the value under the key as it is stored, references not followed.
  package func stored(_ key: String) -> PropertyList? { fields[key] }
}

extension ArchivedObject: Hashable {
  /// Returns whether both are the same object of the same archive.
  package static func == (left: Self, right: Self) -> Bool {
    left.index == right.index && left.archive === right.archive
  }

  /// Hashes the object's number.
  package func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

extension ArchivedObject {
  /// Returns the string under the key; nil where it is absent or was nil.
  ///
  /// - Throws: `PropertyListError` where the value is no string.
  package func string(_ key: String) throws(PropertyListError) -> String? {
    try decoded(key, "a string") { $0.string }
  }

  /// Returns the whole number under the key; nil where it is absent.
  ///
  /// - Throws: `PropertyListError` where the value is no whole number.
  package func integer(_ key: String) throws(PropertyListError) -> Int64? {
    try decoded(key, "a whole number") { $0.integer }
  }

  /// Returns the truth value under the key; false where it is absent, as `decodeBool(forKey:)` gives.
  ///
  /// - Throws: `PropertyListError` where the value is no truth value.
  package func flag(_ key: String) throws(PropertyListError) -> Bool {
    try decoded(key, "a truth value") { $0.boolean } ?? false
  }

  /// Returns the object under the key; nil where it is absent or was nil.
  ///
  /// - Throws: `PropertyListError` where the value is no object.
  package func object(_ key: String) throws(PropertyListError) -> ArchivedObject? {
    try decoded(key, "an object") { $0.object }
  }

  /// Returns the elements of the array or set under the key; nil where it is absent or was nil.
  ///
  /// - Throws: `PropertyListError` where the value is no collection.
  package func elements(_ key: String) throws(PropertyListError) -> [ArchivedValue]? {
    try decoded(key, "an array or a set") { $0.elements }
  }

  /// Returns the entries of the dictionary under the key, in archived order; nil where it is absent.
  ///
  /// - Throws: `PropertyListError` where the value is no dictionary with strings as keys.
  package func entries(
    _ key: String
  ) throws(PropertyListError) -> [(key: String, value: ArchivedValue)]? {
    try decoded(key, "a dictionary with strings as keys") { $0.entries }
  }

  private func decoded<Value>(
    _ key: String,
    _ expected: String,
    _ decode: (ArchivedValue) -> Value?
  ) throws(PropertyListError) -> Value? {
    guard let value = self[key] else { return nil }
    guard let result = decode(value) else { throw unexpected(key, expected) }
    return result
  }

  /// Returns the error that the value under the key is not what the object's class requires.
  package func unexpected(_ key: String, _ expected: String) -> PropertyListError {
    archive.exhausted
      ?? PropertyListError(
        .unexpectedValue,
        "\(key) of object \(index) (\(className)) is \(self[key]?.kind ?? "absent"), not \(expected)."
      )
  }
}
