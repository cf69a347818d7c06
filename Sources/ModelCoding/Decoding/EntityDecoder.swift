import ObjectModel
import PropertyLists

/// A decoder of archived entities, which notes what has no place in their values.
struct EntityDecoder {
  /// The properties of all entities together, inherited ones counted again, that are read.
  private static let maximumProperties = 50_000

  /// The findings that are noted; an archive with more is none of a model.
  private static let maximumFindings = 10_000

  private(set) var findings: [Finding] = []
  /// The composites of the attributes read so far, by the names given to them.
  private(set) var composites: [CompositeDescription] = []
  /// The names given to elements, by the name wished for.
  private var compositeNames: [CompositeDescription: String] = [:]
  private var compositeCounts: [String: Int] = [:]
  private(set) var isExhausted = false
  private var predicates = PredicateDecoder()
  private var visited = 0

  mutating func entity(
    _ object: ArchivedObject,
    named name: String
  ) throws(PropertyListError) -> EntityDescription {
    var entity = EntityDescription(name: name)
    let place = Finding.Place(entity: name)
    entity.managedObjectClassName = try object.string("NSClassNameForEntity")
    entity.isAbstract = try object.flag("NSIsAbstract")
    entity.versionHashModifier = try object.string("NSVersionHashModifier")
    entity.renamingIdentifier = try object.renamingIdentifier(unless: name)
    entity.userInfo = try userInfo(of: object, place: place)
    if entity.userInfo["com.apple.syncservices.Syncable"] == "NO" {
      entity.userInfo["com.apple.syncservices.Syncable"] = nil
      entity.isSyncable = false
    }
    entity.uniquenessConstraints = try tuples("NSUniqueTuples", of: object)
    entity.compoundIndexes = try tuples("NSCompoundIndexes", of: object)
    let parent = try object.object("NSSuperentity")
    entity.superentityName = try parent?.string("NSEntityName")
    try addProperties(of: object, to: &entity, parent: parent)
    var indexes: [FetchIndexDescription] = []
    for archived in try object.elements("NSFetchIndexDescriptions") ?? [] {
      guard let description = archived.object else { continue }
      indexes.append(try index(description, place: place))
    }
    entity.indexes = indexes
    return entity
  }

  /// Adds the properties that the entity declares itself.
  ///
  /// Archives list inherited ones too: as copies of the parent's, or as a proxy for them.
  private mutating func addProperties(
    of object: ArchivedObject,
    to entity: inout EntityDescription,
    parent: ArchivedObject?
  ) throws(PropertyListError) {
    var inherited: [String: ArchivedObject] = [:]
    for entry in try parent?.entries("NSProperties") ?? [] {
      inherited[entry.key] = entry.value.object
    }
    let entries = try object.entries("NSProperties") ?? []
    visited += entries.count + inherited.count
    isExhausted = isExhausted || visited > Self.maximumProperties
    guard !isExhausted else { return }
    var own: [PropertyDescription] = []
    for entry in entries {
      guard let property = entry.value.object else {
        throw object.unexpected("NSProperties", "a dictionary of properties")
      }
      let place = Finding.Place(entity: entity.name, property: entry.key)
      guard let above = inherited[entry.key] else {
        own.append(try self.property(property, named: entry.key, place: place))
        continue
      }
      guard property != above, property.className != "_NSPropertyDescriptionProxy" else {
        continue
      }
      let known = findings.count
      let redeclared = try self.property(property, named: entry.key, place: place)
      let original = try self.property(above, named: entry.key, place: place)
      if redeclared == original {
        findings.removeSubrange(known...)
      } else {
        own.append(redeclared)
      }
    }
    entity.attributes = own.compactMap(\.attribute)
    entity.relationships = own.compactMap(\.relationship)
    entity.fetchedProperties = own.compactMap { property in
      if case .fetchedProperty(let fetched) = property { fetched } else { nil }
    }
  }

