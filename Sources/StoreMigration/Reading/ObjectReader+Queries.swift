package import ObjectModel
import StoreAccess

// Questions for some objects.
extension ObjectReader {
  /// Returns a question with its texts as dates and UUIDs where it compares them with such attributes.
  ///
  /// - Throws: ``FormatError``, with the place in the question, for an entity or a key that the model does not
  ///   have.
  package func resolved(_ query: ObjectQuery) throws(FormatError) -> ObjectQuery {
    try check(query)
    var query = query
    let entity = query.entity.text
    func leadsToObjects(_ expression: Expression) -> Bool {
      if expression == .evaluatedObject { return true }
      guard case .keyPath(.evaluatedObject, let keys) = expression else { return false }
      return leadsOn(keys, entity)
    }
    try query.convertTexts(leadsToObjects: leadsToObjects) { expression in
      guard case .keyPath(.evaluatedObject, let keys) = expression else { return nil }
      return type(of: keys, entity)
    }
    return query
  }

  /// Returns the type of the attribute at the end of a path; nil for all else.
  private func type(of keys: [String], _ entityName: String) -> AttributeType? {
    var entity = entityName
    for (place, key) in keys.enumerated() {
      guard let property = schema.model.property(key, of: entity)?.property else {
        let path = keys[place...].joined(separator: ".")
        return schema.model.property(path, of: entity)?.property.attribute?.attributeType
      }
      guard case .relationship(let relationship) = property else {
        return place == keys.count - 1 ? property.attribute?.attributeType : nil
      }
      entity = relationship.destinationEntityName
    }
    return nil
  }

  /// Returns whether a path leads to objects rather than to a value.
  private func leadsOn(_ keys: [String], _ entityName: String) -> Bool {
    var entity = entityName
    for key in keys where key != "self" {
      guard case .relationship(let relationship)? = schema.model.property(key, of: entity)?.property
      else { return false }
      entity = relationship.destinationEntityName
    }
    return true
  }

  private func check(_ query: ObjectQuery) throws(FormatError) {
    let model = schema.model
    let entity = query.entity.text
    guard model[entity] != nil, schema.table(of: entity) != nil else {
      let near = model.entities.map(\.name).filter { $0.lowercased() == entity.lowercased() }
      throw query.error(
        at: query.entity.offset,
        "The model has no entity \u{201c}\(entity)\u{201d}.",
        near.first.map { "Write \($0): case counts." } ?? "`waystone inspect` lists the entities."
      )
    }
    guard query.sortKeys.count <= Self.mostSortKeys else {
      throw query.error(
        at: query.sortKeys[Self.mostSortKeys].path.keys[0].offset,
        "The order has more than \(Self.mostSortKeys) keys.",
        "Leave some out."
      )
    }
    for key in query.sortKeys { try check(key.path, of: query, isSelected: false) }
    for path in query.selection { try check(path, of: query, isSelected: true) }
    guard let predicate = query.predicate else { return }
    var mistake: FormatError?
    var variables: Set<String> = []
    predicate.forEachPart { part in
      if case .subquery(_, let variable, _) = part { variables.insert(variable) }
    }
    predicate.forEachPart { part in
      switch part {
      case .keyPath(.evaluatedObject, let keys):
        guard let unknown = unknownKey(keys, entity) else { return }
        mistake =
          mistake
          ?? query.error(
            at: query.offset(ofKey: unknown.key),
            "\(unknown.entity) has no property \u{201c}\(unknown.key)\u{201d} that a store keeps.",
            "Correct the name; text is put into quotation marks."
          )
      case .variable(let name) where !variables.contains(name):
        mistake =
          mistake
          ?? query.error(
            at: query.predicateOffset,
            "The condition has the variable $\(name), which nothing gives a value.",
            "Write the value itself."
          )
      default: return
      }
    }
    if let mistake { throw mistake }
  }

  private func check(
    _ path: ObjectQuery.Path,
    of query: ObjectQuery,
    isSelected: Bool
  ) throws(FormatError) {
    if isSelected, path.keys.count == 1, Self.ownKeys.contains(path.keys[0].text) { return }
    let keys = path.keys.map(\.text)
    if let unknown = unknownKey(keys, query.entity.text) {
      throw query.error(
        at: path.keys[unknown.place].offset,
        "\(unknown.entity) has no property \u{201c}\(unknown.key)\u{201d} that a store keeps.",
        "Correct the name."
      )
    }
    guard isSelected || leadsToValue(keys, query.entity.text) else {
      throw query.error(
        at: path.keys[keys.count - 1].offset,
        "\u{201c}\(path.text)\u{201d} leads to objects, which have no order.",
        "Go on to an attribute, or to @count."
      )
    }
  }

  private func leadsToValue(_ keys: [String], _ entityName: String) -> Bool {
    var entity = entityName
    for key in keys {
      guard case .relationship(let relationship)? = schema.model.property(key, of: entity)?.property
      else { return key != "self" }
      if relationship.isToMany { return keys.contains { $0.hasPrefix("@") } }
      entity = relationship.destinationEntityName
    }
    return false
  }

