/// The policies, handlers and transformers that a program brings along, by the names under which
/// mappings, stages and models mention them.
public struct MigrationRegistry: Sendable {
  /// A handler that acts on the store of a stage.
  public typealias Handler = @Sendable (StageContext) throws -> Void

  private var policies: [String: EntityMigrationPolicy.Type] = [:]
  private var handlers: [String: Handler] = [:]
  private var transformers: [String: any AttributeTransformer] = [:]

  /// Makes an empty registry.
  public init() {}

  /// Whether nothing was registered.
  package var isEmpty: Bool { policies.isEmpty && handlers.isEmpty && transformers.isEmpty }

  /// Registers a policy under the name of its class; the module name in a mapping model is ignored.
  public mutating func register(_ policy: EntityMigrationPolicy.Type) {
    register(policy, as: String(describing: policy))
  }

  /// Registers a policy under the class name that a mapping model mentions.
  ///
  /// A module prefix may be there or not: `Notes.ImagePolicy` and `ImagePolicy` find each other. A
  /// later policy of the same name replaces an earlier one.
  public mutating func register(_ policy: EntityMigrationPolicy.Type, as className: String) {
    policies[className] = policy
  }

  /// Registers a handler that stages and hop files mention by its name.
  public mutating func register(handler name: String, _ handler: @escaping Handler) {
    handlers[name] = handler
  }

  /// Registers a transformer under the name that models give transformable attributes.
  public mutating func register(
    transformer: some AttributeTransformer,
    forName name: String
  ) {
    transformers[name] = transformer
  }

  /// Returns the policy that a mapping model names.
  ///
  /// The name as it is wins; else names that differ in the module prefix alone, where exactly one
  /// does.
  public func policy(named className: String) -> EntityMigrationPolicy.Type? {
    if let policy = policies[className] { return policy }
    let name = Self.withoutModule(className)
    let isPrefixed = name != className
    let candidates = policies.filter { entry in
      let other = Self.withoutModule(entry.key)
      // Two prefixes that differ name two classes.
      return other == name && !(isPrefixed && other != entry.key)
    }
    guard let first = candidates.first else { return nil }
    return candidates.allSatisfy { $0.value == first.value } ? first.value : nil
  }

  /// Returns the handler of a name.
  public func handler(named name: String) -> Handler? { handlers[name] }

  /// Returns the transformer of a name; for Foundation's own names that of property lists, unless
  /// another is registered.
  public func transformer(named name: String) -> (any AttributeTransformer)? {
    transformers[name]
      ?? (SecureUnarchiveFromDataTransformer.names.contains(name)
        ? SecureUnarchiveFromDataTransformer() : nil)
  }

  /// The names of all policies, sorted.
  public var policyNames: [String] { policies.keys.sorted() }

  /// The names of all handlers, sorted.
  public var handlerNames: [String] { handlers.keys.sorted() }

  private static func withoutModule(_ name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? name
  }
}

/// A policy or a handler that a mapping names and the program does not have.
package enum MissingCode {
  /// A policy, by its name in the mapping.
  case policy(String)
  /// A handler, by its name.
  case handler(String)

  /// The words for a mapping that needs it, with "this waystone" for the program.
  package var need: String {
    switch self {
    case .policy(let name): "needs your policy \(name), which this waystone does not contain"
    case .handler(let name): "needs your handler \(name), which this waystone does not contain"
    }
  }

  /// The advice for the user.
  package var remedy: String {
    switch self {
    case .policy(let name):
      "Build a waystone that runs the app's own with `waystone policies`, or one with "
        + "`registry.register(\(name.split(separator: ".").last ?? "Policy").self)`."
    case .handler(let name):
      "Build a waystone with `registry.register(handler: \"\(name)\")`."
    }
  }
}
