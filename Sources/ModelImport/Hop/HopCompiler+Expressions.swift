import ObjectModel

extension HopCompiler {
  /// Returns the expression of a value: a text in the syntax of `NSExpression`, or a lookup.
  func expression(
    _ node: HopNode,
    _ name: String,
    _ draft: Draft
  ) throws(ModelImportError) -> Expression {
    if case .map = node.content {
      let keys = try node.map(name, knowing: ["lookup"])
      guard let lookup = keys["lookup"] else {
        throw node.error("`\(name)` is empty.", "Write an expression, or `lookup:`.")
      }
      return try self.lookup(lookup, name, in: "source", draft)
    }
    let text = try node.text(name, "an expression")
    let parsed: Expression
    do throws(FormatError) {
      parsed = try Expression(format: text)
    } catch {
      throw node.error(
        "The expression of \(name) cannot be read (column \(error.column)): \(error.message)",
        error.recovery + " A text stands in quotation marks of its own: '\"text\"'."
      )
    }
    let joined = parsed.mapped { part in
      guard case .variable(let variable) = part, let join = draft.joins[variable] else {
        return part
      }
      return join
    }
    let expanded = composites.expression(
      joined,
      of: draft.mapping.sourceEntityName,
      making: draft.mapping.destinationEntityName
    )
    try check(expanded, node, name, draft)
    return expanded
  }

  /// The composites of both versions, whose elements a mapping names.
  var composites: CompositeExpansion { CompositeExpansion(from: source, to: destination) }

  /// Returns a path of relationships, which is meant from the source unless it is an expression.
  func path(
    _ text: String,
    _ node: HopNode,
    _ name: String,
    _ draft: Draft
  ) throws(ModelImportError) -> Expression {
    if text.hasPrefix("$") { return try expression(node, name, draft) }
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let path = composites.expression(
      .keyPath(.variable("source"), names),
      of: draft.mapping.sourceEntityName,
      making: nil
    )
    try check(path, node, name, draft)
    return path
  }

  /// Returns the condition of a filter, whose bare names are properties of the source.
  func predicate(_ node: HopNode, for draft: Draft) throws(ModelImportError) -> Predicate? {
    let text = try node.text("where", "a condition")
    let parsed: Predicate
    do throws(FormatError) {
      parsed = try Predicate(format: text)
    } catch {
      throw node.error(
        "The condition cannot be read (column \(error.column)): \(error.message)",
        error.recovery
      )
    }
    let entity = draft.mapping.sourceEntityName ?? ""
    let predicate = composites.predicate(parsed, of: draft.mapping.sourceEntityName)
    var unknown: String?
    predicate.forEachPart { part in
      guard case .keyPath(.evaluatedObject, let path) = part, let first = path.first,
        !first.hasPrefix("@"), !source.has(first, of: entity)
      else { return }
      unknown = unknown ?? first
    }
    if let unknown {
      throw node.error(
        "The condition names \(unknown), which \(entity) does not have.",
        Self.suggestion(unknown, source.properties(of: entity).map(\.property.name))
      )
    }
    return predicate == .all([]) ? nil : predicate
  }

  /// Returns the parts of a text or collection: `{text: $source.tags, separator: ","}` or `{each: …}`.
  func pieces(
    _ node: HopNode,
    for draft: Draft
  ) throws(ModelImportError) -> EntityMapping.Pieces {
    let keys = try node.map("split", knowing: ["text", "separator", "trim", "each"])
    if let each = keys["each"] {
      guard keys.count == 1 else {
        throw node.error("Nothing can stand beside `each`.", "A collection is not cut: remove it.")
      }
      return EntityMapping.Pieces(of: try expression(each, "each", draft))
    }
    guard let text = keys["text"], let separator = keys["separator"] else {
      throw node.error(
        "A split needs a text and its separator, or a collection.",
        "Write `{text: $source.tags, separator: \",\"}` or `{each: $source.items}`."
      )
    }
    return EntityMapping.Pieces(
      of: try expression(text, "text", draft),
      separator: try separator.text("separator", "a text"),
      trimsBlanks: try keys["trim"]?.flag("trim") ?? true
    )
  }

  /// Returns the variables for rows joined by a key: `{profile: {entity:, where:, equals:}}`.
  func joins(_ node: HopNode?) throws(ModelImportError) -> [String: Expression] {
    var result: [String: Expression] = [:]
    for entry in try node?.entries("join") ?? [] {
      let draft = Draft(
        mapping: EntityMapping(mappingType: .undefined, source: nil, destination: nil),
        node: entry.value
      )
      result[entry.name] = try lookup(entry.value, entry.name, in: "source", draft)
    }
    return result
  }