  /// The greatest number of keys of an order; SQLite takes 2,000 terms.
  private static let mostSortKeys = 100

  /// The keys of an object that are no properties.
  package static let ownKeys = ["entity", "objectID"]

  /// Returns the name by which a record shows a property: one that has the name of an own key, or such a name
  /// with underscores behind it, gets one more.
  package static func shownName(of property: String) -> String {
    var stem = Substring(property)
    while stem.last == "_" { stem.removeLast() }
    return ownKeys.contains(String(stem)) ? property + "_" : property
  }

  /// Returns the first key of a path that no object there has; nil where all are known, or follow an
  /// attribute or a collection operator.
  private func unknownKey(
    _ keys: [String],
    _ entityName: String
  ) -> (place: Int, key: String, entity: String)? {
    var entity = entityName
    var place = 0
    while place < keys.count, !keys[place].hasPrefix("@") {
      let key = keys[place]
      if key == "self" {
        place += 1
        continue
      }
      switch schema.model.declaredProperty(key, of: entity)?.property {
      case .relationship(let relationship)
      where schema.storage(of: key, in: entity) != nil:
        entity = relationship.destinationEntityName
      case .attribute(let attribute) where attribute.isPersistent: return nil
      default:
        // An element of a composite may be named by one key.
        return schema.column(of: key, in: entity) == nil ? (place, key, entity) : nil
      }
      place += 1
    }
    return nil
  }

  /// Returns the number of objects that a question is for.
  ///
  /// - Throws: The errors of ``forEach(_:_:)``.
  package func count(_ query: ObjectQuery) throws -> Int {
    var query = query
    query.dropOrder()
    if let condition = try compiledCondition(query) {
      let rows = "SELECT 1 FROM \(source(query, condition))" + bounds(query)
      return try explaining {
        Int(clamping: try database.connection.integer("SELECT COUNT(*) FROM (\(rows))") ?? 0)
      }
    }
    var count = 0
    try forEach(query) { _ in
      count += 1
      return true
    }
    return count
  }

  /// Visits the objects that a question is for, subentities' included, in their order.
  ///
  /// SQLite answers what SQL can express, the evaluator the rest.
  ///
  /// - Parameter body: Called with each object; false ends the visit.
  /// - Throws: ``EvaluationError`` or ``MigrationError`` where a condition or an order cannot be computed for
  ///   an object, an error of the database, and what `body` throws.
  /// - Complexity: O(*objects* of the entity); in memory are the keys and values of the order, where SQL
  ///   cannot express it.
  package func forEach(_ query: ObjectQuery, _ body: (ManagedObject) throws -> Bool) throws {
    let condition = try compiledCondition(query)
    let order = compiledOrder(query)
    if let condition, let order {
      return try visit(source(query, condition) + order + bounds(query), body)
    }
    var evaluator = ExpressionEvaluator()
    evaluator.variables["now"] = .scalar(.date(now))
    var skipped = 0
    var given = 0
    func give(_ object: ManagedObject) throws -> Bool {
      if skipped < query.offset {
        skipped += 1
        return true
      }
      if let limit = query.limit, given >= limit { return false }
      given += 1
      return try body(object)
    }
    func holds(_ object: ManagedObject) throws -> Bool {
      guard condition == nil, let predicate = query.predicate else { return true }
      return try evaluator.evaluate(predicate, with: .object(object))
    }
    let rows = source(query, condition ?? "1")
    if let order {
      return try visit(rows + order) { try holds($0) ? give($0) : true }
    }
    var found: [(key: Int64, layout: EntityLayout, values: [ExpressionValue])] = []
    try visit(rows + " ORDER BY s.Z_PK") { object in
      guard try holds(object) else { return true }
      let values = try query.sortKeys.map {
        try evaluator.evaluate($0.path.expression, with: .object(object))
      }
      found.append((object.key, object.layout, values))
      return true
    }
    try found.sort { left, right in
      for (place, key) in query.sortKeys.enumerated() {
        guard let precedes = try evaluator.precedes(left.values[place], right.values[place]) else {
          continue
        }
        return precedes == key.isAscending
      }
      return left.key < right.key
    }
    for (place, row) in found.enumerated() {
      if place % 1024 == 0 {
        context.trim()
        try checkCancellation()
      }
      guard let object = try context.object(number: row.layout.number, key: row.key) else {
        continue
      }
      guard try give(object) else { return }
    }
  }

  private func visit(_ rows: String, _ body: (ManagedObject) throws -> Bool) throws {
    let cursor = try database.cursor("SELECT s.Z_PK, s.Z_ENT FROM \(rows)")
    var count = 0
    while try explaining({ try cursor.statement.step() }) {
      count += 1
      if count % 1024 == 0 {
        context.trim()
        try checkCancellation()
      }
      guard let key = cursor.statement.key(0), let number = cursor.statement.key(1),
        let object = try context.object(number: number, key: key)
      else { continue }
      guard try body(object) else { return }
    }
  }

