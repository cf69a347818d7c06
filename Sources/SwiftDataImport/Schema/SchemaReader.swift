internal import ObjectModel

/// A reader of the schemas of an app among its declarations, in their order.
struct SchemaReader {
  let module: SourceModule
  private let options: SwiftDataOptions
  private var archive = SourceArchive()

  private init(_ module: SourceModule, _ options: SwiftDataOptions) {
    self.module = module
    self.options = options
  }

  /// Returns the schemas of a module.
  static func read(_ module: SourceModule, _ options: SwiftDataOptions) -> SourceArchive {
    var reader = SchemaReader(module, options)
    reader.read()
    return reader.archive
  }

  private mutating func read() {
    let types = module.types
    let versioned = types.filter {
      module.conformances(of: $0).contains("VersionedSchema") && $0.kind != .protocol
    }
    let plans = types.filter { module.conformances(of: $0).contains("SchemaMigrationPlan") }
    let containers = AppContainers(in: module, options.configurationUse)
    let partition = StorePartition(
      plans,
      versioned,
      containers,
      isListed: !options.models.isEmpty,
      in: module
    )
    archive.findings += partition.findings
    archive.persistentContainerNames = Set(
      module.files.flatMap(\.configurations).compactMap { call in
        if call.isOfCoreData, case .string(let name)? = call.name { name } else { nil }
      }
    )
    let models = types.filter(\.isModel)
    // A file that was not read may hide a model where no list names all of them.
    let isUnlisted = versioned.isEmpty && options.models.isEmpty
    let hiding = isUnlisted ? module.files.filter(\.hidden.mayHaveModels) : []
    let isAlone = partition.parts.count == 1
    for part in partition.parts {
      var model = model(of: part, containers.made)
      let foreign = Set(partition.parts.flatMap(\.containers).map(\.id))
        .subtracting(part.containers.map(\.id))
      let audit = ContainerAudit(
        model,
        of: containers.made.filter { !foreign.contains($0.id) },
        in: module
      )
      model.plan?.unusedBy = audit.callWithoutPlan
      if let difference = audit.difference() {
        archive.findings.append(difference.finding)
        // The container decides what new stores are.
        if let own = difference.schema { model.schemas.append(own) }
      }
      model.stores =
        isAlone ? SourceStore.stores(of: module.files) : part.containers.flatMap(\.stores)
      if part.schemas.isEmpty, !models.isEmpty || !hiding.isEmpty {
        model.schemas = [unversioned(models, part.containers, hiding)]
      }
      archive.models.append(model)
    }
    archive.findings += divisions(of: containers)
    archive.findings += module.files.filter { !hiding.contains($0) }.flatMap(\.findings)
    name(partition.parts)
  }

  /// Returns the model of a part of the sources, without its stores and name.
  private mutating func model(
    of part: StorePartition.Part,
    _ containers: [AppContainers.Container]
  ) -> SourceModel {
    var model = SourceModel()
    model.plan = choose(part.plans, containers).map { MigrationPlanReader.read($0, in: module) }
    model.schemas = order(part.schemas, by: model.plan).map { schema(of: $0) }
    return model
  }

  /// Gives each model a name of its own, and puts the one without any first.
  private mutating func name(_ parts: [StorePartition.Part]) {
    var names: Set<String> = [SourceModel.defaultName]
    var hasDefault = false
    for (index, part) in parts.enumerated() {
      var name = part.name
      if name == nil, hasDefault { name = part.declaredName ?? "Store" }
      if name == nil { hasDefault = true }
      guard let base = name else { continue }
      var unique = base
      var number = 2
      while !names.insert(unique).inserted {
        unique = "\(base)\(number)"
        number += 1
      }
      archive.models[index].name = unique
    }
    if let first = archive.models.firstIndex(where: { $0.name == nil }), first > 0 {
      archive.models.insert(archive.models.remove(at: first), at: 0)
    }
  }

