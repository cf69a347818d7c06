internal import ObjectModel

/// A part of a property or a model from which no attribute, relationship or entity follows, so that the
/// entity's hash is unknown.
struct SchemaDoubt {
  let code: FindingCode
  let place: SourcePlace
  let property: String?
  let message: String
  let remedy: String
  /// Whether the sources are wrong, rather than not understood.
  var severity = Finding.Severity.warning

  /// Returns a declaration in a form that is not decided.
  static func form(
    _ message: String,
    at place: SourcePlace,
    property: String? = nil,
    severity: Finding.Severity = .warning,
    remedy: String = "Write it in a form that Apple documents."
  ) -> SchemaDoubt {
    SchemaDoubt(
      code: .unresolvedForm,
      place: place,
      property: property,
      message: message,
      remedy: remedy,
      severity: severity
    )
  }

  /// Returns the finding on an entity.
  func finding(entity: String) -> Finding {
    let subject = property.map { "\(entity).\($0)" } ?? entity
    return Finding(
      code,
      severity,
      at: place.finding(entity: entity, property: property),
      message: "\(subject: subject) \(message) The version hash of \(entity) is unknown.",
      advice: "\(remedy)"
    )
  }
}
