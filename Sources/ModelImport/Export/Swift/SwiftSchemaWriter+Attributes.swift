import ObjectModel

extension SwiftSchemaWriter {
  /// Adds an attribute as a property; returns its parameter in an initializer.
  mutating func add(
    _ attribute: AttributeDescription,
    of entity: EntityDescription
  ) throws(ModelImportError) -> Parameter? {
    let place = "\(entity.name).\(attribute.name)"
    let name = try Self.identifier(attribute.name, "The attribute \(entity.name).")
    guard attribute.derivationExpression == nil else {
      throw Self.unsayable("\(place) is derived, which no property of SwiftData is.")
    }
    if !attribute.validation.isEmpty {
      leaveOut("Validation has no place in SwiftData.", entity.name, attribute.name)
    }
    let isUnique = entity.uniquenessConstraints.contains([attribute.name])
    let spelled = form.spelling?.properties[entity.name]?[attribute.name]
    let type = try spelled == nil ? type(of: attribute, place) : ""
    let comments =
      spelled == nil
      ? comments(on: attribute)
      : isLeftOut(attribute, of: entity) ? ["The app computes the default."] : []
    for comment in comments { add("// \(comment)", 2) }
    let marks = marks(of: attribute, isUnique: isUnique)
    if !marks.isEmpty { add("@Attribute(\(marks.joined(separator: ", ")))", 2) }
    let value =
      spelled?.value
      ?? attribute.defaultValue.flatMap { SwiftText.value($0, of: attribute.attributeType) }
    if isLeftOut(attribute, of: entity) {
      findings.append(
        Finding(
          .unusableValue,
          .warning,
          at: Finding.Place(entity: entity.name, property: attribute.name),
          message: "The initial value refers to code outside of the schema, and is left out.",
          remedy: "Code of a stage that makes such an object gives it a value."
        )
      )
    } else if attribute.defaultValue != nil, value == nil {
      leaveOut("The default has no literal in Swift.", entity.name, attribute.name)
    }
    let shown = spelled?.type ?? type + (attribute.isOptional ? "?" : "")
    add("\(access)var \(name): \(shown)\(value.map { " = \($0)" } ?? "")", 2)
    return attribute.isOptional || value != nil ? nil : Parameter(name: name, type: shown)
  }

  /// Returns whether the initial value of a property refers to code of the app.
  private func isLeftOut(_ attribute: AttributeDescription, of entity: EntityDescription) -> Bool {
    form.spelling?.leftOut.contains(.init(entity: entity.name, property: attribute.name)) == true
  }

  private func marks(of attribute: AttributeDescription, isUnique: Bool) -> [String] {
    var marks: [String] = []
    if isUnique { marks.append(".unique") }
    if attribute.attributeType == .transformable, let name = attribute.valueTransformerName,
      name != Self.defaultTransformer
    {
      marks.append(".transformable(by: \(SwiftText.literal(name)))")
    }
    if attribute.allowsExternalBinaryDataStorage { marks.append(".externalStorage") }
    if attribute.allowsCloudEncryption { marks.append(".allowsCloudEncryption") }
    if attribute.preservesValueInHistoryOnDeletion { marks.append(".preserveValueOnDeletion") }
    if attribute.isTransient { marks.append(".ephemeral") }
    if attribute.isIndexedBySpotlight { marks.append(".spotlight") }
    if let name = attribute.renamingIdentifier, name != attribute.name {
      marks.append("originalName: \(SwiftText.literal(name))")
    }
    if let modifier = attribute.versionHashModifier {
      marks.append("hashModifier: \(SwiftText.literal(modifier))")
    }
    return marks
  }

  /// The transformer of arrays, which SwiftData gives by itself.
  private static let defaultTransformer = "NSSecureUnarchiveFromData"

