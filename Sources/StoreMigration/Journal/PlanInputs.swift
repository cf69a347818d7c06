package import MigrationPlanning

/// The inputs of a plan that are recorded, so that the same plan can be made again.
///
/// The journal has it, and so has an encoded plan. It names models and mappings; the plan's
/// fingerprint proves that they are still the same.
package struct PlanInputs: Codable, Hashable, Sendable {
  /// The planner's options.
  package var options = PlanningOptions()
  /// The names of the versions on the path, which the store's data chose; empty without hops.
  package var path: [String] = []
  /// The absolute path of the project's `waystone.yml`, where the models came with one.
  package var configuration: String?
  /// The absolute paths of mappings that were named, where any was.
  package var mappings: [String] = []
  /// The bytes in hexadecimal digits from which the store's version was recovered, if it was.
  package var recoveredModel: String?
  /// The part of its model that the store holds, where it is not all of it.
  package var part: StorePart?
  /// Whether the store had no row, so that the plan has steps that rows would rule out.
  package var isOfEmptyStore: Bool?

  /// A plan without hops, of models alone.
  package init() {}
}

/// The part of a model that a store of one configuration holds.
package struct StorePart: Codable, Hashable, Sendable {
  /// The configuration, where the model names the part.
  package let configuration: String?
  /// The entities that the store holds.
  package let entities: [String]

  /// A part with given entities.
  package init(configuration: String?, entities: [String]) {
    self.configuration = configuration
    self.entities = entities
  }
}