  /// Runs a statement; where a function of it refuses the values of a row, its own error is thrown.
  private func explaining<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch {
      throw database.connection.takeFunctionError() ?? error
    }
  }

  private func compiler(_ query: ObjectQuery) -> ExpressionCompiler {
    ExpressionCompiler(
      schema: schema,
      database: "main",
      entity: query.entity.text,
      alias: "s",
      now: now
    )
  }

  /// Returns the condition in SQL; nil where SQL cannot express it, or would compare values that are no numbers or
  /// not of their attribute's type: the evaluator refuses these, or knows their order.
  private func compiledCondition(_ query: ObjectQuery) throws -> String? {
    guard let predicate = query.predicate else { return "1" }
    guard let condition = compiler(query).compile(predicate) else { return nil }
    let entity = query.entity.text
    var strange: Set<String> = []
    predicate.forEachPart { part in
      guard case .keyPath(.evaluatedObject, let keys) = part, keys.count == 1,
        let attribute = schema.model.property(keys[0], of: entity)?.property.attribute,
        let column = schema.column(of: keys[0], in: entity)?.name
      else { return }
      let value = "s.\(SQL.identifier(column))"
      strange.insert("(\(ValueConversion.isNone(of: attribute.attributeType, value)))")
      // SQLite compares the text of a decimal that is not a number.
      if attribute.attributeType == .decimal { strange.insert(ValueConversion.isNoNumber(value)) }
    }
    guard !strange.isEmpty else { return condition }
    let rows = source(query, strange.sorted().joined(separator: " OR "))
    let isStrange = try database.connection.integer("SELECT EXISTS (SELECT 1 FROM \(rows))") == 1
    return isStrange ? nil : condition
  }

  /// Returns the order in SQL; nil where SQL cannot express it.
  private func compiledOrder(_ query: ObjectQuery) -> String? {
    compiler(query).order(by: query.sortKeys.map { ($0.path.expression, $0.isAscending) })
      .map { " ORDER BY " + $0 }
  }

  private func source(_ query: ObjectQuery, _ condition: String) -> String {
    let name = query.entity.text
    let numbers = schema.entityNumbers(below: name).map(String.init).joined(separator: ", ")
    let table = SQL.identifier("main", schema.table(of: name)?.name ?? "")
    // An index may disagree with its table.
    return "\(table) AS s NOT INDEXED WHERE s.Z_ENT IN (\(numbers)) AND (\(condition))"
  }

  private func bounds(_ query: ObjectQuery) -> String {
    " LIMIT \(query.limit ?? -1) OFFSET \(query.offset)"
  }
}

// MARK: Their values

extension ObjectReader {
  /// Returns all values of an object.
  ///
  /// - Throws: An error of the database.
  package func record(of object: ManagedObject) throws -> Record {
    let shape = try shape(of: object.entity.name)
    return Record(
      shape: shape,
      key: object.key,
      values: try shape.properties.map { try value($0, of: object, shape) }
    )
  }

  /// Returns the value at the end of a path.
  ///
  /// - Throws: ``EvaluationError`` or ``MigrationError`` where it cannot be computed.
  package func value(at path: ObjectQuery.Path, of object: ManagedObject) throws -> RecordValue {
    let shape = try shape(of: object.entity.name)
    if path.keys.count == 1 {
      let key = path.keys[0].text
      if let place = shape.places[key] {
        return try value(shape.properties[place], of: object, shape)
      }
      if key == "objectID" { return .object(object.key) }
      if key == "entity" { return .scalar(.string(object.entity.name)) }
    }
    var evaluator = ExpressionEvaluator()
    evaluator.variables["now"] = .scalar(.date(now))
    return Self.value(try evaluator.evaluate(path.expression, with: .object(object)))
  }

  private func value(
    _ property: RecordShape.Property,
    of object: ManagedObject,
    _ shape: RecordShape
  ) throws -> RecordValue {
    switch property.storage {
    case .attribute(let slot):
      try value(object.stored(slot.slot), slot, property.name, shape, object.key)
    case .composite(let slots):
      try composite(slots, property.name, shape, object.key) { try object.stored($0) }
    case .toOne(let slot):
      try context.destination(of: object, slot).map { .object($0.key) } ?? .nothing
    case .toMany(let slot): .objects(try context.destinations(of: object, slot).map(\.key))
    }
  }

  private static func value(_ value: ExpressionValue) -> RecordValue {
    switch value {
    case .nothing: return .nothing
    case .scalar(let scalar): return .scalar(scalar)
    case .object(let object as ManagedObject): return .object(object.key)
    case .object(let composite as CompositeValue):
      return .composite(
        composite.elements.sorted { ByteOrder.precedes($0.key, $1.key) }
          .map { .init(name: $0.key, value: Self.value($0.value)) }
      )
    case .object: return .nothing
    case .list(let members), .set(let members): return .list(members.map(Self.value))
    }
  }
}
