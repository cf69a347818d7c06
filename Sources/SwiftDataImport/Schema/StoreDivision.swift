/// A division of a container's models among the stores of its configurations.
///
/// `ModelContainer(for: A.self, B.self, configurations: a, b)` keeps `A` and `B` in two stores where each
/// configuration has a schema of its own.
struct StoreDivision {
  /// A configuration, and so a store.
  struct Part {
    /// The classes in the schema of the configuration.
    let list: ModelList
    /// The store; nil where it is in memory.
    let store: SourceStore?
    /// The paths of all classes in the schema.
    let paths: Set<[String]>
  }

  /// The parts, in the order of the configurations; empty where the sources do not show each one's classes.
  private(set) var parts: [Part] = []
  /// The schemas that the configurations are given.
  private(set) var schemas: Set<SourceExpression> = []

  /// The division that a call makes; nil where its container has one store.
  ///
  /// One whose configurations are made elsewhere counts as divided, because they may have schemas.
  init?(of call: ContainerCall, in module: SourceModule) {
    let configurations = call.configurations
    guard configurations.count > 1 else { return nil }
    let given = configurations.map(Self.schema)
    let isShown = configurations.allSatisfy { if case .call = $0 { true } else { false } }
    guard !isShown || given.contains(where: { $0 != nil }) else { return nil }
    schemas = Set(given.compactMap(\.self))
    // A migration plan has schemas of all the container's models, and a configuration without a schema has all of
    // them, too.
    guard call.plan == nil, isShown, !given.contains(nil) else { return }
    let all = zip(configurations, given.compactMap(\.self)).map { configuration, schema in
      let list = ModelList(schema, in: [], file: call.place.file, of: module)
      return Part(
        list: list,
        store: SourceStore.store(of: configuration, at: call.place),
        paths: list.doubts.isEmpty ? SchemaBuilder.closure(of: list.models, in: module) : []
      )
    }
    let count = all.reduce(0) { $0 + $1.paths.count }
    let isDisjoint = Set(all.flatMap(\.paths)).count == count
    if isDisjoint, !all.contains(where: \.paths.isEmpty) { parts = all }
  }

  /// Returns the schema that a configuration is given, also as a list of classes; nil where it has none, or a
  /// parameter's.
  private static func schema(of configuration: SourceExpression) -> SourceExpression? {
    guard case .call(_, let arguments) = configuration else { return nil }
    if let schema = arguments.first(where: { $0.label == "schema" })?.value { return schema }
    // Arguments without a label belong to the label before them.
    guard let first = arguments.firstIndex(where: { $0.label == "for" }) else { return nil }
    let rest = arguments[(first + 1)...].prefix { $0.label == nil }
    return .array([arguments[first].value] + rest.map(\.value))
  }
}
