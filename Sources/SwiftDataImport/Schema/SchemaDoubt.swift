internal import ObjectModel

/// Something about a property or a model of which no attribute, relationship or entity follows, so that
/// the entity's hash is unknown.
struct SchemaDoubt {
  let code: FindingCode
  let place: SourcePlace
  let property: String?
  let message: String
  let remedy: String

  /// A property whose type is not resolved.
  static func type(
    _ type: String,
    of property: PropertyDeclaration,
    reason: String
  ) -> SchemaDoubt {
    let remedy =
      reason == SourceModule.unknown
      ? "If the app declares it, let `models` name the folder with that file too."
      : "Keep it as a type that is resolved, such as Data, String or a structure of such."
    return SchemaDoubt(
      code: .unresolvedType,
      place: property.place,
      property: property.name,
      message: "is of type \(type), which is not resolved: \(reason).",
      remedy: remedy
    )
  }

  /// A declaration in a form that is not decided.
  static func form(
    _ message: String,
    at place: SourcePlace,
    property: String? = nil,
    remedy: String = "Write it in a form that Apple documents."
  ) -> SchemaDoubt {
    SchemaDoubt(
      code: .unresolvedForm,
      place: place,
      property: property,
      message: message,
      remedy: remedy
    )
  }

  /// The finding on an entity.
  func finding(entity: String) -> Finding {
    let subject = property.map { "\(entity).\($0)" } ?? entity
    return Finding(
      code,
      .warning,
      at: place.finding(entity: entity, property: property),
      message: "\(subject) \(message) The version hash of \(entity) is unknown.",
      remedy: remedy
    )
  }
}
