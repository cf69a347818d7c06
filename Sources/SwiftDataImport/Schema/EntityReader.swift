internal import ObjectModel

/// A reader that makes an entity of a class with `@Model`, as SwiftData's macro and schema do.
///
/// - All stored properties of instances are persistent but those with `@Transient`.
/// - Each is an attribute, or a relationship where its type is a model or an array of one.
/// - `#Unique` and `@Attribute(.unique)` make uniqueness constraints, `#Index` fetch indexes.
struct EntityReader {
  let module: SourceModule
  private(set) var draft: EntityDraft
  private var attributes: [AttributeDescription] = []
  /// The attributes that have an index of their own.
  private var indexed: Set<String> = []

  /// The language's own attributes that do not concern a property's value.
  static let ignored: Set<String> = [
    "available", "objc", "nonobjc", "MainActor", "usableFromInline", "inlinable", "preconcurrency",
    "Attribute", "Relationship",
  ]

  init(_ type: TypeDeclaration, in module: SourceModule) {
    self.module = module
    draft = EntityDraft(type)
  }

  /// Returns the entity of a class.
  static func read(_ type: TypeDeclaration, in module: SourceModule) -> EntityDraft {
    var reader = EntityReader(type, in: module)
    reader.read()
    return reader.draft
  }

  private mutating func read() {
    let type = draft.type
    for doubt in type.doubts {
      draft.doubts.append(
        .form(
          "cannot be read: \(doubt.reason).",
          at: doubt.place,
          severity: .error,
          remedy: "Correct it."
        )
      )
    }
    if type.isGeneric {
      draft.doubts.append(.form("is generic, which SwiftData does not document.", at: type.place))
    }
    if let strange = type.attributes.first(where: { !module.isHarmless($0, of: type) }) {
      let form = "has @\(strange.name), and what that macro adds to it is not known."
      draft.doubts.append(.form(form, at: strange.place))
    }
    readSuperclass()
    for property in type.properties where !property.isStatic && property.storage == .stored {
      read(property)
    }
    // At once, since an entity keeps its attributes in order.
    draft.entity.attributes = attributes
    for macro in type.macros { read(macro) }
    draft.entity.attributes = draft.entity.attributes.map { attribute in
      guard indexed.contains(attribute.name) else { return attribute }
      var attribute = attribute
      attribute.isIndexed = true
      return attribute
    }
    let unique = draft.entity.uniquenessConstraints
    if Set(unique.map { $0.sorted() }).count < unique.count {
      note("a uniqueness constraint that is declared twice")
      var seen: Set<[String]> = []
      draft.entity.uniquenessConstraints = unique.filter { seen.insert($0.sorted()).inserted }
    }
  }

  private mutating func readSuperclass() {
    let type = draft.type
    let scope = Array(type.path.dropLast())
    for (index, inherited) in type.inherited.enumerated() {
      guard case .named(let path, _) = inherited else { continue }
      let meaning = module.meaning(of: path, in: scope, file: type.place.file)
      // A superclass comes first.
      if index == 0, meaning == .missing, !SourceModule.protocols.contains(path.last ?? "") {
        // A class without @Model can be no superclass of a model.
        note(
          ShapeRule(
            "\(inherited) behind the colon, which the sources lack",
            "a protocol",
            .assumed
          ),
          nil,
          at: type.place
        )
      }
      switch meaning {
      case .hidden, .ambiguous:
        let form = "inherits from \(inherited), which several files may declare."
        draft.doubts.append(.form(form, at: type.place))
      default: break
      }
      guard case .type(let parent) = meaning, parent.kind == .class else { continue }
      guard parent.isModel else {
        let form = "inherits from \(parent.name), a class without @Model."
        draft.doubts.append(.form(form, at: type.place))
        continue
      }
      draft.superclass = parent
      draft.entity.superentityName = parent.name
      note("inheritance of SwiftData models")
    }
  }

