import ObjectModel

/// An entity as objects of a store of the XML kind have it, and as rows of the SQLite kind keep it.
struct XMLStoreEntity {
  /// The place of a property in a row, or of its links.
  enum Property {
    /// An attribute in a column.
    case attribute(AttributeDescription, column: Int)
    /// A to-one relationship in the column of its key, and in that of the destination's entity.
    case toOne(destinations: Set<Int64>, key: Int, entity: Int?)
    /// A to-many relationship, whose links have a number.
    case toMany(destinations: Set<Int64>, number: Int)
    /// A property that cannot be read, for a reason.
    case unreadable(String)
  }

  let name: String
  let number: Int64
  let table: EntityTable
  /// The names of the columns that rows are written with.
  let columns: [String]
  /// The properties by their names in small letters.
  let properties: [String: Property]

  /// Lays out an entity.
  ///
  /// - Parameter numbers: The numbers of the links of each to-many relationship.
  init?(_ name: String, _ schema: PhysicalSchema, numbers: [PropertyReference: Int]) {
    guard let table = schema.table(of: name), let number = schema.entityNumber(name) else {
      return nil
    }
    self.name = name
    self.number = Int64(number)
    self.table = table
    var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    var properties: [String: Property] = [:]
    func column(_ name: String) -> Int {
      columns.append(name)
      return columns.count - 1
    }
    func place(of declared: ManagedObjectModel.DeclaredProperty) -> Property {
      let property = declared.property
      if property.attribute?.attributeType == .composite || property.attribute?.membership != nil {
        return .unreadable(
          "is a composite attribute, whose form in stores of the XML kind is not known"
        )
      }
      guard property.isPersistent else { return .unreadable("is one that stores do not keep") }
      switch property {
      case .attribute(let attribute):
        guard let own = schema.column(of: attribute.name, in: name) else { break }
        return .attribute(attribute, column: column(own.name))
      case .relationship(let relationship):
        let destinations = Set(
          schema.entityNumbers(below: relationship.destinationEntityName).map(Int64.init)
        )
        switch schema.storage(of: relationship.name, in: name) {
        case .key(_, let key, let entity, _):
          return .toOne(
            destinations: destinations,
            key: column(key),
            entity: entity.map { column($0) }
          )
        case .inverseKey, .ownerKey, .join:
          let reference = PropertyReference(
            entityName: declared.entityName,
            propertyName: relationship.name
          )
          guard let number = numbers[reference] else { break }
          return .toMany(destinations: destinations, number: number)
        case nil: break
        }
      case .fetchedProperty: break
      }
      return .unreadable("has no place in a store of the SQLite kind")
    }
    for declared in schema.model.properties(of: name) + schema.model.declaredProperties(of: name) {
      let key = declared.property.name.lowercased()
      guard properties[key] == nil else {
        if schema.model.isAnother(declared, like: key, in: name) {
          properties[key] = .unreadable(
            "may be one of two properties that differ in capitals alone"
          )
        }
        continue
      }
      properties[key] = place(of: declared)
    }
    self.columns = columns
    self.properties = properties
  }

  /// The statement that inserts a row.
  var insertSQL: String {
    "INSERT INTO \(SQL.identifier(table.name)) "
      + "(\(columns.map { SQL.identifier($0) }.joined(separator: ", "))) VALUES "
      + "(\(columns.map { _ in "?" }.joined(separator: ", ")))"
  }

  /// The query of a row by its key.
  var selectSQL: String {
    "SELECT \(columns.map { SQL.identifier($0) }.joined(separator: ", ")) "
      + "FROM \(SQL.identifier(table.name)) WHERE Z_PK = ?"
  }
}

extension ManagedObjectModel {
  /// Returns whether the entity has another property than this one whose name is the same in small letters.
  fileprivate func isAnother(
    _ declared: DeclaredProperty,
    like key: String,
    in entityName: String
  ) -> Bool {
    let names = (properties(of: entityName) + declaredProperties(of: entityName))
      .map(\.property.name).filter { $0.lowercased() == key }
    return Set(names).count > 1
  }
}