  /// Returns the object, or a value of it, that has a key: `{entity:, where:, equals:, value:}`.
  func lookup(
    _ node: HopNode,
    _ name: String,
    in store: String,
    _ draft: Draft
  ) throws(ModelImportError) -> Expression {
    let keys = try node.map("lookup", knowing: ["entity", "in", "where", "equals", "value"])
    let side = try keys["in"]?.text("in", "source or destination") ?? store
    guard side == "source" || side == "destination" else {
      throw (keys["in"] ?? node).error(
        "`in` must be source or destination.",
        "Correct the line named."
      )
    }
    let model = side == "source" ? source : destination
    guard let entityNode = keys["entity"], let keyNode = keys["where"], let value = keys["equals"]
    else {
      throw node.error(
        "A lookup needs an entity, a key and the value that it equals.",
        "Write `{entity: Owner, where: id, equals: $source.ownerID}`."
      )
    }
    let entity = try entityNode.text("entity", "an entity's name")
    guard model[entity] != nil else {
      throw entityNode.error(
        "The \(side) version has no entity \(entity).",
        Self.suggestion(entity, model.entities.map(\.name))
      )
    }
    let key = try keyNode.text("where", "an attribute's name")
    guard model.property(key, of: entity)?.property.attribute?.isPersistent == true else {
      throw keyNode.error(
        "\(entity) has no attribute \(key) to look for.",
        Self.suggestion(key, model.attributes(of: entity).map(\.name))
      )
    }
    let wanted = try expression(value, "equals", draft)
    let found: Expression =
      side == "source"
      ? .sourceInstance(ofEntity: entity, where: key, equals: wanted)
      : .destinationInstance(ofEntity: entity, where: key, equals: wanted)
    guard let part = keys["value"] else { return found }
    let names = try part.text("value", "a property's name")
      .split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let path = composites.path(names, from: .init(entity, in: model))
    guard let first = path.first, model.has(first, of: entity) else {
      throw part.error(
        "\(entity) has no property \(path.first ?? "").",
        Self.suggestion(path.first ?? "", model.properties(of: entity).map(\.property.name))
      )
    }
    return .keyPath(found, path)
  }

  /// Refuses names that the source does not have, and variables that nothing gives a value.
  private func check(
    _ expression: Expression,
    _ node: HopNode,
    _ name: String,
    _ draft: Draft
  ) throws(ModelImportError) {
    var problem: (message: String, recovery: String)?
    let entity = draft.mapping.sourceEntityName
    var bound: Set<String> = Self.variables
    if draft.mapping.pieces != nil {
      bound.formUnion([EntityMapping.Pieces.variable, EntityMapping.Pieces.indexVariable])
    }
    expression.forEachPart { part in
      if case .subquery(_, let variable, _) = part { bound.insert(variable) }
    }
    expression.forEachPart { part in
      switch part {
      case .keyPath(.variable("source"), let path):
        guard let entity, let first = path.first, !first.hasPrefix("@"), problem == nil,
          !source.has(first, of: entity)
        else { return }
        problem = (
          "\(name) reads $source.\(first), which \(entity) does not have.",
          Self.suggestion(first, source.properties(of: entity).map(\.property.name))
        )
      case .keyPath(.evaluatedObject, let path) where problem == nil && !expression.hasScope:
        problem = (
          "\(name) reads \(path.joined(separator: ".")), which belongs to no object.",
          "Write $source.\(path.joined(separator: ".")), or quote it if it is a text: "
            + "'\"\(path.joined(separator: "."))\"'."
        )
      case .variable(let variable) where !bound.contains(variable) && problem == nil:
        problem = (
          "\(name) reads $\(variable), which has no value here.",
          "Known are \(bound.sorted().map { "$\($0)" }.joined(separator: ", "))"
            + (draft.mapping.pieces == nil ? "; $piece needs a `split`." : ".")
        )
      default: break
      }
    }
    if let problem { throw node.error(problem.message, problem.recovery) }
  }

  /// The variables that every expression of a mapping knows.
  private static let variables: Set<String> = [
    "source", "destination", "manager", "entityMapping", "entityPolicy", "propertyMapping",
  ]

  func error(_ entry: HopEntry, _ message: String, _ recovery: String) -> ModelImportError {
    ModelImportError(
      .badValue,
      file: entry.value.file,
      line: entry.line,
      message: message,
      recovery: recovery
    )
  }
}

extension Expression {
  /// Whether a part has an object of its own that bare names belong to.
  fileprivate var hasScope: Bool {
    var found = false
    forEachPart { part in
      switch part {
      case .subquery, .fetch, .conditional: found = true
      default: break
      }
    }
    return found
  }
}

extension ManagedObjectModel {
  /// Returns whether an entity has a property of a name: a composite attribute as one, or its element.
  fileprivate func has(_ name: String, of entityName: String) -> Bool {
    property(name, of: entityName) != nil || declaredProperty(name, of: entityName) != nil
  }
}
