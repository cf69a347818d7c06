import Files
import ObjectModel

/// The counts of the objects of one concrete entity, row by row.
struct EntityCensus {
  let name: String
  /// The number in `Z_ENT` of its rows.
  let number: UInt16
  private(set) var rowCount: Int64 = 0
  private let fields: [Field]
  private var valueCounts: [Int64]
  /// The links of each relationship that a row of this entity or of a join table holds, by the numbers
  /// of the entities that they lead to.
  private(set) var links: [String: [Int64]] = [:]
  /// The number of links of each key by the entity they lead to, in the order of the fields; at 0, to none.
  private var linkCounts: [[Int64]]
  /// The one-to-one relationships that lack a link which the other side has.
  var oneSided: Set<String> = []
  /// The digest of the rows' contents; nil where it was not asked for.
  var digester: EntityDigester?

  /// A value of a row.
  struct Field {
    let name: String
    let column: String
    /// Nil for the key of a to-one relationship's destination.
    let attribute: AttributeDescription?
    /// Whether it holds values of its own: a derived one follows from others.
    var isCounted: Bool { attribute.map { $0.derivationExpression == nil } ?? false }
    /// The form in which the value is digested.
    fileprivate let form: EntityDigester.Form
    /// The place of the table to which a key leads, and of its column among those that are read.
    fileprivate var target: Int?
    fileprivate var place = 0
  }

  /// - Parameters:
  ///   - present: The columns of the entity's table; what it lacks holds nothing.
  ///   - tables: The place of the table of each root entity.
  init(
    of entity: String,
    number: UInt16,
    _ schema: PhysicalSchema,
    present: Set<String>,
    tables: [String: Int],
    digester: EntityDigester?
  ) {
    name = entity
    self.number = number
    self.digester = digester
    let fields = schema.model.properties(of: entity).compactMap { declared -> Field? in
      let name = declared.property.name
      if let attribute = declared.property.attribute {
        return schema.column(of: name, in: entity).map {
          Field(name: name, column: $0.name, attribute: attribute, form: .init(attribute))
        }
      }
      guard let relationship = declared.property.relationship,
        case .key(_, let key, _, _)? = schema.storage(of: name, in: entity)
      else { return nil }
      var field = Field(name: name, column: key, attribute: nil, form: .plain)
      field.target = tables[schema.model.rootEntityName(of: relationship.destinationEntityName)]
      return field
    }
    // A digest of less than the model has would be one of something else.
    self.fields = digester == nil ? fields.filter { present.contains($0.column) } : fields
    valueCounts = Array(repeating: 0, count: self.fields.count)
    linkCounts = self.fields.map {
      $0.target == nil ? [] : Array(repeating: 0, count: schema.entityNames.count + 1)
    }
    for field in self.fields { self.digester?.add(text: Array(field.name.utf8)) }
  }

  /// The columns that are read.
  var columns: [String] { fields.map(\.column) }

  /// Returns the fields, each with the place of its column among those that are read.
  func placed(_ places: [String: Int]) -> [Field] {
    fields.map { field in
      var field = field
      field.place = places[field.column] ?? 0
      return field
    }
  }

  /// Takes in a row.
  ///
  /// - Parameters:
  ///   - fields: The result of ``placed(_:)``.
  ///   - keys: The objects of each table.
  mutating func add(
    _ row: borrowing SQLiteStatement,
    _ fields: [Field],
    _ keys: [ObjectKeys?]
  ) throws(FileError) {
    rowCount += 1
    digester?.add(integer: row.int64(1))
    for index in fields.indices {
      let (place, form) = (fields[index].place, fields[index].form)
      let storage = row.storageClass(place)
      if storage != .null {
        valueCounts[index] += 1
        if let target = fields[index].target {
          let number = row.key(place).flatMap { keys[target]?.number(of: $0) } ?? 0
          linkCounts[index][Int(number)] += 1
        }
      }
      try digester?.add(row, place, storage, form)
    }
    digester?.flush(beyond: 1 << 16)
  }

  /// Takes in a link of a join table, or of a to-many without inverse.
  mutating func addLink(of relationship: String, to number: UInt16, _ numberCount: Int) {
    links[relationship, default: Array(repeating: 0, count: numberCount + 1)][Int(number)] += 1
  }

  /// The values of each stored attribute that are not NULL; derived attributes are not counted.
  var values: [String: Int64] {
    var values: [String: Int64] = [:]
    for (field, count) in zip(fields, valueCounts) where field.isCounted {
      values[field.name] = count
    }
    return values
  }

  /// The number of keys of each to-one relationship that name no object; none where all do.
  var danglingKeys: [(relationship: String, count: Int64)] {
    zip(fields, linkCounts).compactMap { field, counts in
      counts.first.flatMap { $0 > 0 ? (field.name, $0) : nil }
    }
  }

  /// The links of each to-one relationship, by the numbers of the entities that they lead to; at 0, what
  /// leads to none.
  var keyedLinks: [(relationship: String, counts: [Int64])] {
    zip(fields, linkCounts).filter { $0.0.target != nil }.map { ($0.name, $1) }
  }
}
