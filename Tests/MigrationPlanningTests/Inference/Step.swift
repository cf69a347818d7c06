import MigrationPlanning
import MigrationTestSupport
import ObjectModel

/// An inference between two sketches, in words that tests compare.
struct Step {
  let result: InferenceResult

  init(_ source: String, _ destination: String) throws {
    result = MappingInference.infer(
      from: try ModelSketch.model(source),
      to: try ModelSketch.model(destination)
    )
  }

  /// The codes of findings with their places: `WS305 Note.title`.
  var findings: [String] { result.findings.map(Self.text) }

  /// The codes of refusals with their places.
  var refusals: [String] { result.refusals.map(Self.text) }

  /// The risk of the first finding with a code.
  func risk(_ code: FindingCode) -> Risk? { result.findings.first { $0.code == code }?.risk }

  /// The entity mappings: `Note>Note transform`.
  var entities: [String] {
    (result.mapping?.entityMappings ?? []).map {
      "\($0.sourceEntityName ?? "")>\($0.destinationEntityName ?? "") \($0.mappingType)"
    }
  }

  /// The values of an entity's properties: `title = $source.heading`, relationships as `<- name`.
  func values(_ entity: String) -> [String] {
    guard let mapping = result.mapping?.mappings(toDestination: entity).first else { return [] }
    return mapping.attributeMappings.map {
      "\($0.name) = \($0.valueExpression?.description ?? "-")"
    }
      + mapping.relationshipMappings.map {
        "\($0.name) <- \($0.valueExpression?.carriedSourcePropertyName ?? "-")"
      }
  }

  private static func text(_ finding: Finding) -> String {
    let place = [finding.place.entity, finding.place.property].compactMap { $0 }
    return "\(finding.code.rawValue) \(place.joined(separator: "."))"
  }
}