  /// Returns a note on each container whose models are in several stores and count as those of one.
  private func divisions(of containers: AppContainers) -> [Finding] {
    guard options.configurationUse != .none else { return [] }
    return containers.undivided.map { call in
      let isStated = options.configurationUse == .used
      return Finding(
        .undecidedContainer,
        .note,
        at: call.place.finding(),
        message:
          "Configurations of the \(call.callee) here have schemas of their own, or may have, so "
          + "that its models are in several stores. "
          + (isStated
            ? "Which models each store has does not follow from the sources: "
            : "No store that Waystone was measured on shows whether SwiftData writes the hashes of all of "
              + "them into each: ")
          + "they count as one model, and none is reported lost that moves to another store.",
        remedy: isStated
          ? "Let the call show each configuration with its classes, `ModelConfiguration(\"A\", schema: "
            + "Schema([A.self]))`. The stores of a container with a migration plan count as one model."
          : "Look at a store of the app: `waystone inspect STORE`. Where it has the entities of its "
            + "configuration alone, set `configurations: used` in waystone.yml, and each store is a model of "
            + "its own; where it has all, set `configurations: none`."
      )
    }
  }

  /// Returns the plan that a container is given, else the only one; none where several may be.
  private mutating func choose(
    _ plans: [TypeDeclaration],
    _ containers: [AppContainers.Container]
  ) -> TypeDeclaration? {
    guard plans.count > 1 else { return plans.first }
    let named = containers.filter { $0.call.isTemporary == false }.compactMap { container in
      plans.first { $0.path == container.plan?.path }
    }
    if let used = named.first, named.allSatisfy({ $0.path == used.path }) { return used }
    let names = plans.map(\.qualifiedName).sorted().joined(separator: ", ")
    archive.findings.append(
      Finding(
        .undecidedContainer,
        .warning,
        at: plans[0].place.finding(),
        message:
          "There are several migration plans (\(names)), and which one the app's container is "
          + "given does not follow from the sources.",
        remedy: "Name one app's target in waystone.yml, as in `target: App`, or let `models` name "
          + "its folder."
      )
    )
    return nil
  }

  /// Returns the schemas in the order of the plan, those that it lacks by their identifiers.
  private func order(
    _ schemas: [TypeDeclaration],
    by plan: MigrationPlanDeclaration?
  ) -> [TypeDeclaration] {
    let numbers = Dictionary(
      schemas.map { ($0.qualifiedName, SchemaDeclaration(module).identifier(of: $0) ?? "") },
      uniquingKeysWith: { first, _ in first }
    )
    let sorted = schemas.sorted { one, other in
      let left = numbers[one.qualifiedName] ?? ""
      let right = numbers[other.qualifiedName] ?? ""
      return left == right
        ? NaturalOrder.precedes(one.qualifiedName, other.qualifiedName)
        : NaturalOrder.precedes(left, right)
    }
    guard let plan, !plan.isIncomplete else { return sorted }
    var listed: Set<String> = []
    let planned = plan.schemas.filter { listed.insert($0).inserted }.compactMap { name in
      sorted.first { $0.qualifiedName == name }
    }
    // One that the plan lacks comes before the first that is newer by its identifier.
    var result = planned
    for schema in sorted where !planned.contains(where: { $0.path == schema.path }) {
      let number = numbers[schema.qualifiedName] ?? ""
      let place = result.firstIndex {
        NaturalOrder.precedes(number, numbers[$0.qualifiedName] ?? "")
      }
      result.insert(schema, at: place ?? result.endIndex)
    }
    return result
  }

  private func schema(of type: TypeDeclaration) -> SourceSchema {
    let declaration = SchemaDeclaration(module)
    var schema = SourceSchema(
      path: type.path,
      identifier: declaration.identifier(of: type),
      place: type.place
    )
    let (models, findings) = declaration.models(of: type)
    schema.findings = findings
    schema.isIncomplete = !findings.isEmpty
    return SchemaBuilder.build(schema, of: models, in: module)
  }

  // MARK: Models without a versioned schema

  private func unversioned(
    _ models: [TypeDeclaration],
    _ containers: [AppContainers.Container],
    _ hiding: [SourceFile]
  ) -> SourceSchema {
    let place = models.first?.place ?? SourcePlace(file: hiding.first?.name ?? "", line: 1)
    var schema = SourceSchema(path: [], identifier: nil, place: place)
    schema.findings = hiding.flatMap(\.findings)
    schema.isIncomplete = !hiding.isEmpty
    guard !models.isEmpty else { return schema }
    let choice = ContainerChoice(models, in: module, of: containers, options)
    schema.findings += choice.findings
    schema.isIncomplete = schema.isIncomplete || choice.isMissing
    schema.isAssumed = choice.isUndecided
    return SchemaBuilder.build(schema, of: choice.roots, in: module)
  }
}
