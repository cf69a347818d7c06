internal import ObjectModel

/// A reader of a type that conforms to `SchemaMigrationPlan`.
struct MigrationPlanReader {
  private let module: SourceModule
  private let type: TypeDeclaration
  private var plan: MigrationPlanDeclaration

  /// Returns the plan of a type.
  static func read(_ type: TypeDeclaration, in module: SourceModule) -> MigrationPlanDeclaration {
    var reader = MigrationPlanReader(module: module, type: type)
    reader.readSchemas()
    reader.readStages()
    return reader.plan
  }

  private init(module: SourceModule, type: TypeDeclaration) {
    self.module = module
    self.type = type
    plan = MigrationPlanDeclaration(
      name: type.qualifiedName,
      schemas: [],
      stages: [],
      place: type.place
    )
  }

  private mutating func readSchemas() {
    guard let property = module.staticProperty("schemas", of: type),
      case .array(let elements)? = property.value
    else {
      plan.lacksSchemas = true
      unresolved("does not list its `schemas`", at: type.place)
      return
    }
    for element in elements {
      guard let name = schemaName(element) else {
        plan.lacksSchemas = true
        unresolved(
          "has `schemas` with \(element), which is no schema of the sources",
          at: property.place
        )
        continue
      }
      plan.schemas.append(name)
    }
  }

  /// Returns the qualified name of the schema that `SchemaV1.self` means.
  private func schemaName(_ expression: SourceExpression) -> String? {
    guard case .reference(let path) = expression, path.last == "self", path.count > 1,
      case .type(let schema) = module.meaning(
        of: Array(path.dropLast()),
        in: type.path,
        file: type.place.file
      )
    else { return nil }
    return schema.qualifiedName
  }

  private mutating func readStages() {
    guard let property = module.staticProperty("stages", of: type),
      case .array(let elements)? = property.value
    else {
      plan.lacksStages = true
      unresolved("does not list its `stages`", at: type.place)
      return
    }
    for element in elements { readStage(element, at: property.place) }
  }

  private mutating func readStage(_ element: SourceExpression, at place: SourcePlace) {
    var value = element
    var place = place
    if let property = declaration(of: element), let own = property.value {
      value = own
      place = property.place
    }
    guard case .call(let callee, let arguments) = value, let kind = kind(callee),
      let from = arguments.first(where: { $0.label == "fromVersion" }).flatMap({
        schemaName($0.value)
      }),
      let to = arguments.first(where: { $0.label == "toVersion" }).flatMap({ schemaName($0.value) })
    else {
      plan.lacksStages = true
      unresolved("has `stages` with \(element), which is no stage that can be read", at: place)
      return
    }
    let code = arguments.filter {
      $0.label != "fromVersion" && $0.label != "toVersion" && $0.value != .null
    }
    plan.stages.append(
      .init(from: from, to: to, runsCode: kind == "custom" && !code.isEmpty, place: place)
    )
  }

  /// Returns the static property, or function without parameters, that an element of `stages` names: of the plan,
  /// of a type that is named, or of an extension of `MigrationStage`; nil for another expression.
  private func declaration(of element: SourceExpression) -> PropertyDeclaration? {
    switch element {
    case .reference(let path):
      return path.last.flatMap { module.staticProperty($0, of: owner(path)) }
    case .member(let path) where path.count == 1:
      return module.staticProperty(path[0], ofSwiftDataType: "MigrationStage")
    case .call(.reference(let path), let arguments) where arguments.isEmpty:
      return path.last.flatMap { module.staticProperty("\($0)()", of: owner(path)) }
    case .call(.member(let path), let arguments) where arguments.isEmpty && path.count == 1:
      return module.staticProperty("\(path[0])()", ofSwiftDataType: "MigrationStage")
    default: return nil
    }
  }

  /// Returns the type whose static property a path names: the plan itself, or one that is named.
  private func owner(_ path: [String]) -> TypeDeclaration {
    let around = Array(path.dropLast()).filter { $0 != "Self" && $0 != "self" }
    guard !around.isEmpty,
      case .type(let other) = module.meaning(of: around, in: type.path, file: type.place.file)
    else { return type }
    return other
  }

  private func kind(_ callee: SourceExpression) -> String? {
    let name: String?
    switch callee {
    case .member(let path), .reference(let path): name = path.last
    default: name = nil
    }
    return name == "lightweight" || name == "custom" ? name : nil
  }

  private mutating func unresolved(_ reason: String, at place: SourcePlace) {
    plan.findings.append(
      Finding(
        .unresolvedForm,
        .warning,
        at: place.finding(),
        message: "\(type.qualifiedName) \(reason), so that what the app does is unknown.",
        remedy:
          "List schemas as `SchemaV1.self`, and stages as `.lightweight(fromVersion:toVersion:)` or "
          + "`.custom(fromVersion:toVersion:willMigrate:didMigrate:)`, also by static properties, and by static "
          + "functions that do nothing else."
      )
    )
  }
}
