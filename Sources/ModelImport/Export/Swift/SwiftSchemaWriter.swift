package import ObjectModel

/// A writer of a model as Swift: a `VersionedSchema` with a frozen `@Model` class for each entity.
///
/// Equal models have equal texts. The text has all that a version hash depends on, or the model is
/// refused. Where the model lacks a part of the app's source (the type behind a composite, the
/// cases of an enum), a comment states it. SwiftData's treatment of a class was measured on stores
/// of public apps.
package struct SwiftSchemaWriter {
  /// A model's text, with findings about the parts that it cannot express.
  package struct Output: Hashable, Sendable {
    /// The contents of the file.
    package var contents: String
    /// Parts of the model without a place in Swift or in a version hash, in order of entities.
    package var findings: [Finding]
  }

  /// The form of a schema: its place among others, and the style of the app's sources.
  package struct Form: Sendable {
    /// The verb of the command that writes it.
    package var verb = "export --swift"
    /// The version identifier, such as `2.0.0`; nil where the model has it.
    package var identifier: String?
    /// The spelling of sources that declare the model; nil where it is of a store or of Xcode.
    package var spelling: SwiftSpelling?

    /// Makes the form in which an export writes a model that has no sources.
    package init() {}
  }

  let model: ManagedObjectModel
  let types: SwiftCompositeTypes
  let form: Form
  var findings: [Finding] = []
  private var lines: [String] = []
  /// The sentences on the parts that no class can have, which a hash depends on.
  private var obstacles: [String] = []

  /// Returns the Swift source of a model.
  ///
  /// - Parameters:
  ///   - name: The name of the schema.
  ///   - origin: The source of the model, for the comment; nil for no such comment.
  ///   - form: The style, and what sources spell.
  /// - Throws: ``ModelImportError`` where a name is no name in Swift, or the version hashes depend on
  ///   something that SwiftData cannot express.
  /// - Complexity: O(*p*) in the properties of the model.
  package static func write(
    _ model: ManagedObjectModel,
    named name: String,
    from origin: String? = nil,
    as form: Form = Form()
  ) throws(ModelImportError) -> Output {
    guard let name = SwiftText.identifier(name) else {
      throw unsayable("\(name.prefix(60)) is no name that a schema can have in Swift.")
    }
    if let problem = form.spelling?.problems.first {
      throw unsayable("No copy of the schema means the same: \(problem)")
    }
    var writer = SwiftSchemaWriter(model: model, types: SwiftCompositeTypes(model), form: form)
    try writer.add(schema: name, origin)
    return Output(
      contents: writer.lines.joined(separator: "\n") + "\n",
      findings: writer.findings
    )
  }

  private init(model: ManagedObjectModel, types: SwiftCompositeTypes, form: Form) {
    self.model = model
    self.types = types
    self.form = form
  }

  mutating func add(_ line: String, _ depth: Int = 0) {
    let unit = form.spelling?.indentation ?? "  "
    lines.append(line.isEmpty ? "" : String(repeating: unit, count: depth) + line)
  }

  /// The modifier of declarations that others see, with a space behind it.
  var access: String { form.spelling?.isPublic == true ? "public " : "" }

  // MARK: The schema

  private mutating func add(schema name: String, _ origin: String?) throws(ModelImportError) {
    let entities = try orderedEntities()
    let usesColor = model.entities.flatMap(\.attributes)
      .contains { types.form(of: $0) == .resolvedColor }
    var modules = Set(form.spelling?.imports ?? []).subtracting(["SwiftUI"])
    modules.formUnion(["Foundation", "SwiftData"])
    if usesColor { modules.insert("SwiftUI") }
    for module in modules.sorted(by: ByteOrder.precedes) { add("import \(module)") }
    add("")
    add("/// The models of a version that users have\(origin.map { ", from \($0)" } ?? "").")
    add("///")
    add(
      "/// Frozen: a store of this version opens only as long as nothing here changes that its version"
    )
    add("/// hashes depend on. Written by `waystone \(form.verb)`.")
    add("\(access)enum \(name): VersionedSchema {")
    addIdentifier()
    add("")
    add("\(access)static var models: [any PersistentModel.Type] {", 1)
    add("[", 2)
    for entity in entities { add("\(entity.swiftName).self,", 3) }
    add("]", 2)
    add("}", 1)
    for (entity, name) in entities {
      try collecting { writer throws(ModelImportError) in try writer.add(entity, named: name) }
    }
    guard obstacles.isEmpty else { throw Self.unsayable(obstacles) }
    if let spelling = form.spelling {
      for type in spelling.valueTypes { add(type) }
    } else {
      for form in types.order { try add(form) }
    }
    add("}")
    leaveOutRest()
  }

  /// Runs a part of the writing, and keeps what no class can have instead of throwing it.
  private mutating func collecting(
    _ body: (inout SwiftSchemaWriter) throws(ModelImportError) -> Void
  ) throws(ModelImportError) {
    do throws(ModelImportError) {
      try body(&self)
    } catch {
      guard error.code == .unsayable else { throw error }
      if !obstacles.contains(error.message) { obstacles.append(error.message) }
    }
  }

  private mutating func addIdentifier() {
    let numbers = (form.identifier ?? model.versionIdentifiers.first).flatMap(Self.numbers)
    if numbers == nil {
      add("// The store has no such identifier; no version hash depends on it.", 1)
    }
    let list = (numbers ?? [1, 0, 0]).map(String.init).joined(separator: ", ")
    add("\(access)static let versionIdentifier = Schema.Version(\(list))", 1)
  }

  /// Returns the numbers of an identifier such as `1.0.0`; nil for any other text.
  static func numbers(_ identifier: String) -> [Int]? {
    let parts = identifier.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.count < 10 && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? Int(part) : nil
    }
    return parts.count == 3 && numbers.count == 3 ? numbers : nil
  }

  /// Returns the entities with their names in Swift, parents before those below them.
  private func orderedEntities() throws(ModelImportError) -> [(
    entity: EntityDescription, swiftName: String
  )] {
    var result: [(entity: EntityDescription, swiftName: String)] = []
    let roots = model.entities.filter { $0.superentityName == nil }
    for name in roots.flatMap({ model.hierarchyNames(below: $0.name) }) {
      guard let entity = model[name] else { continue }
      result.append((entity, try Self.identifier(name, "The entity")))
    }
    return result
  }

  // MARK: A class

  private mutating func add(
    _ entity: EntityDescription,
    named name: String
  ) throws(ModelImportError) {
    if entity.isAbstract { obstacles.append("\(entity.name) is abstract, and no class is.") }
    if entity.versionHashModifier != nil {
      obstacles.append("\(entity.name) has a hash modifier, which a class cannot have.")
    }
    let hasSubclasses = !model.subentityNames(of: entity.name).isEmpty
    var parent = ""
    if let above = entity.superentityName {
      parent = ": \(try Self.identifier(above, "The entity"))"
    }
    add("")
    add("@Model", 1)
    add("\(access)\(hasSubclasses ? "" : "final ")class \(name)\(parent) {", 1)
    let before = lines.count
    try addMacros(of: entity, name)
    var parameters: [Parameter] = []
    for attribute in entity.attributes {
      try collecting { writer throws(ModelImportError) in
        if let parameter = try writer.add(attribute, of: entity) { parameters.append(parameter) }
      }
    }
    for relationship in entity.relationships {
      try collecting { writer throws(ModelImportError) in
        if let parameter = try writer.add(relationship, of: entity) { parameters.append(parameter) }
      }
    }
    for property in entity.fetchedProperties {
      leaveOut("Fetched properties have no place in SwiftData.", entity.name, property.name)
    }
    if lines.count > before { add("") }
    try addInitializer(parameters, of: entity)
    add("}", 1)
    if entity.renamingIdentifier != nil {
      leaveOut("A class has no earlier name in SwiftData.", entity.name, nil)
    }
  }

  /// A property that an initializer has to set.
  struct Parameter {
    let name: String
    let type: String
  }

  private mutating func addInitializer(
    _ own: [Parameter],
    of entity: EntityDescription
  ) throws(ModelImportError) {
    var inherited: [Parameter] = []
    for name in model.ancestorNames(of: entity.name).reversed() {
      guard let above = model[name] else { continue }
      var scratch = SwiftSchemaWriter(model: model, types: types, form: form)
      for attribute in above.attributes {
        if let parameter = try scratch.add(attribute, of: above) { inherited.append(parameter) }
      }
      for relationship in above.relationships {
        if let parameter = try scratch.add(relationship, of: above) { inherited.append(parameter) }
      }
    }
    let all = inherited + own
    let overrides = entity.superentityName != nil && own.isEmpty
    let head = access + (overrides ? "override init" : "init")
    let list = all.map { "\($0.name): \($0.type)" }
    let calls = inherited.map { "\($0.name): \($0.name)" }
    let parent =
      entity.superentityName == nil ? [] : ["super.init(\(calls.joined(separator: ", ")))"]
    let body = own.map { "self.\($0.name) = \($0.name)" } + parent
    guard !body.isEmpty else { return add("\(access)init() {}", 2) }
    let line = "\(head)(\(list.joined(separator: ", "))) {"
    if line.count + 4 <= 100 {
      add(line, 2)
    } else {
      add("\(head)(", 2)
      for (index, item) in list.enumerated() { add(item + (index + 1 < list.count ? "," : ""), 3) }
      add(") {", 2)
    }
    for line in body { add(line, 3) }
    add("}", 2)
  }

  // MARK: Parts left out

  private mutating func leaveOutRest() {
    for type in (form.spelling?.foreignTypes ?? []).sorted(by: ByteOrder.precedes) {
      findings.append(
        Finding(
          .unusableValue,
          .warning,
          message:
            "The sources do not declare \(type): the copy names it as it is, wherever it is declared.",
          remedy: "If it is a type of the app, let `models` name its folder, and freeze again."
        )
      )
    }
    if !model.fetchRequestTemplates.isEmpty {
      leaveOut("Stored fetch requests have no place in a schema.", nil, nil)
    }
    if !model.configurations.isEmpty {
      leaveOut("Configurations have no place in a schema.", nil, nil)
    }
  }

  mutating func leaveOut(_ message: String, _ entity: String?, _ property: String?) {
    findings.append(
      Finding(
        .unusableValue,
        .warning,
        at: Finding.Place(entity: entity, property: property),
        message: message,
        remedy: "SwiftData has no place for it; no version hash depends on it."
      )
    )
  }

  static func identifier(_ name: String, _ what: String) throws(ModelImportError) -> String {
    guard let identifier = SwiftText.identifier(name) else {
      throw unsayable("\(what) \(name.prefix(60).filter { !$0.isNewline }) has no name in Swift.")
    }
    return identifier
  }

  /// Returns the error that names all parts that no class can have, up to a number.
  private static func unsayable(_ messages: [String]) -> ModelImportError {
    let shown = 12
    let more = messages.count > shown ? " And \(messages.count - shown) more." : ""
    return unsayable(messages.prefix(shown).joined(separator: " ") + more)
  }

  static func unsayable(_ message: String) -> ModelImportError {
    ModelImportError(
      .unsayable,
      file: "the model",
      message: message,
      recovery: "Export it as an .xcdatamodel, which says all that a model can."
    )
  }
}
