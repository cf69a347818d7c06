import ObjectModel
import PropertyLists

/// The values that Xcode's model editor hangs on an entity or a property, by their keys.
struct LegacyStereotype {
  private let object: ArchivedObject
  private let values: [String: ArchivedObject]
  private let file: String

  /// The owner's stereotype of a name.
  ///
  /// - Throws: ``ModelImportError`` where it has none.
  init(_ name: String, of owner: ArchivedObject, file: String) throws(ModelImportError) {
    let stereotypes = owner["XDBucketForStereotypesstorage"]?.entries
    guard let object = stereotypes?.first(where: { $0.key == name })?.value.object,
      let entries = object["XDBucketForOwnedAttributesstorage"]?.entries
    else {
      throw ModelImportError(
        owner.unexpected("XDBucketForStereotypesstorage", "a dictionary with \(name)"),
        file: file
      )
    }
    var values: [String: ArchivedObject] = [:]
    for entry in entries { values[entry.key] = entry.value.object }
    self.object = object
    self.values = values
    self.file = file
  }

  /// The value under a key; nil where it is absent or was nil.
  subscript(key: String) -> ArchivedValue? { values[key]?["_default"] }

  /// Returns the keys with a value that are none of those named, sorted.
  func keys(beyond known: Set<String>) -> [String] {
    values.keys.filter { !known.contains($0) && self[$0] != nil }.sorted()
  }

  /// Returns a truth value that goes into version hashes, where absent false.
  func flag(_ key: String) throws(ModelImportError) -> Bool {
    guard let value = self[key] else { return false }
    guard let flag = value.boolean else { throw damaged(key, "a truth value") }
    return flag
  }

  /// Returns a number that goes into version hashes, or nil where absent.
  func count(_ key: String) throws(ModelImportError) -> Int32? {
    guard let value = self[key] else { return nil }
    guard let number = value.integer, let count = Int32(exactly: number), count >= -1 else {
      throw damaged(key, "a count")
    }
    return count
  }

  /// Returns the text of a key; nil for empty text.
  func text(_ key: String) throws(ModelImportError) -> String? {
    guard let value = self[key] else { return nil }
    guard let text = value.string else { throw damaged(key, "a string") }
    return text.isEmpty ? nil : text
  }

  /// Lists of names; empty lists are left out.
  func lists(_ key: String) throws(ModelImportError) -> [[String]] {
    var lists: [[String]] = []
    guard let value = self[key] else { return lists }
    guard let members = value.elements else { throw damaged(key, "a list") }
    for member in members {
      let names = member.elements?.map(\.string) ?? [nil]
      guard !names.contains(nil) else { throw damaged(key, "a list of lists of names") }
      if !names.isEmpty { lists.append(names.compactMap(\.self)) }
    }
    return lists
  }

  /// Returns the error that a key does not hold what it should.
  func damaged(_ key: String, _ expected: String) -> ModelImportError {
    let kind = self[key]?.kind ?? "absent"
    return ModelImportError(
      PropertyListError(
        .unexpectedValue,
        "\(key) of object \(object.index) (\(object.className)) is \(kind), not \(expected)."
      ),
      file: file
    )
  }
}
