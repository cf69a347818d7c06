import Foundation
package import ObjectModel
import StoreAccess

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A writer of stores of Core Data's XML kind, after what public files of the framework's show.
///
/// It writes the rows of a store of the SQLite kind, read by plain SQL: names of entities in capitals, of
/// properties in small letters, dates with twenty digits after the point, escapes of `\u` with swapped bytes.
package struct XMLStoreText {
  /// The text of the file.
  package private(set) var text = ""
  /// The number that the keys of each table are raised by, so that identifiers are unique in the file.
  package private(set) var offsets: [String: Int64] = [:]
  private let schema: PhysicalSchema
  private let database: AppDatabase

  /// Writes a store.
  ///
  /// - Parameters:
  ///   - path: A store of the SQLite kind.
  ///   - metadata: Elements that follow the framework's own in the metadata.
  package init(
    of path: String,
    model: ManagedObjectModel,
    metadata: [String] = []
  ) throws {
    schema = PhysicalSchema(model: model)
    database = try AppDatabase(path)
    var next: Int64 = 101
    for table in schema.tables {
      offsets[table.name] = next
      let rows = try database.execute("SELECT MAX(Z_PK) FROM \(SQL.identifier(table.name))", [])
      next += rows.first?.first?.integer ?? 0
    }
    let uuid = try database.execute("SELECT Z_UUID FROM Z_METADATA", []).first?.first?.text
    writeHead(uuid ?? "", model, next: next, metadata)
    for table in schema.tables { try write(table, model) }
    text += "</database>\n"
  }

  private mutating func writeHead(
    _ uuid: String,
    _ model: ManagedObjectModel,
    next: Int64,
    _ metadata: [String]
  ) {
    let hashes = model.entityVersionHashes.sorted { $0.key < $1.key }.map { name, hash in
      "<key>\(name)</key>\n<data>\n\t\t\(Base64.string(hash.bytes))\n\t\t</data>"
    }
    text = """
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <UUID>\(uuid)</UUID>
              <nextObjectID>\(next)</nextObjectID>
              <metadata>
                  <plist version="1.0">
                      <dict>
                          <key>NSPersistenceFrameworkVersion</key>
                          <integer>640</integer>
                          <key>NSStoreModelVersionHashes</key>
                          <dict>
      \(hashes.joined(separator: "\n"))
                          </dict>
                          <key>NSStoreModelVersionHashesVersion</key>
                          <integer>3</integer>
                          <key>NSStoreModelVersionIdentifiers</key>
                          <array>
                              <string></string>
                          </array>
      \(metadata.joined(separator: "\n"))
                      </dict>
                  </plist>
              </metadata>
          </databaseInfo>

      """
  }

  private mutating func write(_ table: EntityTable, _ model: ManagedObjectModel) throws {
    let offset = offsets[table.name] ?? 0
    for name in model.hierarchyNames(below: table.rootEntityName) {
      guard let number = schema.entityNumber(name), model[name]?.isAbstract == false else {
        continue
      }
      let attributes = model.attributes(of: name).compactMap { attribute in
        schema.column(of: attribute.name, in: name).map { (attribute, $0.name) }
      }
      let columns = ["Z_PK"] + attributes.map { SQL.identifier($0.1) }
      let rows = try database.execute(
        "SELECT \(columns.joined(separator: ", ")) FROM \(SQL.identifier(table.name)) "
          + "WHERE Z_ENT = \(number) ORDER BY Z_PK",
        []
      )
      let relationships = try model.relationships(of: name).filter(\.isPersistent).map {
        try (relationship: $0, links: links(of: $0, in: name))
      }
      for row in rows {
        let key = row[0].integer ?? 0
        text += "    <object type=\"\(name.uppercased())\" id=\"z\(key + offset)\">\n"
        for (index, (attribute, _)) in attributes.enumerated() {
          let value = row[index + 1]
          guard !value.isNull else { continue }
          let (type, characters) = Self.written(value, attribute)
          text +=
            "        <attribute name=\"\(attribute.name.lowercased())\" type=\"\(type)\">"
            + "\(characters)</attribute>\n"
        }
        for (relationship, links) in relationships {
          let destination = relationship.destinationEntityName
          let raised = offsets[schema.table(of: destination)?.name ?? ""] ?? 0
          let identifiers = (links[key] ?? []).map { "z\($0 + raised)" }
          text +=
            "        <relationship name=\"\(relationship.name.lowercased())\" "
            + "type=\"\(relationship.isToMany ? "0/0" : "1/1")\" "
            + "destination=\"\(destination.uppercased())\""
            + (identifiers.isEmpty ? "" : " idrefs=\"\(identifiers.joined(separator: " "))\"")
            + "></relationship>\n"
        }
        text += "    </object>\n"
      }
    }
  }

  /// Returns the keys to which each object of an entity is linked, in their order.
  private func links(
    of relationship: RelationshipDescription,
    in entity: String
  ) throws -> [Int64: [Int64]] {
    let sql: String
    func query(_ table: String, _ owner: String, _ other: String, _ order: String?) -> String {
      let (table, owner, other) = (
        SQL.identifier(table), SQL.identifier(owner), SQL.identifier(other)
      )
      return "SELECT \(owner), \(other) FROM \(table) WHERE \(owner) NOTNULL AND \(other) NOTNULL "
        + "ORDER BY \(order.map { SQL.identifier($0) } ?? other)"
    }
    switch schema.storage(of: relationship.name, in: entity) {
    case .key(let table, let key, _, _): sql = query(table, "Z_PK", key, nil)
    case .inverseKey(let table, let key, let order), .ownerKey(let table, let key, let order):
      sql = query(table, key, "Z_PK", order)
    case .join(let join, let own, let other, let order): sql = query(join.name, own, other, order)
    case nil: return [:]
    }
    var links: [Int64: [Int64]] = [:]
    for row in try database.execute(sql, []) {
      links[row[0].integer ?? 0, default: []].append(row[1].integer ?? 0)
    }
    return links
  }

  /// Returns the type and the text of a value.
  private static func written(
    _ value: SQLiteValue,
    _ attribute: AttributeDescription
  ) -> (type: String, text: String) {
    let number =
      switch value {
      case .integer(let value): "\(value)"
      case .real(let value): "\(value)"
      default: ""
      }
    var bytes = value.blob ?? []
    if attribute.allowsExternalBinaryDataStorage, !bytes.isEmpty { bytes.removeFirst() }
    switch attribute.attributeType {
    case .integer16: return ("int16", number)
    case .integer32: return ("int32", number)
    case .integer64: return ("int64", number)
    case .float: return ("float", number)
    case .double: return ("double", number)
    case .decimal: return ("decimal", number)
    case .boolean: return ("bool", number)
    case .date:
      guard case .real(let seconds) = value else { return ("date", number) }
      return ("date", String(format: "%.20f", seconds))
    case .uuid:
      let digits = Hexadecimal.string(bytes).uppercased()
      let groups = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)].map { start, end in
        String(digits.dropFirst(start).prefix(end - start))
      }
      return ("UUID", groups.joined(separator: "-"))
    case .uri: return ("URI", escaped(value.text ?? ""))
    case .string: return ("string", escaped(value.text ?? ""))
    case .transformable: return ("transformable", Base64.string(bytes) + "\n")
    default: return ("binary", Base64.string(bytes) + "\n")
    }
  }

  /// Returns a text with the escapes of the format; backslashes are escaped too, so that none begins one.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isPlain =
        scalar.value >= 0x20 && !"<>&\\".unicodeScalars.contains(scalar)
        && scalar.value != 0xfffe && scalar.value != 0xffff || scalar == "\n" || scalar == "\t"
      if isPlain {
        result.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit.byteSwapped, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return result
  }
}