  /// Returns comments on the parts of the property that the model does not determine.
  private func comments(on attribute: AttributeDescription) -> [String] {
    switch attribute.attributeType {
    case .composite:
      switch types.form(of: attribute) {
      case .rawValues: return ["The name and the cases of the enum are not in the model."]
      case .payloads: return ["The name of the enum is not in the model."]
      case .properties: return ["The name of the type is not in the model."]
      case .resolvedColor, nil: return []
      }
    case .transformable:
      return attribute.attributeValueClassName.flatMap(SwiftText.type) == nil
        ? ["The type of the values is not in the model."] : []
    case .uuid where attribute.defaultValue != nil:
      return ["The model has the UUID of the moment at which it was made."]
    case .date where attribute.defaultValue != nil:
      return ["The model has the date of the moment at which it was made."]
    case _ where attribute.hasComputedDefault:
      return ["The app computes the default."]
    default: return []
    }
  }

  private func type(
    of attribute: AttributeDescription,
    _ place: String
  ) throws(ModelImportError) -> String {
    switch attribute.attributeType {
    case .composite:
      guard let type = types.type(of: attribute) else {
        throw Self.unsayable("The elements of \(place), a composite attribute, are not known.")
      }
      return type
    case .transformable:
      return attribute.attributeValueClassName.flatMap(SwiftText.type) ?? "NSObject"
    default:
      guard let type = attribute.attributeType.swiftName else {
        throw Self.unsayable("\(place) is of a type that no property of SwiftData has.")
      }
      return type
    }
  }

  // MARK: Nested types

  /// Adds a type as sources spell it.
  mutating func add(_ type: SwiftSpelling.ValueType) {
    let inherited = type.inherited.isEmpty ? "" : ": \(type.inherited.joined(separator: ", "))"
    add("")
    add("\(access)\(type.isEnumeration ? "enum" : "struct") \(type.name)\(inherited) {", 1)
    for name in type.cases { add("case \(name)", 2) }
    for property in type.properties {
      let value = property.value.map { " = \($0)" } ?? ""
      let keyword = property.isConstant ? "let" : "var"
      add("\(access)\(keyword) \(property.name): \(property.type)\(value)", 2)
    }
    if type.isRawRepresentable, let raw = type.properties.first(where: { $0.name == "rawValue" }) {
      add("")
      add("\(access)init(rawValue: \(raw.type)) { self.rawValue = rawValue }", 2)
    }
    add("}", 1)
  }

  /// Adds the type of a composite.
  mutating func add(_ form: SwiftCompositeTypes.Form) throws(ModelImportError) {
    guard let name = types.names[form] else { return }
    let swiftName = try Self.identifier(name, "The type")
    add("")
    switch form {
    case .rawValues(let type, of: _):
      add("/// An enum whose cases are not in the model; no version hash has them.", 1)
      add("enum \(swiftName): \(type.swiftName ?? "String"), Codable {", 1)
      add("case unknown", 2)
    case .payloads(let cases):
      add("enum \(swiftName): Codable {", 1)
      for element in cases {
        let name = try Self.identifier(element.name, "The case")
        // A case without a payload is kept as text: measured on a store of a public app.
        let payload = element.type == .string ? "" : "(\(try elementType(element)))"
        addBytesNote(element)
        add("case \(name)\(payload)", 2)
      }
    case .properties(let properties):
      add("struct \(swiftName): Codable {", 1)
      for element in properties {
        guard element.isOptional else {
          throw Self.unsayable(
            "\(element.name), an element of a composite, is required; those of a Swift type are not."
          )
        }
        let name = try Self.identifier(element.name, "The element")
        addBytesNote(element)
        add("var \(name): \(try elementType(element))?", 2)
      }
    case .resolvedColor: return
    }
    add("}", 1)
  }

  private mutating func addBytesNote(_ element: SwiftCompositeTypes.Element) {
    guard element.type == .binary else { return }
    add("// Data or an array, which the model does not tell apart.", 2)
  }

  private func elementType(
    _ element: SwiftCompositeTypes.Element
  ) throws(ModelImportError) -> String {
    guard let name = element.type.swiftName else {
      throw Self.unsayable("\(element.name), an element of a composite, has no type in Swift.")
    }
    return name
  }
}

extension AttributeType {
  /// The Swift type that SwiftData keeps as values of this type; nil where there is none.
  var swiftName: String? {
    switch self {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .binary: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    case .undefined, .transformable, .objectID, .composite: nil
    }
  }
}