  private mutating func read(_ property: PropertyDeclaration) {
    if property.attribute("Transient") != nil { return }
    draft.declarations[property.name] = .init(place: property.place, type: nil)
    let strange = property.attributes.first { !Self.ignored.contains($0.name) }
    if let strange {
      let form = "has @\(strange.name), and what that macro or wrapper does is not known."
      doubt(form, property, at: strange.place)
      return unresolved(property, property.type)
    }
    let scope = draft.type.path
    let file = draft.type.place.file
    let written =
      property.type ?? property.value.flatMap { module.type(of: $0, in: scope, file: file) }
    guard let written else {
      doubt("has no type written, and its initial value does not tell it.", property)
      return unresolved(property)
    }
    draft.declarations[property.name]?.type = "\(written)"
    if property.isConstant {
      note("a constant (`let`) as a persistent property", property)
    }
    let options = AttributeOptions(property)
    let (type, isOptional) = module.resolve(written, in: scope, file: file)
    switch type {
    case .model(let destination) where !options.isTransformable:
      relationship(property, to: destination, isToMany: false, isOptional: isOptional)
    case .models(let destination, let areOptional) where !options.isTransformable:
      guard !areOptional else {
        doubt("is an array of optional models, which SwiftData does not document.", property)
        return unresolved(property, written)
      }
      relationship(property, to: destination, isToMany: true, isOptional: isOptional)
    default:
      attribute(property, type, written, isOptional: isOptional, options)
    }
  }

  private mutating func attribute(
    _ property: PropertyDeclaration,
    _ type: ResolvedType,
    _ written: SourceType,
    isOptional: Bool,
    _ options: AttributeOptions
  ) {
    if let relationship = property.attribute("Relationship") {
      doubt(
        "has @Relationship and is of type \(written), which is no model.",
        property,
        at: relationship.place
      )
      return unresolved(property, written)
    }
    for problem in options.problems { doubt(problem, property) }
    var attribute = AttributeDescription(name: property.name, attributeType: .undefined)
    if options.isTransformable {
      attribute.attributeType = .transformable
      attribute.valueTransformerName = options.transformerName
      note("@Attribute(.transformable)", property)
    } else {
      let shape = AttributeShape(type, of: property, written: written, in: module)
      if let unresolved = shape.unresolved {
        draft.unknownTypes.append(
          UnknownType(
            type: unresolved.type,
            reason: unresolved.reason,
            key: shape.key,
            entity: draft.entity.name,
            property: property.name,
            place: property.place
          )
        )
        attribute.unknownType = isOptional ? "\(written.unwrapped)" : "\(written)"
      }
      attribute.attributeType = shape.unresolved == nil ? shape.type : .transformable
      attribute.attributeValueClassName = shape.valueClassName
      attribute.valueTransformerName = shape.transformerName
      attribute.userInfo = shape.userInfo
      if let elements = shape.elements { draft.composites[property.name] = elements }
      for (element, declaration) in shape.declarations {
        draft.declarations["\(property.name).\(element)"] = declaration
      }
      draft.values += shape.values
      let codings = CodingReader.codings(
        of: written,
        in: draft.type,
        module,
        isPlain: shape.elements != nil
      )
      attribute.codings = codings.codings
      draft.codingPlaces.merge(codings.places) { first, _ in first }
      for (rule, subject) in shape.rules {
        note(rule, property.name, at: property.place, settling: subject)
      }
      attribute.defaultValue =
        shape.defaultValue(property.value, in: draft.type.path, file: draft.type.place.file)
        ?? newIdentifier(property, shape.type)
      // SwiftData gives a composite no default in the model, whether or not the property has an initial
      // value.
      if attribute.defaultValue == nil, shape.type != .composite, let value = property.value,
        value != .null
      {
        attribute.computedDefault = Self.spelling(value, of: property)
      }
    }
    attribute.isOptional = isOptional
    options.apply(to: &attribute)
    for form in options.unmeasured { note(form, property) }
    if options.isUnique { draft.entity.uniquenessConstraints.append([property.name]) }
    attributes.append(attribute)
  }

  private mutating func relationship(
    _ property: PropertyDeclaration,
    to destination: TypeDeclaration,
    isToMany: Bool,
    isOptional: Bool
  ) {
    if let attribute = property.attribute("Attribute") {
      let options = AttributeOptions(property)
      if !options.isPlain {
        doubt(
          "has @Attribute and leads to a model, which SwiftData does not document.",
          property,
          at: attribute.place
        )
      }
    }
    let options = RelationshipOptions(property, isToMany: isToMany)
    for problem in options.problems { doubt(problem, property) }
    for form in options.unmeasured { note(form, property) }
    var relationship = RelationshipDescription(
      name: property.name,
      destinationEntityName: destination.name
    )
    relationship.isOptional = isOptional
    relationship.maxCount = isToMany ? 0 : 1
    options.apply(to: &relationship)
    if options.isUnique { draft.entity.uniquenessConstraints.append([property.name]) }
    draft.relationships.append(
      RelationshipDraft(
        relationship: relationship,
        destination: destination,
        inverse: options.inverse,
        place: property.place
      )
    )
  }

