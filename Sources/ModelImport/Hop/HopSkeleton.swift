package import ObjectModel

/// A hop file to begin with: the parts common to both versions are filled in, and each line that
/// only the user can fill has a `TODO`.
package struct HopSkeleton {
  /// The file's text; it can be read as it is.
  package private(set) var text = ""
  /// The number of lines that the user must fill.
  package private(set) var todoCount = 0

  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  /// The name in the destination of each entity of the source.
  private var successors: [String: String] = [:]

  /// The skeleton between two versions, under the names by which a project calls them.
  ///
  /// - Complexity: O(*p* log *p*) in the properties of both versions.
  package init(
    from first: ModelVersion,
    to last: ModelVersion,
    named names: (from: String, to: String)
  ) {
    source = first.model
    destination = last.model
    add("# How stores of \(names.from) become stores of \(names.to).", 0)
    add(
      "# Values are expressions as NSExpression reads them; entities and properties that are not",
      0
    )
    add("# named are carried. `waystone check --mappings FILE` says what is forgotten.", 0)
    add("from: \(Self.quoted(names.from))", 0)
    add("to: \(Self.quoted(names.to))", 0)
    addEntities()
  }

  private mutating func add(_ line: String, _ indentation: Int, todo: String? = nil) {
    text += String(repeating: "  ", count: indentation) + line.onOneLine
    if let todo {
      text += "  # TODO \(todo.onOneLine)"
      todoCount += 1
    }
    text += "\n"
  }

  // MARK: - Entities

  private mutating func addEntities() {
    func key(_ entity: EntityDescription) -> CanonicalMatching.Key {
      .init(name: entity.name, renamingIdentifier: entity.renamingIdentifier)
    }
    let matching = CanonicalMatching(
      source: source.entities.map(key),
      destination: destination.entities.map(key)
    )
    for (entity, match) in zip(destination.entities, matching.matches) {
      if let match { successors[source.entities[match.source].name] = entity.name }
    }
    var equal: [String] = []
    var changed: [(EntityDescription, EntityDescription)] = []
    var added: [EntityDescription] = []
    for (entity, match) in zip(destination.entities, matching.matches) {
      guard let old = match.map({ source.entities[$0.source] }) else {
        added.append(entity)
        continue
      }
      let isEqual =
        old.name == entity.name
        && source.entityVersionHashes[old.name] == destination.entityVersionHashes[entity.name]
      if isEqual { equal.append(entity.name) } else { changed.append((old, entity)) }
    }
    let removed = matching.unmatchedSources.map { source.entities[$0] }
    if !equal.isEmpty { add("# Carried as they are: \(equal.joined(separator: ", ")).", 0) }
    guard !(changed.isEmpty && added.isEmpty && removed.isEmpty) else { return }
    add("entities:", 0)
    for (old, new) in changed {
      guard new.isAbstract, !old.isAbstract else {
        addChanged(old, new)
        continue
      }
      add(
        "- drop: \(Self.quoted(old.name))",
        1,
        todo: "becomes abstract: all its objects go; or write, in the place of this line, `source: "
          + "\(Self.quoted(old.name))` and `destination:` with what they become"
      )
    }
    for entity in added {
      add(
        "- destination: \(Self.quoted(entity.name))",
        1,
        todo: entity.isAbstract
          ? nil : "new: no objects are made; name a `source:` if some objects become these"
      )
    }
    for entity in removed {
      add(
        "- drop: \(Self.quoted(entity.name))",
        1,
        todo: entity.isAbstract ? nil : "all its objects go; or say what becomes of them"
      )
    }
  }

  private mutating func addChanged(_ old: EntityDescription, _ new: EntityDescription) {
    add("- source: \(Self.quoted(old.name))", 1)
    if new.name != old.name { add("destination: \(Self.quoted(new.name))", 2) }
    let before = source.properties(of: old.name).map(\.property).filter(\.isPersistent)
    let after = destination.properties(of: new.name).map(\.property).filter(\.isPersistent)
    let matching = CanonicalMatching(source: before.map(\.key), destination: after.map(\.key))
    let pairs = zip(after, matching.matches).map { new, match in
      (new: new, old: match.map { before[$0.source] })
    }
    var unread = Set(before.map(\.name))
    let attributes = pairs.filter { $0.new.attribute != nil }
    if !attributes.isEmpty { add("attributes:", 2) }
    for pair in attributes {
      guard let attribute = pair.new.attribute else { continue }
      if add(attribute, from: pair.old?.attribute), let name = pair.old?.name {
        unread.remove(name)
      }
    }
    let relationships = pairs.filter { $0.new.relationship != nil }
    if !relationships.isEmpty { add("relationships:", 2) }
    for pair in relationships {
      let name = Self.quoted(pair.new.name)
      if let old = pair.old?.relationship {
        unread.remove(old.name)
        add(
          "\(name): {from: \(Self.quoted(old.name))}",
          3,
          todo: pair.new.relationship.flatMap { question(of: $0, from: old) }
        )
      } else {
        add(
          "\(name): null",
          3,
          todo:
            "new: leave it empty, or give it the links of a relationship of \(old.name), as in {from: owner, "
            + "mapping: AToB}: AToB is the entry of this file that makes B objects of the A objects to which "
            + "owner leads"
        )
      }
    }
    for property in before where unread.contains(property.name) {
      guard property.attribute?.derivationExpression == nil else { continue }
      add("# \(old.name).\(property.name)", 2, todo: "is read nowhere: what it holds is dropped")
    }
    var names: [String: String] = [:]
    for pair in pairs { if let earlier = pair.old { names[earlier.name] = pair.new.name } }
    let known = Set(old.uniquenessConstraints.map { Set($0.map { names[$0] ?? "" }) })
    for constraint in new.uniquenessConstraints where !known.contains(Set(constraint)) {
      add(
        "# \(new.name) by \(constraint.joined(separator: " and "))",
        2,
        todo: "is unique now: what of objects whose values are equal?"
      )
    }
  }

  /// Returns the question to the user about carried links; nil where there is none.
  private func question(
    of new: RelationshipDescription,
    from old: RelationshipDescription
  ) -> String? {
    let successor = successors[old.destinationEntityName]
    guard successor.map({ destination.isKind($0, of: new.destinationEntityName) }) == true else {
      return
        "led to \(old.destinationEntityName), leads to \(new.destinationEntityName): leave it empty (null); "
        + "or, where an entry of this file has `source: \(old.destinationEntityName)` and `destination: "
        + "\(new.destinationEntityName)`, name it: {from: \(old.name), mapping: "
        + "\(old.destinationEntityName)To\(new.destinationEntityName)}"
    }
    if let other = otherEnd(of: new, before: old) { return other }
    if old.isToMany, !new.isToMany { return "was to many, is to one: say which of them stays" }
    // A relationship to many may be empty unless it has a minimum.
    return old.isOptional && !new.isOptional && (!new.isToMany || new.minCount > 0)
      ? "is required now: what of objects that lead nowhere?" : nil
  }

  /// Returns the question for a relationship whose new other end had links of its own before.
  private func otherEnd(
    of new: RelationshipDescription,
    before old: RelationshipDescription
  ) -> String? {
    guard let inverse = destination.inverse(of: new) else { return nil }
    let former = source.inverse(of: old)
    let before = source.properties(of: old.destinationEntityName).map(\.property)
    let match = CanonicalMatching(source: before.map(\.key), destination: [inverse.property.key])
      .matches.first.flatMap(\.self)
    guard let match, let other = before[match.source].relationship,
      other.name != former?.property.name, former != nil || source.inverse(of: other) != nil
    else { return nil }
    return (former.map { "\($0.place) was the other end, " } ?? "had no other end, ")
      + "\(inverse.place) is it now and has links of its own: give one of the two its links, and write null "
      + "at the other"
  }

  // MARK: - Attributes

  /// Adds an attribute, and returns whether the source's is read.
  private mutating func add(
    _ attribute: AttributeDescription,
    from old: AttributeDescription?
  ) -> Bool {
    let name = Self.quoted(attribute.name)
    if attribute.derivationExpression != nil {
      add("# \(name) is derived: this file does not set it.", 3)
      return false
    }
    guard let old else {
      if attribute.defaultValue != nil {
        add("\(name): null  # new: has its default", 3)
      } else {
        let what = attribute.isOptional ? "say its value, or leave it empty" : "it needs a value"
        add("\(name): null", 3, todo: "new: \(what)")
      }
      return false
    }
    let value = Expression.source(old.name)
    guard attribute.attributeType.takesValues(of: old.attributeType) else {
      add(
        "\(name): null",
        3,
        todo: "was \(old.attributeType), is \(attribute.attributeType): for example "
          + Self.conversion(of: value, to: attribute.attributeType)
          + Self.warning(from: old.attributeType, to: attribute.attributeType)
      )
      return false
    }
    var todo: String?
    if old.attributeType != attribute.attributeType,
      !Self.widens(old.attributeType, attribute.attributeType)
    {
      todo = "was \(old.attributeType), is \(attribute.attributeType): do all values fit?"
    } else if old.isOptional, !attribute.isOptional, attribute.defaultValue == nil {
      todo = "is required now: what of objects without a value?"
    }
    add("\(name): \(Self.expression(value))", 3, todo: todo)
    return true
  }

  /// Returns whether every value of one type is one of the other.
  private static func widens(_ old: AttributeType, _ new: AttributeType) -> Bool {
    let order: [AttributeType] = [.boolean, .integer16, .integer32, .integer64, .decimal]
    if let first = order.firstIndex(of: old), let last = order.firstIndex(of: new) {
      return first < last
    }
    let reals: [AttributeType: [AttributeType]] = [
      .double: [.float, .integer32, .integer16, .boolean], .float: [.integer16, .boolean],
    ]
    return reals[new]?.contains(old) ?? false
  }

  private static func conversion(of value: Expression, to type: AttributeType) -> String {
    switch type {
    case .string: "CAST(\(value), \"NSString\")"
    case .date: "CAST(\(value), \"NSDate\")"
    case .decimal: "CAST(\(value), \"NSDecimalNumber\")"
    case _ where type.isNumeric: "CAST(\(value), \"NSNumber\")"
    default: "FUNCTION($entityPolicy, \"convert:\", \(value)) with a policy"
    }
  }

  /// Returns a warning about values that a conversion drops.
  private static func warning(from old: AttributeType, to new: AttributeType) -> String {
    old == .string && (new.isNumeric || new == .date)
      ? ", which gives nothing for a text that is no number" : ""
  }

  // MARK: - YAML

  /// Returns an expression as a YAML value: in quotation marks unless it is plainly one word.
  private static func expression(_ expression: Expression) -> String {
    let text = expression.description
    let isPlain = text.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "$") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
        || byte.isLetterOrDigit
    }
    return isPlain ? text : single(text)
  }

  /// Returns a name as a YAML value.
  private static func quoted(_ text: String) -> String {
    let isPlain =
      text.utf8.first.map { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") } ?? false
      && text.utf8.allSatisfy {
        $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
      }
    let isWord = !["null", "yes", "no", "true", "false", "on", "off", "y", "n"]
      .contains(text.lowercased())
    return isPlain && isWord ? text : single(text)
  }

  private static func single(_ text: String) -> String {
    text == text.onOneLine ? "'" + text.replacing("'", with: "''") + "'" : text.inYAMLQuotes
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII letter or digit.
  fileprivate var isLetterOrDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5a).contains(self) || (0x61...0x7a).contains(self)
  }
}
