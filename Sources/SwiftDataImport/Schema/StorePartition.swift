internal import ObjectModel

/// A division of an app's plans, schemas and containers among the models of its stores.
///
/// Plans and containers whose schemas share no entity are of different models. Where they share some, they may
/// open one store in two places, such as an app and its widget, and count as one model; unless the sources give
/// them different files and each has an entity of its own.
struct StorePartition {
  /// The plans, schemas and containers of one model.
  struct Part {
    /// The plans.
    var plans: [TypeDeclaration] = []
    /// The versioned schemas.
    var schemas: [TypeDeclaration] = []
    /// The containers that are known to be of the model.
    var containers: [AppContainers.Container] = []
    /// The names of all entities.
    fileprivate var names: Set<String> = []
    /// The classes of each schema and container.
    fileprivate var closures: Set<Set<[String]>> = []
    /// The names of the entities in the last schema of each plan that a container is given; none where one is
    /// given to no container.
    fileprivate var latestNames: Set<String> = []
  }

  /// The parts; one where the sources have no two models.
  private(set) var parts: [Part] = []
  /// The findings on stores that two parts share.
  private(set) var findings: [Finding] = []

  private let module: SourceModule
  /// The classes of each schema, by its path.
  private let closures: [[String]: Set<[String]>]

  /// The greatest number of plans and containers that are compared; apps have some ten.
  private static let greatestCount = 256

  /// - Parameter isListed: Whether the project itself names the classes of the container.
  init(
    _ plans: [TypeDeclaration],
    _ schemas: [TypeDeclaration],
    _ containers: AppContainers,
    isListed: Bool,
    in module: SourceModule
  ) {
    self.module = module
    let one = Part(plans: plans, schemas: schemas, containers: containers.all)
    let understood = containers.all.filter { $0.list.doubts.isEmpty && !$0.paths.isEmpty }
    let isUnclear = schemas.isEmpty && understood.count < containers.all.count
    let roots = isListed || isUnclear ? [] : understood.filter { $0.plan == nil }
    guard plans.count + roots.count > 1, plans.count + roots.count <= Self.greatestCount else {
      closures = [:]
      parts = [one]
      return
    }
    closures = Dictionary(
      schemas.map { schema in
        let models = SchemaDeclaration(module).models(of: schema).models
        return (schema.path, SchemaBuilder.closure(of: models, in: module))
      },
      uniquingKeysWith: { first, _ in first }
    )
    divide(plans, schemas, roots, containers.made)
    if parts.count < 2 { parts = [one] } else { findings = sharedFiles() }
  }

  // MARK: Division

  private mutating func divide(
    _ plans: [TypeDeclaration],
    _ schemas: [TypeDeclaration],
    _ roots: [AppContainers.Container],
    _ containers: [AppContainers.Container]
  ) {
    var listed: Set<[String]> = []
    var anchors = plans.map { plan in
      let names = MigrationPlanReader.read(plan, in: module).schemas
      var part = Part(plans: [plan])
      part.schemas = schemas.filter { names.contains($0.qualifiedName) }
      part.containers = containers.filter { $0.plan?.path == plan.path }
      if !part.containers.isEmpty {
        let last = part.schemas.first { $0.qualifiedName == names.last }
        part.latestNames = Set(last.flatMap { closures[$0.path] }?.compactMap(\.last) ?? [])
      }
      listed.formUnion(part.schemas.map(\.path))
      return part
    }
    anchors += roots.map { Part(containers: [$0]) }
    for index in anchors.indices { anchors[index].gather(closures) }
    // A plan whose schemas are not known may be that of any model.
    guard anchors.allSatisfy({ !$0.names.isEmpty }) else { return }
    join(anchors)
    guard parts.count > 1 else { return }
    for schema in schemas where !listed.contains(schema.path) {
      parts[place(of: schema)].schemas.append(schema)
    }
    for index in parts.indices {
      // The order in which the sources declare them is that of a module without several models.
      let own = Set(parts[index].schemas.map(\.path))
      parts[index].schemas = schemas.filter { own.contains($0.path) }
      parts[index].gather(closures)
    }
  }

