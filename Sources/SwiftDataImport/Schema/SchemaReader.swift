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
    let versioned = types.filter { module.conformances(of: $0).contains("VersionedSchema") }
    let plans = types.filter { module.conformances(of: $0).contains("SchemaMigrationPlan") }
    let plan = choose(plans).map { MigrationPlanReader.read($0, in: module) }
    archive.plan = plan
    let ordered = order(versioned.filter { $0.kind != .protocol }, by: plan)
    archive.schemas = ordered.map { schema(of: $0) }
    let audit = ContainerAudit(archive, in: module)
    archive.findings += audit.findings
    archive.stores = SourceStore.stores(of: module.files)
    archive.persistentContainerNames = Set(
      module.files.flatMap(\.configurations).compactMap { call in
        if call.isOfCoreData, case .string(let name)? = call.name { name } else { nil }
      }
    )
    archive.plan?.unusedBy = audit.callWithoutPlan
    let models = types.filter(\.isModel)
    // A file that was not read may hide a model where no list names all of them.
    let isUnlisted = ordered.isEmpty && options.models.isEmpty
    let hiding = isUnlisted ? module.files.filter(\.hidden.mayHaveModels) : []
    archive.findings += module.files.filter { !hiding.contains($0) }.flatMap(\.findings)
    if ordered.isEmpty, !models.isEmpty || !hiding.isEmpty {
      archive.schemas = [unversioned(models, hiding)]
    }
  }

  /// Returns the plan that a container is given, else the only one, else the one with most schemas.
  private mutating func choose(_ plans: [TypeDeclaration]) -> TypeDeclaration? {
    guard plans.count > 1 else { return plans.first }
    let calls = module.files.flatMap(\.containers).filter { $0.isTemporary == false }
    let named = calls.compactMap { call -> TypeDeclaration? in
      guard case .reference(let path)? = call.plan, path.last == "self",
        case .type(let type) = module.meaning(
          of: path.dropLast(),
          in: [],
          file: call.place.file
        )
      else { return nil }
      return plans.first { $0.path == type.path }
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

  private func unversioned(_ models: [TypeDeclaration], _ hiding: [SourceFile]) -> SourceSchema {
    let place = models.first?.place ?? SourcePlace(file: hiding.first?.name ?? "", line: 1)
    var schema = SourceSchema(path: [], identifier: nil, place: place)
    schema.findings = hiding.flatMap(\.findings)
    schema.isIncomplete = !hiding.isEmpty
    guard !models.isEmpty else { return schema }
    let choice = ContainerChoice(models, in: module, options)
    schema.findings += choice.findings
    schema.isIncomplete = schema.isIncomplete || choice.isMissing
    schema.isAssumed = choice.isUndecided
    return SchemaBuilder.build(schema, of: choice.roots, in: module)
  }
}
