/// The classes that an expression means which stands for a list of models.
struct ModelList {
  /// The classes.
  private(set) var models: [TypeDeclaration] = []
  /// What keeps the list from being understood, said of who has it: "computes its models".
  private(set) var doubts: [String] = []
  /// The name of a variable that is the whole list, of which the sources do not tell what it holds.
  private(set) var variable: String?

  private let module: SourceModule
  private let scope: [String]
  private let file: String

  /// The classes that a value means, as it is spelled in a scope of a file.
  ///
  /// - Parameter left: How many lists may yet lead from one to the next.
  init(
    _ value: SourceExpression,
    in scope: [String],
    file: String,
    of module: SourceModule,
    left: Int = SourceModule.longestChain
  ) {
    self.module = module
    self.scope = scope
    self.file = file
    read(value, left)
  }

  private mutating func read(_ value: SourceExpression, _ left: Int) {
    guard left > 0 else { return doubts.append("has models that refer to themselves") }
    switch value {
    case .array(let elements): for element in elements { add(element) }
    case .sum(let terms): for term in terms { read(term, left - 1) }
    case .call(.reference(let path), let arguments) where path.last == "Schema":
      readSchema(arguments, left - 1)
    case .reference(let path) where path.last == "self" && path.count > 1: add(value)
    case .reference(let path): readProperty(path, left - 1)
    default: doubts.append("computes its models")
    }
  }

  /// The arguments of `Schema(…)`: a list, classes one by one, or a versioned schema.
  private mutating func readSchema(_ arguments: [SourceExpression.Argument], _ left: Int) {
    for argument in arguments {
      switch (argument.label, argument.value) {
      case (nil, let value): read(value, left)
      case ("versionedSchema", .reference(let path)) where path.last == "self" && path.count > 1:
        readProperty(path.dropLast() + ["models"], left)
      case ("versionedSchema", _): doubts.append("computes its models")
      default: continue
      }
    }
  }

  private mutating func add(_ element: SourceExpression) {
    guard case .reference(let path) = element, path.last == "self", path.count > 1 else {
      return doubts.append("has the model \(element), which is no class")
    }
    let name = Array(path.dropLast())
    guard case .type(let model) = module.meaning(of: name, in: scope, file: file), model.isModel
    else {
      return doubts.append(
        "names \(name.joined(separator: ".")), and the sources declare no class with @Model, or "
          + "several, of that name"
      )
    }
    models.append(model)
  }

  /// A static property of a type that the sources declare: of the one around, where it is one name.
  private mutating func readProperty(_ path: [String], _ left: Int) {
    let isOwn = path.count == 1
    let owner = isOwn ? scope : Array(path.dropLast())
    guard let name = path.last, !owner.isEmpty,
      case .type(let type) = module.meaning(of: owner, in: isOwn ? [] : scope, file: file),
      let property = module.staticProperty(name, of: type)
    else {
      if isOwn { variable = path[0] }
      return doubts.append("has the models of \(path.joined(separator: ".")), which is not found")
    }
    guard let value = property.value else { return doubts.append("computes its models") }
    let list = ModelList(
      value,
      in: type.path,
      file: property.place.file,
      of: module,
      left: left
    )
    models += list.models
    doubts += list.doubts
  }
}