  private mutating func property(
    _ object: ArchivedObject,
    named name: String,
    place: Finding.Place
  ) throws(PropertyListError) -> PropertyDescription {
    var object = object
    // A proxy leads to the inherited property; a chain of them is followed only so far.
    for _ in 0..<64 where object.className == "_NSPropertyDescriptionProxy" {
      guard let next = try object.object("NSUnderlyingProperty") else { break }
      object = next
    }
    if object.isKind(of: "NSRelationshipDescription") {
      return .relationship(try relationship(object, named: name, place: place))
    }
    if object.isKind(of: "NSFetchedPropertyDescription") {
      return .fetchedProperty(try fetchedProperty(object, named: name, place: place))
    }
    guard object.isKind(of: "NSAttributeDescription") else {
      throw PropertyListError(
        .unexpectedValue,
        "Object \(object.index) (\(object.className)) is no kind of property that is known."
      )
    }
    return .attribute(try attribute(object, named: name, place: place))
  }

  /// Counts elements of composites among the properties, whose number is bounded.
  mutating func count(elements: Int) {
    visited += elements
    isExhausted = isExhausted || visited > Self.maximumProperties
  }

  /// Keeps the elements of a composite under a name that no other elements have.
  mutating func add(composite elements: [AttributeDescription], named name: String) -> String {
    let base = name.prefix(1).uppercased() + name.dropFirst()
    let wished = CompositeDescription(name: base, attributes: elements)
    if let known = compositeNames[wished] { return known }
    let count = compositeCounts[base, default: 0]
    compositeCounts[base] = count + 1
    // A dot, which no attribute's name holds, so that no other base makes the same name.
    let given = count == 0 ? base : "\(base).\(count + 1)"
    compositeNames[wished] = given
    composites.append(CompositeDescription(name: given, attributes: elements))
    return given
  }

  mutating func note(_ message: String, at place: Finding.Place) {
    guard findings.count < Self.maximumFindings else {
      isExhausted = true
      return
    }
    findings.append(
      Finding(
        .unusableValue,
        .warning,
        at: place,
        message: message,
        remedy: "Nothing needs to be done for migrating; a model cache written anew lacks it."
      )
    )
  }

  mutating func predicate(
    _ key: String,
    of object: ArchivedObject,
    place: Finding.Place
  ) throws(PropertyListError) -> String? {
    guard let archived = try object.object(key) else { return nil }
    guard let predicate = predicates.predicate(archived) else {
      note("\(key) has a form that is not known and is left out.", at: place)
      return nil
    }
    return predicate.description
  }

  mutating func validation(_ archived: ArchivedValue) -> Predicate? {
    archived.object.flatMap { predicates.predicate($0) }
  }

  /// Returns the text of an index's expression: `self`, or a key path such as `entity`.
  mutating func expression(_ object: ArchivedObject?) -> String? {
    switch predicates.operand(object?["NSExpression"]?.object) {
    case .evaluatedObject: "self"
    case .keyPath(.evaluatedObject, let path): path.joined(separator: ".")
    default: nil
    }
  }

  func derivation(_ object: ArchivedObject) -> DerivationExpression? {
    predicates.derivation(object)
  }

  mutating func userInfo(
    of object: ArchivedObject,
    place: Finding.Place
  ) throws(PropertyListError) -> [String: String] {
    var result: [String: String] = [:]
    guard let pairs = object["NSUserInfo"]?.pairs else { return result }
    for (key, value) in pairs {
      guard let name = key.string, let text = value.string ?? Self.enumNote(name: key.string, value)
      else {
        note("An entry of the user info is no text and is left out.", at: place)
        continue
      }
      result[name] = text
    }
    return result
  }

  /// Returns SwiftData's note about an enum as text; nil for anything else.
  private static func enumNote(name: String?, _ value: ArchivedValue) -> String? {
    switch (name, value) {
    case (SwiftEnumNote.typeKey, .plain(.boolean(true))): return SwiftEnumNote.yes
    case (SwiftEnumNote.casesKey, _):
      guard let elements = value.elements else { return nil }
      let cases = elements.compactMap(\.string)
      let separator = SwiftEnumNote.separator
      guard cases.count == elements.count, !cases.contains(where: { $0.contains(separator) })
      else { return nil }
      return cases.joined(separator: String(separator))
    default: return nil
    }
  }

  private func tuples(
    _ key: String,
    of object: ArchivedObject
  ) throws(PropertyListError) -> [[String]] {
    (try object.elements(key) ?? []).map { ($0.elements ?? []).compactMap(\.string) }
  }
}

extension ArchivedObject {
  /// Returns the archived renaming identifier; archives always have one, the name where nothing else.
  func renamingIdentifier(unless name: String) throws(PropertyListError) -> String? {
    let text = try string("NSRenamingIdentifier")
    return text == name ? nil : text
  }
}
