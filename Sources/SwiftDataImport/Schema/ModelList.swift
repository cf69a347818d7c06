/// The classes in an expression that denotes a list of models.
struct ModelList {
  /// The classes.
  private(set) var models: [TypeDeclaration] = []
  /// The reasons why the list is not understood, as predicates of its owner: "computes its models".
  private(set) var doubts: [String] = []
  /// The name of a variable that is the whole list and whose value the sources do not contain.
  private(set) var variable: String?

  private let module: SourceModule
  private var scope: [String]
  private var file: String
  /// The number of expressions that may still be read, because lists may name lists several times.
  private var rest = 10_000

  /// The classes that a value means, as it is spelled in a scope of a file.
  init(_ value: SourceExpression, in scope: [String], file: String, of module: SourceModule) {
    self.module = module
    self.scope = scope
    self.file = file
    read(value, SourceModule.longestChain)
  }

  private mutating func read(_ value: SourceExpression, _ left: Int) {
    guard left > 0, rest > 0 else {
      if doubts.isEmpty { doubts.append("has models that refer to themselves, or too many") }
      return
    }
    rest -= 1
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

  /// Reads the arguments of `Schema(…)`: a list, classes one by one, or a versioned schema.
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
      return doubt(of: "\(element)")
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

  private mutating func doubt(of element: String) {
    let shown = element.count > 60 ? "\(element.prefix(60))…" : element
    doubts.append("has the model \(shown), which is no class")
  }

  /// Reads a static property of a type in the sources: of the enclosing one, where the path is one name.
  private mutating func readProperty(_ path: [String], _ left: Int) {
    let isOwn = path.count == 1
    let owner = isOwn ? scope : Array(path.dropLast())
    guard let name = path.last, !owner.isEmpty,
      case .type(let type) = module.meaning(of: owner, in: isOwn ? [] : scope, file: file),
      let property = module.staticProperty(name, of: type)
    else {
      if isOwn, scope.isEmpty { variable = path[0] }
      return doubts.append("has the models of \(path.joined(separator: ".")), which is not found")
    }
    guard let value = property.value else { return doubts.append("computes its models") }
    let (ownScope, ownFile) = (scope, file)
    (scope, file) = (type.path, property.place.file)
    read(value, left)
    (scope, file) = (ownScope, ownFile)
  }
}
