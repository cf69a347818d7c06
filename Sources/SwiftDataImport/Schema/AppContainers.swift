internal import ObjectModel

/// The containers of an app that may hold its users' stores, each with the classes that it is given.
struct AppContainers {
  /// A container, or a store of one that configurations divide.
  struct Container {
    /// Identifies a container, or a store of one.
    struct ID: Hashable {
      /// The place of the call.
      let place: SourcePlace
      /// The number of the configuration, where the container is divided.
      let configuration: Int?
    }

    /// The identity.
    var id: ID { ID(place: call.place, configuration: configuration) }
    /// The call that makes it.
    let call: ContainerCall
    /// The number of the configuration, where the container is divided.
    var configuration: Int?
    /// The classes.
    var list: ModelList
    /// The migration plan among the sources' types that it is given.
    let plan: TypeDeclaration?
    /// The paths of all classes in its schema; empty where the list is not understood.
    var paths: Set<[String]>
    /// The stores that it opens, as far as the sources give them; empty where nothing is known of them.
    var stores: [SourceStore]
  }

  /// The containers that calls make.
  let made: [Container]
  /// The containers whose classes count.
  ///
  /// Where the list of one is a variable that cannot be followed, or where no call makes a container, the calls
  /// of `Schema(_:)` count.
  let all: [Container]
  /// The calls whose models are in several stores, and count as those of one.
  let undivided: [ContainerCall]

  /// The containers of a module's files.
  ///
  /// - Parameter use: Whether a store holds the entities of its configuration alone.
  init(in module: SourceModule, _ use: ConfigurationUse) {
    let calls = module.files.flatMap(\.containers)
    let containers = Self.counting(calls.filter { $0.callee != "Schema" }, in: module)
    let divisions = containers.map { StoreDivision(of: $0.call, in: module) }
    let divided = zip(containers, divisions).map { container, division in
      use == .used ? division.flatMap(container.divided) : nil
    }
    made = zip(containers, divided).flatMap { $1 ?? [$0] }
    undivided = containers.indices.filter { divisions[$0] != nil && divided[$0] == nil }
      .map { containers[$0].call }
    // The schema of a configuration is a part of the container's.
    let ofParts = divisions.reduce(into: Set<SourceExpression>()) {
      $0.formUnion($1?.schemas ?? [])
    }
    let schemas = calls.filter { $0.callee == "Schema" && !ofParts.contains($0.models) }
    let followed = made.filter { $0.list.variable == nil }
    let isWhole = followed.count == made.count || schemas.isEmpty
    all = isWhole && !made.isEmpty ? made : followed + Self.counting(schemas, in: module)
  }

  /// Returns the containers of calls that may make the app's.
  ///
  /// A call whose parameter may put the store in memory counts only where its classes are known; where they are
  /// parameters, too, the container is a preview's.
  private static func counting(_ calls: [ContainerCall], in module: SourceModule) -> [Container] {
    calls.filter { $0.isTemporary != true }.map { call in
      let list = ModelList(call.models, in: [], file: call.place.file, of: module)
      return Container(
        call: call,
        list: list,
        plan: plan(of: call, in: module),
        paths: list.doubts.isEmpty ? SchemaBuilder.closure(of: list.models, in: module) : [],
        stores: SourceStore.stores(of: call)
      )
    }.filter { $0.call.isTemporary == false || $0.list.doubts.isEmpty }
  }

  /// Returns the type that a call names as its migration plan.
  private static func plan(of call: ContainerCall, in module: SourceModule) -> TypeDeclaration? {
    guard case .reference(let path)? = call.plan, path.last == "self",
      case .type(let type) = module.meaning(of: path.dropLast(), in: [], file: call.place.file)
    else { return nil }
    return type
  }
}

extension AppContainers.Container {
  /// Returns the stores of its configurations as containers of their own, without those in memory; nil where the
  /// sources do not show each one's classes, or where these are not all of its own.
  fileprivate func divided(by division: StoreDivision) -> [Self]? {
    let parts = division.parts
    guard !parts.isEmpty, paths.isSubset(of: parts.flatMap(\.paths)) else { return nil }
    return parts.enumerated().compactMap { number, part in
      guard let store = part.store else { return nil }
      var own = self
      own.configuration = number
      own.list = part.list
      own.paths = part.paths
      own.stores = [store]
      return own
    }
  }
}