  /// Adds an attribute whose Swift type alone is known, as far as it is written.
  private mutating func unresolved(_ property: PropertyDeclaration, _ written: SourceType? = nil) {
    var attribute = AttributeDescription(name: property.name, attributeType: .transformable)
    attribute.unknownType = written.map { "\($0.unwrapped)" } ?? "a type that is not written"
    attribute.isOptional = written.map { $0 != $0.unwrapped } ?? false
    attribute.computedDefault = property.value.flatMap { value in
      value == .null ? nil : Self.spelling(value, of: property)
    }
    attributes.append(attribute)
  }

  private mutating func doubt(
    _ message: String,
    _ property: PropertyDeclaration,
    at place: SourcePlace? = nil
  ) {
    draft.doubts.append(.form(message, at: place ?? property.place, property: property.name))
  }

  private mutating func note(_ form: String, _ property: PropertyDeclaration? = nil) {
    let place = property?.place ?? draft.type.place
    note(ShapeRule(form, nil, .documented), property?.name, at: place)
  }

  private mutating func note(
    _ rule: ShapeRule,
    _ property: String?,
    at place: SourcePlace,
    settling subject: RuleSubject? = nil
  ) {
    draft.rules.append(
      RuleUse(
        rule: rule,
        subject: subject,
        entity: draft.entity.name,
        property: property,
        place: place
      )
    )
  }

  /// Returns the attribute that a property becomes, with the elements of a composite; nil where it is none.
  static func attribute(
    _ property: PropertyDeclaration,
    of type: TypeDeclaration,
    in module: SourceModule
  )
    -> (attribute: AttributeDescription, elements: [ShapeElement]?)?
  {
    var reader = EntityReader(type, in: module)
    reader.read(property)
    return reader.attributes.first.map { ($0, reader.draft.composites[property.name]) }
  }

  private mutating func read(_ macro: MacroUse) {
    switch macro.name {
    case "Unique":
      guard let groups = paths(macro) else { return }
      draft.entity.uniquenessConstraints += groups.map(\.names).filter { declares($0, macro) }
    case "Index":
      guard let groups = paths(macro) else { return }
      for group in groups { index(group.names, isTree: group.kind == "rtree") }
    default:
      let form = "has #\(macro.name) among its members, and what that macro adds is not known."
      draft.doubts.append(.form(form, at: macro.place))
    }
  }

  /// Returns whether the class declares the properties that a constraint names, or inherits some that it may name;
  /// notes one that it lacks.
  private mutating func declares(_ names: [String], _ macro: MacroUse) -> Bool {
    let known = Set(draft.type.properties.map(\.name))
    guard draft.superclass == nil, let missing = names.first(where: { !known.contains($0) })
    else { return true }
    draft.doubts.append(
      .form(
        "has a uniqueness constraint over \(missing), which it does not declare.",
        at: macro.place,
        severity: .error,
        remedy: "Correct the constraint."
      )
    )
    return false
  }

  private mutating func index(_ names: [String], isTree: Bool) {
    // An R-tree's name is not known, and no hash depends on it.
    guard !isTree else { return }
    draft.entity.indexes.append(
      FetchIndexDescription(
        name: "SwiftDataIndexOnBinary" + names.joined(),
        elements: names.map { .init(propertyName: $0) }
      )
    )
    if names.count > 1 { draft.entity.compoundIndexes.append(names) }
    if names.count == 1 { indexed.insert(names[0]) }
  }

  /// Returns the groups of properties that a macro names by key paths; nil where one is of another form.
  private mutating func paths(_ macro: MacroUse) -> [(kind: String, names: [String])]? {
    var result: [(kind: String, names: [String])] = []
    for argument in macro.arguments {
      var value = argument.value
      var kind = "binary"
      if case .call(.member(let path), let arguments) = value, path.count == 1, arguments.count == 1
      {
        kind = path[0]
        value = arguments[0].value
      }
      guard argument.label == nil, ["binary", "rtree"].contains(kind),
        case .array(let elements) = value,
        let names = names(elements)
      else {
        let form = "has #\(macro.name) with an argument that is not understood."
        draft.doubts.append(.form(form, at: macro.place))
        return nil
      }
      result.append((kind, names))
    }
    return result
  }

  private func names(_ elements: [SourceExpression]) -> [String]? {
    var names: [String] = []
    for element in elements {
      guard case .keyPath(var root, let path) = element, let name = path.last else { return nil }
      root += path.dropLast()
      guard root.isEmpty || root.last == draft.type.name else { return nil }
      names.append(name)
    }
    return names.isEmpty ? nil : names
  }
}
