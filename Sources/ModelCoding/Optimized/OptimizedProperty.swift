import ObjectModel
import PropertyLists

/// The record of a property: words, of which the first is the record's size in bytes.
struct OptimizedProperty {
  /// Which kind of property; raw values as measured.
  enum Kind: Int {
    case attribute = 2
    case fetched = 3
    case relationship = 4
    case derived = 6
  }

  let kind: Kind
  let name: String
  /// The index of its entity.
  let entity: Int
  private let words: [Int]

  private var isTransient: Bool { words[2] & 0x2 != 0 }
  private var isOptional: Bool { words[2] & 0x4 != 0 }
  private var isOrdered: Bool { words[2] & 0x100 != 0 }
  private var isPreserved: Bool { words[2] & 0x1000 != 0 }

  init(
    _ cursor: inout OptimizedCursor,
    in reader: inout OptimizedReader
  ) throws(ModelCodingError) {
    let size = try cursor.word()
    guard size.isMultiple(of: 4), size >= 48 else { throw .damaged("A property is too short.") }
    let words = [size] + (try cursor.words(size / 4 - 1))
    guard let kind = Kind(rawValue: words[1]) else {
      throw .unknownForm("it has a property of the kind \(words[1])")
    }
    self.kind = kind
    self.words = words
    name = try reader.text(words[6])
    entity = words[5]
    let known =
      switch kind {
      case .attribute, .derived: 0x1006
      case .relationship: 0x106
      case .fetched: 0x4
      }
    // The words that were empty may be its renaming identifier, hash modifier and rules.
    guard words[2] & ~known == 0, words[3] == 0, words[7] == 0, words[8] == 0 else {
      throw unknown("more than others of its kind")
    }
    guard try reader.data(words[4]).count == 32 else { throw unknown("no version hash") }
    if kind == .relationship, words.count != 17 || words[12] != 1 || words[16] != 1 {
      throw unknown("a deletion rule other than to nullify, or no inverse")
    }
  }

  func unknown(_ what: String) -> ModelCodingError { .unknownForm("\(name) has \(what)") }

  func attribute(
    _ reader: inout OptimizedReader
  ) throws(ModelCodingError) -> AttributeDescription {
    guard words.count >= 16, let number = Int32(exactly: words[12]),
      let type = AttributeType(rawValue: number), type != .composite, type != .undefined
    else { throw unknown("a type that is not known") }
    var attribute = AttributeDescription(name: name, attributeType: type)
    attribute.isOptional = isOptional
    attribute.isTransient = isTransient
    attribute.preservesValueInHistoryOnDeletion = isPreserved
    attribute.userInfo = try reader.userInfo(words[9])
    if words[11] != 0 { attribute.valueTransformerName = try reader.wideText(words[11]) }
    let className = words[13] == 0 ? nil : try reader.text(words[13])
    attribute.attributeValueClassName = className == type.valueClassName ? nil : className
    if words[14] == 0 {
      guard words.count == (kind == .derived ? 18 : 16), words[15] == (isPreserved ? 16 : 0)
      else { throw unknown("flags that are not known") }
    } else {
      guard words[14] == 1, kind == .attribute, !isPreserved else {
        throw unknown("a default value whose form is not known")
      }
      attribute.defaultValue = try zero(of: type, &reader)
    }
    if kind == .derived {
      guard words[17] == 0 else { throw unknown("a filtering predicate") }
      attribute.derivationExpression = try reader.derivation(words[16])
      if attribute.derivationExpression == nil { throw unknown("a derivation not known") }
    }
    return attribute
  }

  /// The default value, of which no other than zero was measured.
  ///
  /// Those of 64 bits begin at a multiple of 8 bytes, so that a word may stand before them.
  private func zero(
    of type: AttributeType,
    _ reader: inout OptimizedReader
  ) throws(ModelCodingError) -> AttributeValue {
    let rest = words[15...]
    let isZero = rest.allSatisfy { $0 == 0 }
    switch (type, rest.count) {
    case (.integer16, 2) where isZero, (.integer32, 2) where isZero: return .integer(0)
    case (.integer64, 3...4) where isZero: return .integer(0)
    case (.float, 2) where isZero, (.double, 3...4) where isZero: return .real(0)
    case (.boolean, 2) where isZero: return .boolean(false)
    case (.decimal, 2) where rest.last == 0:
      if try reader.text(words[15]) == "0" { return .decimal("0") }
    default: break
    }
    throw unknown("a default value whose form is not known")
  }

  func relationship(
    _ reader: inout OptimizedReader,
    among properties: [OptimizedProperty]
  ) throws(ModelCodingError) -> RelationshipDescription {
    guard properties.indices.contains(words[13]), properties[words[13]].kind == .relationship,
      let most = Int32(exactly: words[14]), let least = Int32(exactly: words[15])
    else { throw unknown("an inverse or a count that cannot be") }
    let inverse = properties[words[13]]
    let destination = try reader.entityName(words[11])
    var relationship = RelationshipDescription(name: name, destinationEntityName: destination)
    relationship.inverseName = inverse.name
    relationship.inverseEntityName = try reader.entityName(inverse.entity)
    relationship.maxCount = most
    relationship.minCount = least
    relationship.deletionRule = .nullify
    relationship.isOrdered = isOrdered
    relationship.isOptional = isOptional
    relationship.isTransient = isTransient
    relationship.userInfo = try reader.userInfo(words[9])
    return relationship
  }
}
