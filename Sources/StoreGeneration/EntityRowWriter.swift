import Files
import ObjectModel
import StoreAccess

/// A writer of the rows of one concrete entity.
struct EntityRowWriter {
  private enum Filler {
    case attribute(AttributeSample, at: Int)
    case link(RelationshipLinks.Source, key: Int?, entity: Int?, order: Int?)
  }

  private let part: EntityPopulation.Part
  private let sql: String
  private var fillers: [Filler] = []

  init(
    _ part: EntityPopulation.Part,
    table: EntityTable,
    links: RelationshipLinks
  ) {
    self.part = part
    let model = links.model
    var names = ["Z_PK", "Z_ENT", "Z_OPT"]
    // The parameters of each relationship's columns, in the order of the columns.
    var relationships: [PropertyReference] = []
    var places: [PropertyReference: (key: Int?, entity: Int?, order: Int?)] = [:]
    var isOneSided: Set<PropertyReference> = []
    func place(
      _ entity: String,
      _ name: String,
      _ path: WritableKeyPath<(key: Int?, entity: Int?, order: Int?), Int?>
    ) {
      let reference = PropertyReference(entityName: entity, propertyName: name)
      if places[reference] == nil { relationships.append(reference) }
      places[reference, default: (nil, nil, nil)][keyPath: path] = names.count
    }
    let unique = Self.uniqueNames(of: part.entityName, in: model)
    for column in table.columns {
      switch column.role {
      case .attribute(let entity, let name):
        guard model.isKind(part.entityName, of: entity),
          let attribute = model.property(name, of: entity)?.property.attribute
        else { continue }
        names.append(column.name)
        let sample = AttributeSample(
          attribute,
          isUnique: unique.contains(name),
          usesFiles: links.usesFiles,
          composite: Self.optionalComposite(of: attribute, entity, model).map {
            SeededNumbers(seed: links.seed, "composite", entity, $0)
          },
          keys: Int(part.firstKey)..<Int(part.firstKey) + part.count,
          numbers: SeededNumbers(seed: links.seed, "value", entity, name)
        )
        fillers.append(.attribute(sample, at: names.count))
      case .toOneKey(let entity, let name) where model.isKind(part.entityName, of: entity):
        names.append(column.name)
        place(entity, name, \.key)
      case .toOneEntity(let entity, let name) where model.isKind(part.entityName, of: entity):
        names.append(column.name)
        place(entity, name, \.entity)
      case .orderKey(let entity, let name) where model.isKind(part.entityName, of: entity):
        names.append(column.name)
        place(entity, name, \.order)
      case .oneSidedOwner(let entity, let name):
        names.append(column.name)
        place(entity, name, \.key)
        isOneSided.insert(.init(entityName: entity, propertyName: name))
      case .oneSidedOrder(let entity, let name):
        names.append(column.name)
        place(entity, name, \.order)
      default: break
      }
    }
    sql =
      "INSERT INTO \(SQL.identifier(table.name)) "
      + "(\(names.map { SQL.identifier($0) }.joined(separator: ", "))) VALUES "
      + "(\(names.map { _ in "?" }.joined(separator: ", ")))"
    for reference in relationships {
      let declared = model.property(reference.propertyName, of: reference.entityName)
      guard let relationship = declared?.property.relationship, let place = places[reference]
      else { continue }
      let source =
        isOneSided.contains(reference)
        ? links.oneSided(
          relationship,
          declaredBy: reference.entityName,
          from: part.entityName
        )
        : links.toOne(
          relationship,
          declaredBy: reference.entityName,
          from: part.entityName,
          isUnique: unique.contains(reference.propertyName)
        )
      guard let source else { continue }
      fillers.append(.link(source, key: place.key, entity: place.entity, order: place.order))
    }
  }

  /// Returns the name of the composite attribute of an element, where rows may lack the composite.
  private static func optionalComposite(
    of attribute: AttributeDescription,
    _ entityName: String,
    _ model: ManagedObjectModel
  ) -> String? {
    attribute.membership.flatMap { membership in
      let declared = model.declaredProperty(membership.attributeName, of: entityName)
      return declared?.property.attribute?.isOptional == true ? membership.attributeName : nil
    }
  }

  /// Returns the properties that must not repeat: all of each constraint's attributes, or where it has
  /// none, its first relationship.
  private static func uniqueNames(
    of entityName: String,
    in model: ManagedObjectModel
  ) -> Set<String> {
    var names: Set<String> = []
    for name in [entityName] + model.ancestorNames(of: entityName) {
      for constraint in model[name]?.uniquenessConstraints ?? [] {
        let attributes = constraint.filter {
          model.property($0, of: name)?.property.attribute != nil
        }
        names.formUnion(attributes.isEmpty ? Array(constraint.prefix(1)) : attributes)
      }
    }
    return names
  }

  /// Inserts all rows.
  ///
  /// - Complexity: O(*rows* · *columns*), in constant memory.
  func write(
    to connection: borrowing SQLiteConnection,
    progress: (Int) -> Void
  ) throws(SQLiteError) {
    guard part.count > 0 else { return }
    let statement = try connection.prepare(sql)
    for index in 0..<part.count {
      let key = part.firstKey + Int64(index)
      try statement.bind(key, at: 1)
      try statement.bind(part.entityNumber, at: 2)
      try statement.bind(Int64(1), at: 3)
      for filler in fillers {
        switch filler {
        case .attribute(let sample, let at):
          try statement.bind(sample.value(key: Int(key)), at: at)
        case .link(let source, let keyPlace, let entityPlace, let orderPlace):
          let link = source.destination(ofRow: index)
          let order = link.map { OrderKey.key(atRank: $0.rank) }
          try bind(link?.key, to: statement, at: keyPlace)
          try bind(link?.entityNumber, to: statement, at: entityPlace)
          try bind(order, to: statement, at: orderPlace)
        }
      }
      try statement.run()
      if index & 4095 == 4095 { progress(4096) }
    }
    progress(part.count & 4095)
  }

  /// Writes the files of all rows, each new, into a folder.
  ///
  /// - Throws: ``FileError``.
  func writeFiles(into folder: borrowing Folder) throws(FileError) {
    for case .attribute(let sample, _) in fillers {
      for index in 0..<part.count {
        guard let file = sample.file(key: Int(part.firstKey) + index) else { continue }
        let made = try folder.open(creating: file.name, permissions: 0o600)
        try made.write(file.bytes)
      }
    }
  }

  private func bind(
    _ value: Int64?,
    to statement: borrowing SQLiteStatement,
    at place: Int?
  ) throws(SQLiteError) {
    guard let place else { return }
    if let value {
      try statement.bind(value, at: place)
    } else {
      try statement.bindNull(at: place)
    }
  }
}
