import MigrationTestSupport
import ObjectModel

/// A made-up schema: Swift source, and the model that has to come of it, made by itself.
///
/// Every name of a property is used once, so that each composite is named after its property alone.
struct GeneratedSchema {
  /// The source.
  private(set) var source = "import Foundation\nimport SwiftData\n\n"
  /// The declarations.
  private(set) var entities: [EntityDescription] = []
  private(set) var composites: [CompositeDescription] = []
  private var random: SeededGenerator
  private var count = 0
  private var bodies: [[String]] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let size = Int.random(in: 1...6, using: &random)
    for number in 0..<size {
      entities.append(EntityDescription(name: "Entity\(number)"))
      bodies.append([])
      inherit(number)
      for _ in 0..<Int.random(in: 1...7, using: &random) { addAttribute(to: number) }
    }
    for _ in 0..<Int.random(in: 0...5, using: &random) { addRelationship() }
    for number in entities.indices { addMacros(to: number) }
    write()
  }

  /// The model of the entities.
  func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: entities,
      composites: composites,
      versionIdentifiers: ["1.2.3"]
    )
  }

  private mutating func name() -> String {
    count += 1
    return ["alpha", "beta", "gamma", "delta"].pick(&random) + "\(count)"
  }

  private mutating func inherit(_ number: Int) {
    guard number > 0, Int.random(in: 0..<4, using: &random) == 0 else { return }
    entities[number].superentityName = "Entity\(Int.random(in: 0..<number, using: &random))"
  }

  // MARK: Attributes

  private static let plain: [(String, AttributeType)] = [
    ("Int", .integer64), ("Int16", .integer16), ("Int32", .integer32), ("Int64", .integer64),
    ("Double", .double), ("Float", .float), ("Bool", .boolean), ("String", .string),
    ("Date", .date), ("Data", .binary), ("UUID", .uuid), ("URL", .uri), ("Decimal", .decimal),
    ("Swift.String", .string), ("Foundation.UUID", .uuid),
  ]

  private mutating func addAttribute(to number: Int) {
    let name = name()
    var attribute = AttributeDescription(name: name, attributeType: .string)
    var type: String
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      type = "[String]"
      attribute.attributeType = .transformable
      attribute.attributeValueClassName = "Array<String>"
      attribute.valueTransformerName = "NSSecureUnarchiveFromData"
    case 1:
      let raw = Bool.random(using: &random)
      type = "Raw\(count)"
      source += "enum \(type): \(raw ? "String" : "Int"), Codable { case one, two }\n"
      hold([element(name, raw ? .string : .integer64)], in: &attribute)
      attribute.userInfo = ["EnumType": "true"]
    case 2:
      type = "Cases\(count)"
      let cases = (0..<Int.random(in: 1...4, using: &random)).map { "case\($0)" }
      source += "enum \(type): Codable, CaseIterable { case \(cases.joined(separator: ", ")) }\n"
      hold(cases.map { element($0, .string) }, in: &attribute)
      attribute.userInfo = ["EnumType": "true", "enum": cases.joined(separator: ",")]
    case 3:
      type = "Value\(count)"
      hold(structure(type), in: &attribute)
    case 4:
      type = "Color.Resolved"
      let names = ["linearRed", "linearGreen", "linearBlue", "opacity"]
      hold(names.map { AttributeDescription(name: $0, attributeType: .float) }, in: &attribute)
    default:
      let (text, kind) = Self.plain.pick(&random)
      type = text
      attribute.attributeType = kind
    }
    attribute.isOptional = Bool.random(using: &random)
    var text = ["var \(name): ", "private var \(name): ", "@available(iOS 17, *) var \(name): "]
      .pick(&random)
    text +=
      attribute.isOptional
      ? ["\(type)?", "Optional<\(type)>"].pick(&random) : type
    let options = options(of: &attribute)
    if !options.isEmpty { text = "@Attribute(\(options.joined(separator: ", "))) \(text)" }
    if attribute.attributeType == .string, !attribute.isOptional, Bool.random(using: &random) {
      text += " = \"x\""
      attribute.defaultValue = .string("x")
    }
    entities[number].attributes.append(attribute)
    bodies[number].append(text)
  }

  private func element(_ name: String, _ type: AttributeType) -> AttributeDescription {
    var element = AttributeDescription(name: name, attributeType: type)
    element.isOptional = true
    return element
  }

  private mutating func structure(_ type: String) -> [AttributeDescription] {
    var lines: [String] = []
    var elements: [AttributeDescription] = []
    for index in 0..<Int.random(in: 1...4, using: &random) {
      let (text, kind) = Self.plain.pick(&random)
      let isArray = Int.random(in: 0..<4, using: &random) == 0
      lines.append("var part\(index): \(isArray ? "[Element]" : text)\(index % 2 == 0 ? "" : "?")")
      elements.append(element("part\(index)", isArray ? .binary : kind))
    }
    lines.append("static let none = 1; var sum: Int { 1 }")
    lines.append("struct Element: Codable { var x: Int }")
    source += "struct \(type): Codable {\n  \(lines.joined(separator: "\n  "))\n}\n"
    return elements
  }

  private mutating func hold(
    _ elements: [AttributeDescription],
    in attribute: inout AttributeDescription
  ) {
    let name = attribute.name.prefix(1).uppercased() + attribute.name.dropFirst()
    composites.append(CompositeDescription(name: name, attributes: elements))
    attribute.attributeType = .composite
    attribute.compositeName = name
  }

  private mutating func options(of attribute: inout AttributeDescription) -> [String] {
    var options: [String] = []
    func chance() -> Bool { Int.random(in: 0..<10, using: &random) == 0 }
    if attribute.attributeType == .binary, chance() {
      options.append(".externalStorage")
      attribute.allowsExternalBinaryDataStorage = true
    } else if chance() {
      options.append(".preserveValueOnDeletion")
      attribute.preservesValueInHistoryOnDeletion = true
    }
    if chance() {
      options.append("Schema.Attribute.Option.spotlight")
      attribute.isIndexedBySpotlight = true
    }
    if chance() {
      options.append(".allowsCloudEncryption")
      attribute.allowsCloudEncryption = true
    }
    if chance() {
      options.append("originalName: \"old\(count)\"")
      attribute.renamingIdentifier = "old\(count)"
    }
    if chance() {
      options.append("hashModifier: \"m\(count)\"")
      attribute.versionHashModifier = "m\(count)"
    }
    return options
  }

  // MARK: Relationships

  private mutating func addRelationship() {
    let owner = Int.random(in: entities.indices, using: &random)
    let other = Int.random(in: entities.indices, using: &random)
    var first = relationship(to: other)
    var second = relationship(to: owner)
    first.inverseName = second.name
    second.inverseName = first.name
    let rules: [(String, RelationshipDescription.DeletionRule)] = [
      (".cascade", .cascade), (".nullify", .nullify), (".deny", .deny), (".noAction", .noAction),
    ]
    let (rule, deletion) = rules.pick(&random)
    first.deletionRule = deletion
    var options = ["deleteRule: \(rule)"]
    if first.isToMany, Bool.random(using: &random) {
      first.minCount = 1
      first.maxCount = 9
      options.append("minimumModelCount: 1, maximumModelCount: 9")
    }
    options.append("inverse: \\\(entities[other].name).\(second.name)")
    let attribute = "@Relationship(\(options.joined(separator: ", "))) "
    bodies[owner].append(attribute + text(of: first))
    bodies[other].append(text(of: second))
    entities[owner].relationships.append(first)
    entities[other].relationships.append(second)
  }

  private mutating func relationship(to destination: Int) -> RelationshipDescription {
    var relationship = RelationshipDescription(
      name: name(),
      destinationEntityName: entities[destination].name
    )
    relationship.isOptional = Bool.random(using: &random)
    relationship.maxCount = Bool.random(using: &random) ? 1 : 0
    return relationship
  }

  private func text(of relationship: RelationshipDescription) -> String {
    let type = relationship.destinationEntityName
    return "var \(relationship.name): \(relationship.isToMany ? "[\(type)]" : type)"
      + (relationship.isOptional ? "?" : "")
  }

  // MARK: Macros and the whole

  private mutating func addMacros(to number: Int) {
    let names = entities[number].attributes.map(\.name).shuffled(using: &random)
    if names.count > 1, Bool.random(using: &random) {
      let groups = [[names[0]], [names[0], names[1]]]
      entities[number].uniquenessConstraints = groups
      bodies[number].append("#Unique<Entity\(number)>(\(paths(groups)))")
    }
    if let name = names.last, Bool.random(using: &random) {
      bodies[number].append("#Index<Entity\(number)>(\(paths([[name]])))")
      entities[number].indexes = [
        FetchIndexDescription(
          name: "SwiftDataIndexOnBinary\(name)",
          elements: [.init(propertyName: name)]
        )
      ]
      for index in entities[number].attributes.indices
      where entities[number].attributes[index].name == name {
        entities[number].attributes[index].isIndexed = true
      }
    }
    bodies[number].append("@Transient var skipped\(number) = 1")
    bodies[number].append("static let shared\(number) = 2\n  var computed\(number): Int { 3 }")
  }

  private func paths(_ groups: [[String]]) -> String {
    groups.map { "[\($0.map { "\\.\($0)" }.joined(separator: ", "))]" }.joined(separator: ", ")
  }

  private mutating func write() {
    let models = entities.map { "\($0.name).self" }.joined(separator: ", ")
    source += """
      enum Generated: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 2, 3)
        static var models: [any PersistentModel.Type] { [\(models)] }
      }
      extension Generated {

      """
    for (entity, body) in zip(entities, bodies) {
      let parent = entity.superentityName.map { ": \($0)" } ?? ""
      source += "@Model class \(entity.name)\(parent) {\n"
      for line in body.shuffled(using: &random) { source += "  \(line)\n" }
      source += "  init() {}\n}\n"
    }
    source += "}\n"
  }
}

extension Array {
  /// One of the elements, of which there is at least one.
  fileprivate func pick(_ random: inout SeededGenerator) -> Element {
    self[Int.random(in: indices, using: &random)]
  }
}
