import Synchronization

/// The object graph in a file of `NSKeyedArchiver`, read without instantiating any class.
///
/// Objects are handles by number, so graphs with cycles (a model, its entities, their properties) can
/// be traversed with a table of visited numbers. All references were checked when the archive was read:
/// following one never fails, until all of them together were followed far more often than there are
/// objects. Objects that are shared level by level are few bytes and would take forever; from then on
/// everything is absent, and ``checkEffort()`` throws.
package final class KeyedArchive: Sendable {
  /// The names of an archived object's class and its superclasses.
  struct ClassEntry: Hashable, Sendable {
    var name: String
    var hierarchy: [String]
  }

  /// The archived slots, by number; slot 0 is the archiver's `$null`.
  let objects: [PropertyList]
  /// The slots that describe classes.
  let classes: [Int: ClassEntry]
  private let top: [String: PropertyList]
  /// The number of references that may still be followed, long text counting as several.
  private let effort: Atomic<Int>

  /// Reads a binary property list and checks that it is a keyed archive.
  ///
  /// - Throws: `PropertyListError`.
  /// - Complexity: O(n) in the number of bytes.
  package convenience init(_ bytes: [UInt8]) throws(PropertyListError) {
    try self.init(PropertyList(binary: bytes))
  }

  /// Checks that a property list is a keyed archive.
  ///
  /// - Throws: `PropertyListError`, also where any reference leads nowhere.
  package init(_ list: PropertyList) throws(PropertyListError) {
    guard case .dictionary(let root) = list, root["$archiver"]?.string == "NSKeyedArchiver",
      let objects = root["$objects"]?.array, let top = root["$top"]?.dictionary
    else {
      throw PropertyListError(
        .notAnArchive,
        "The property list has no $archiver \"NSKeyedArchiver\" with $objects and $top."
      )
    }
    guard root["$version"] == .integer(100_000) else {
      throw PropertyListError(.notAnArchive, "The keyed archive's $version is not 100000.")
    }
    for (number, object) in objects.enumerated() {
      try Self.checkReferences(in: object, of: "object \(number)", count: objects.count)
    }
    try Self.checkReferences(in: .dictionary(top), of: "$top", count: objects.count)
    self.objects = objects
    self.top = top
    effort = Atomic(Self.leastEffort + 8 * objects.count)
    classes = try Self.classEntries(in: objects)
  }

  /// The number of references that may be followed besides eight for each object.
  ///
  /// Compiled models in 41 stores of public apps take fewer than eight for each object.
  private static let leastEffort = 500_000

  /// Checks that what was read so far was all there.
  ///
  /// - Throws: `PropertyListError` where references were followed too often.
  package func checkEffort() throws(PropertyListError) {
    if let error = exhausted { throw error }
  }

  /// The error that references were followed too often; nil where they were not.
  var exhausted: PropertyListError? {
    guard isExhausted else { return nil }
    return PropertyListError(
      .tooLarge,
      "The \(objects.count) objects of the archive are shared so often that they expand without end."
    )
  }

  /// Returns the value that was archived under the key; nil where it is absent or was nil.
  package func top(_ key: String) -> ArchivedValue? { top[key].flatMap(resolve) }

  /// The keys under which something was archived at the top.
  package var topKeys: Set<String> { Set(top.keys) }

  /// The archive's one object, archived under the key `root`.
  ///
  /// - Throws: `PropertyListError` where that is no object.
  package var root: ArchivedObject {
    get throws(PropertyListError) {
      guard case .object(let object) = top("root") else {
        throw PropertyListError(.unexpectedValue, "The archive's $top has no object \"root\".")
      }
      return object
    }
  }

  /// Returns the value of a stored one, with references followed; nil where that is `$null`.
  func resolve(_ stored: PropertyList) -> ArchivedValue? {
    guard case .uid(let number) = stored else {
      if case .null = stored { return nil }
      return spend(1) ? .plain(stored) : nil
    }
    guard number > 0, let index = Int(exactly: number), index < objects.count else { return nil }
    // Text is split and compared wherever it is met.
    let length = if case .string(let text) = objects[index] { text.utf8.count } else { 0 }
    guard spend(length < 64 ? 1 : length / 4) else { return nil }
    switch objects[index] {
    case .null: return nil
    case .string("$null"): return nil
    case .dictionary(let fields):
      guard case .uid(let reference) = fields["$class"], let slot = Int(exactly: reference),
        let entry = classes[slot]
      else { return .plain(objects[index]) }
      return .object(ArchivedObject(archive: self, index: index, entry: entry, fields: fields))
    default: return .plain(objects[index])
    }
  }

  /// Whether references were followed too often.
  var isExhausted: Bool { effort.load(ordering: .relaxed) < 0 }

  private func spend(_ cost: Int) -> Bool {
    guard !isExhausted else { return false }
    return effort.subtract(cost, ordering: .relaxed).newValue >= 0
  }

  private static func checkReferences(
    in value: PropertyList,
    of place: String,
    count: Int
  ) throws(PropertyListError) {
    switch value {
    case .uid(let number) where number >= UInt64(count):
      throw PropertyListError(
        .danglingReference,
        "In the archive, \(place) refers to object \(number) of \(count)."
      )
    case .array(let items):
      for item in items { try checkReferences(in: item, of: place, count: count) }
    case .set(let items):
      for item in items { try checkReferences(in: item, of: place, count: count) }
    case .dictionary(let entries):
      for item in entries.values { try checkReferences(in: item, of: place, count: count) }
    default: return
    }
  }

  private static func classEntries(
    in objects: [PropertyList]
  ) throws(PropertyListError) -> [Int: ClassEntry] {
    var entries: [Int: ClassEntry] = [:]
    for (number, object) in objects.enumerated() {
      guard case .dictionary(let fields) = object, let name = fields["$classname"] else { continue }
      guard case .string(let text) = name else {
        throw PropertyListError(
          .unexpectedValue,
          "The $classname of object \(number) is \(name.kind), not a string."
        )
      }
      let hierarchy = (fields["$classes"]?.array ?? []).compactMap(\.string)
      entries[number] = ClassEntry(name: text, hierarchy: hierarchy.isEmpty ? [text] : hierarchy)
    }
    for (number, object) in objects.enumerated() {
      guard case .dictionary(let fields) = object, let reference = fields["$class"] else {
        continue
      }
      guard case .uid(let slot) = reference, Int(exactly: slot).flatMap({ entries[$0] }) != nil
      else {
        throw PropertyListError(
          .unexpectedValue,
          "The $class of object \(number) does not lead to a class."
        )
      }
    }
    return entries
  }
}
