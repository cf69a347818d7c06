public import ObjectModel

/// A model in a few words, for tests.
///
///     abstract Attachment { note -> Note.attachments }
///     Image : Attachment was Picture { width: Float = 1; data: Binary? external }
///     Note { title: String was heading; attachments ->> Attachment.note ordered; unique title }
///
/// Types are those of ``AttributeType``, `Int16` and the like for integers; `?` makes an attribute
/// optional. `->` is a to-one and `->>` a to-many, followed by the destination and, after a dot,
/// the inverse; they are optional unless `required`. `was` gives the renaming identifier. Further
/// marks are `transient`, `external`, `ordered`, `derived TEXT`, `min N` and `max N`, the deletion
/// rules `cascade`, `deny` and `noAction`, `by NAME` for a transformer and `indexed`. After `in` an
/// entity has its configurations, with commas between them. `composite Place { latitude: Double }` draws a
/// composite, and `place: Composite? of Place` an attribute that holds it.
public struct ModelSketch {
  /// An error in a sketch.
  public struct Mistake: Error {
    /// The words at fault.
    public let text: String
  }

  /// The model that a text draws.
  public static func model(_ text: String) throws -> ManagedObjectModel {
    var composites: [CompositeDescription] = []
    let entities = try text.split(separator: "}").compactMap { part -> EntityDescription? in
      let sides = part.split(separator: "{", maxSplits: 1, omittingEmptySubsequences: false)
      if sides.count == 1, sides[0].allSatisfy(\.isWhitespace) { return nil }
      guard sides.count == 2 else { throw Mistake(text: String(part)) }
      let head = words(sides[0])
      guard head.first == "composite", head.count == 2 else { return try entity(head, sides[1]) }
      let members = try lines(sides[1]).map { try attribute(words($0)) }
      composites.append(CompositeDescription(name: head[1], attributes: members))
      return nil
    }
    var configurations: [String: [String]] = [:]
    for part in text.split(separator: "}") {
      let words = words(part.prefix { $0 != "{" }).filter { $0 != "abstract" }
      guard let name = words.first, let list = value(after: "in", in: words) else { continue }
      for configuration in list.split(separator: ",") {
        configurations[String(configuration), default: []].append(name)
      }
    }
    return try ManagedObjectModel(
      entities: entities,
      configurations: configurations,
      composites: composites
    )
  }

  private static func lines(_ body: Substring) -> [Substring] {
    body.split(whereSeparator: { $0 == ";" || $0.isNewline })
      .filter { !$0.allSatisfy(\.isWhitespace) }
  }

  private static func words(_ text: Substring) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private static func entity(_ head: [String], _ body: Substring) throws -> EntityDescription {
    var words = head
    let isAbstract = words.first == "abstract"
    if isAbstract { words.removeFirst() }
    guard let name = words.first else { throw Mistake(text: head.joined(separator: " ")) }
    var entity = EntityDescription(name: name)
    entity.isAbstract = isAbstract
    entity.superentityName = value(after: ":", in: words)
    entity.renamingIdentifier = value(after: "was", in: words)
    for line in lines(body) {
      let words = Self.words(line)
      guard let first = words.first else { continue }
      if first == "unique" {
        entity.uniquenessConstraints.append(Array(words.dropFirst()))
      } else if words.count > 2, words[1].hasPrefix("->") {
        entity.relationships.append(relationship(words))
      } else {
        entity.attributes.append(try attribute(words))
      }
    }
    return entity
  }

  private static func attribute(_ words: [String]) throws -> AttributeDescription {
    guard words.count > 1, words[0].hasSuffix(":") else {
      throw Mistake(text: words.joined(separator: " "))
    }
    let isOptional = words[1].hasSuffix("?")
    let word = isOptional ? String(words[1].dropLast()) : words[1]
    let name = word.replacing("Int", with: "Integer").lowercased()
    guard let type = AttributeType.allCases.first(where: { "\($0)" == name }) else {
      throw Mistake(text: words.joined(separator: " "))
    }
    var attribute = AttributeDescription(name: String(words[0].dropLast()), attributeType: type)
    attribute.isOptional = isOptional
    attribute.isTransient = words.contains("transient")
    attribute.allowsExternalBinaryDataStorage = words.contains("external")
    attribute.renamingIdentifier = value(after: "was", in: words)
    attribute.valueTransformerName = value(after: "by", in: words)
    attribute.compositeName = value(after: "of", in: words)
    attribute.isIndexed = words.contains("indexed")
    attribute.derivationExpression = value(after: "derived", in: words).map {
      DerivationExpression(parsing: $0)
    }
    attribute.defaultValue = value(after: "=", in: words).map { text in
      switch type {
      case .string: .string(text)
      case .boolean: .boolean(text == "YES")
      case .binary: .binary(Array(text.utf8))
      default: Int64(text).map { .integer($0) } ?? .real(Double(text) ?? 0)
      }
    }
    return attribute
  }

  private static func relationship(_ words: [String]) -> RelationshipDescription {
    let ends = words[2].split(separator: ".").map(String.init)
    var relationship = RelationshipDescription(name: words[0], destinationEntityName: ends[0])
    relationship.inverseName = ends.count > 1 ? ends[1] : nil
    relationship.maxCount = words[1] == "->>" ? 0 : 1
    if let bound = value(after: "max", in: words).flatMap({ Int32($0) }) {
      relationship.maxCount = bound
    }
    if let bound = value(after: "min", in: words).flatMap({ Int32($0) }) {
      relationship.minCount = bound
    }
    for (word, rule) in deletionRules where words.contains(word) {
      relationship.deletionRule = rule
    }
    relationship.isOptional = !words.contains("required")
    relationship.isOrdered = words.contains("ordered")
    relationship.isTransient = words.contains("transient")
    relationship.renamingIdentifier = value(after: "was", in: words)
    return relationship
  }

  private static let deletionRules: [String: RelationshipDescription.DeletionRule] = [
    "cascade": .cascade, "deny": .deny, "noAction": .noAction,
  ]

  private static func value(after word: String, in words: [String]) -> String? {
    words.firstIndex(of: word).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
  }
}