  /// Joins those that may be of one store, also by way of others.
  private mutating func join(_ anchors: [Part]) {
    var rest = anchors
    while !rest.isEmpty {
      var group = [rest.removeFirst()]
      var next = 0
      while next < group.count {
        let one = group[next]
        next += 1
        group += rest.filter { Self.mayBeOne(one, $0) }
        rest.removeAll { Self.mayBeOne(one, $0) }
      }
      var part = Part()
      for one in group {
        part.plans += one.plans
        part.schemas += one.schemas
        part.containers += one.containers
      }
      part.gather(closures)
      parts.append(part)
    }
  }

  private static func mayBeOne(_ one: Part, _ other: Part) -> Bool {
    if !one.closures.isDisjoint(with: other.closures) { return true }
    guard !one.names.isDisjoint(with: other.names) else { return false }
    // Each plan has a container of its own, and an entity that an older schema of one had is now the other's.
    if !one.latestNames.isEmpty, !other.latestNames.isEmpty,
      one.latestNames.isDisjoint(with: other.latestNames)
    {
      return false
    }
    let isWithin = one.names.isSubset(of: other.names) || other.names.isSubset(of: one.names)
    return isWithin || !one.hasOtherFiles(than: other)
  }

  /// Returns the part of a schema that no plan lists: that of a container which is given it, else the one that
  /// shares most entities, else one in the same namespace, else the first.
  private func place(of schema: TypeDeclaration) -> Int {
    let closure = closures[schema.path] ?? []
    let names = Set(closure.compactMap(\.last))
    let space = schema.path.dropLast()
    func rank(_ part: Part) -> [Int] {
      let paths = (part.plans + part.schemas).map(\.path)
      let shared = part.names.intersection(names).count
      let isNear = !space.isEmpty && paths.contains { $0.starts(with: space) }
      let likeness = (part.plans + part.schemas).map { schema.name.commonPrefix(with: $0.name) }
      return [
        part.closures.contains(closure) ? 1 : 0, shared, isNear ? 1 : 0,
        shared > 0 ? -part.names.count : 0, likeness.map(\.count).max() ?? 0,
      ]
    }
    let ranks = parts.map(rank)
    return ranks.indices.reduce(0) { best, index in
      ranks[best].lexicographicallyPrecedes(ranks[index]) ? index : best
    }
  }

  // MARK: Files

  /// Returns a warning for each two models whose containers open one file.
  private func sharedFiles() -> [Finding] {
    var owners: [String: AppContainers.Container] = [:]
    var findings: [Finding] = []
    for part in parts {
      var own: [String: AppContainers.Container] = [:]
      for container in part.containers {
        for file in container.stores.compactMap(\.key) where own[file] == nil {
          own[file] = container
        }
      }
      for (file, container) in own.sorted(by: { ByteOrder.precedes($0.key, $1.key) }) {
        guard let other = owners[file] else {
          owners[file] = container
          continue
        }
        findings.append(
          Finding(
            .undecidedContainer,
            .warning,
            at: container.call.place.finding(),
            message:
              "The \(container.call.callee) here and the one at \(other.call.place) share no entity, "
              + "and both open the store \(file). They count as two "
              + "models. If both run in one app, each takes the other's store for an older one of its own.",
            remedy:
              "Give each a store of its own: `ModelConfiguration(\"Name\")`. If the two are of different "
              + "targets, name one in waystone.yml: `target: App`."
          )
        )
      }
    }
    return findings
  }
}

extension StorePartition.Part {
  /// Takes the entities of its schemas and containers.
  fileprivate mutating func gather(_ known: [[String]: Set<[String]>]) {
    closures = Set(schemas.compactMap { known[$0.path] } + containers.map(\.paths))
    closures.remove([])
    names = Set(closures.joined().compactMap(\.last))
  }

  /// Returns whether the sources give it and another part stores of different files.
  fileprivate func hasOtherFiles(than other: Self) -> Bool {
    let own = containers.flatMap(\.stores).map(\.key)
    let others = other.containers.flatMap(\.stores).map(\.key)
    guard !own.isEmpty, !others.isEmpty, !own.contains(nil), !others.contains(nil) else {
      return false
    }
    return Set(own).isDisjoint(with: others)
  }
}

extension SourceStore {
  /// Identifies the file among those of an app; nil where the sources compute its name.
  fileprivate var key: String? { fileName.map { "\($0)\(isInGroup ? " of an app group" : "")" } }
}

extension String {
  /// Returns the characters with which both texts begin.
  func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
