/// The containers of an app that may hold its users' stores, each with the classes that it is given.
struct AppContainers {
  /// A container.
  struct Container {
    /// The call that makes it.
    let call: ContainerCall
    /// The classes.
    let list: ModelList
    /// The migration plan among the sources' types that it is given.
    let plan: TypeDeclaration?
    /// The paths of all classes in its schema; empty where the list is not understood.
    let paths: Set<[String]>

    /// The stores that it opens, as far as the sources give them; empty where nothing is known of them.
    var stores: [SourceStore] { SourceStore.stores(of: call) }
  }

  /// The containers that calls make.
  let made: [Container]
  /// The containers whose classes count.
  ///
  /// Where the list of one is a variable that cannot be followed, or where no call makes a container, the calls
  /// of `Schema(_:)` count.
  let all: [Container]

  /// The containers of a module's files.
  init(in module: SourceModule) {
    let calls = module.files.flatMap(\.containers)
    let schemas = calls.filter { $0.callee == "Schema" }
    let containers = calls.filter { $0.callee != "Schema" }
    made = Self.counting(containers, in: module)
    let followed = made.filter { $0.list.variable == nil }
    let isWhole = followed.count == made.count || schemas.isEmpty
    all =
      isWhole && !containers.isEmpty ? made : followed + Self.counting(schemas, in: module)
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
        paths: list.doubts.isEmpty ? SchemaBuilder.closure(of: list.models, in: module) : []
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
