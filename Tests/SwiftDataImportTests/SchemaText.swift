import ObjectModel
import SwiftDataImport

/// A schema as short lines, which tests compare.
enum SchemaText {
  /// The current schema of a source.
  static func schema(
    _ source: String,
    options: SwiftDataOptions = SwiftDataOptions()
  ) throws -> SourceSchema? {
    try archive(source, options: options).current
  }

  /// The versions of a source.
  static func archive(
    _ source: String,
    options: SwiftDataOptions = SwiftDataOptions()
  ) throws -> SourceArchive {
    let text = SourceText(name: "Models.swift", bytes: Array(source.utf8))
    return try SourceArchive.read([text], options: options)
  }

  /// A model without what sources alone have: how values are encoded.
  static func plain(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
    let entities = model.entities.map { entity in
      var entity = entity
      entity.attributes = entity.attributes.map { attribute in
        var attribute = attribute
        attribute.codings = []
        return attribute
      }
      return entity
    }
    return try ManagedObjectModel(
      entities: entities,
      composites: model.composites,
      versionIdentifiers: model.versionIdentifiers
    )
  }

  /// All that is found in a schema, what is of types among it.
  static func findings(_ schema: SourceSchema) -> [Finding] {
    schema.findings + ShapeFindings.findings(of: [schema])
  }

  /// The properties of an entity, its attributes first.
  static func lines(_ schema: SourceSchema?, _ entity: String) -> [String] {
    guard let model = schema?.model, let entity = model[entity] else { return ["no model"] }
    return entity.attributes.map { line($0, in: model) }
      + entity.relationships.map(line)
      + entity.uniquenessConstraints.map { "unique \($0.joined(separator: ","))" }
      + entity.indexes.map { "index \($0.elements.map(\.propertyName).joined(separator: ","))" }
  }

  private static func line(_ attribute: AttributeDescription, in model: ManagedObjectModel)
    -> String
  {
    var text = "\(attribute.name): \(attribute.attributeType)"
    if let composite = model.composite(of: attribute) {
      text += "(\(composite.attributes.map { line($0, in: model) }.joined(separator: " ")))"
    }
    if attribute.isOptional { text += "?" }
    if attribute.isTransient { text += " transient" }
    if attribute.allowsExternalBinaryDataStorage { text += " external" }
    if attribute.preservesValueInHistoryOnDeletion { text += " preserved" }
    if let name = attribute.renamingIdentifier { text += " was \(name)" }
    if let modifier = attribute.versionHashModifier { text += " modifier \(modifier)" }
    if let name = attribute.valueTransformerName { text += " by \(name)" }
    if case .uuid = attribute.defaultValue {
      text += " = uuid"
    } else if let value = attribute.defaultValue {
      text += " = \(EmptyCollection(value)?.literal ?? "\(value)")"
    }
    return text
  }

  private static func line(_ relationship: RelationshipDescription) -> String {
    var text = "\(relationship.name) -> \(relationship.destinationEntityName)"
    if let inverse = relationship.inverseName { text += ".\(inverse)" }
    text += relationship.isToMany ? " many" : " one"
    if relationship.isOptional { text += "?" }
    if relationship.minCount != 0 { text += " min \(relationship.minCount)" }
    if relationship.maxCount > 1 { text += " max \(relationship.maxCount)" }
    if relationship.deletionRule != .nullify { text += " \(relationship.deletionRule)" }
    if let name = relationship.renamingIdentifier { text += " was \(name)" }
    if let modifier = relationship.versionHashModifier { text += " modifier \(modifier)" }
    return text
  }
}
