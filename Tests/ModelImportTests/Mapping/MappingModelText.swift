import Foundation
import ObjectModel

/// The text of an `xcmapping.xml` as Xcode's editor writes it.
///
/// Only what the sample mapping models need is written: properties whose value follows from their
/// name, and relationships along a key path by way of another entity mapping.
struct MappingModelText {
  /// An entity mapping: its ends, its filter, its policy, and what is not left to the rule.
  struct Entity {
    var source: String
    var destination: String
    var filter: String?
    var policy: String?
    /// The key path of a relationship, and the name of the entity mapping.
    var ways: [String: (keyPath: String, mapping: String)] = [:]

    init(
      _ source: String,
      _ destination: String,
      filter: String? = nil,
      policy: String? = nil,
      ways: [String: (keyPath: String, mapping: String)] = [:]
    ) {
      self.source = source
      self.destination = destination
      self.filter = filter
      self.policy = policy
      self.ways = ways
    }
  }

  private var objects: [String] = []
  private var next = 102

  /// The file's text.
  static func text(
    uuid: String,
    from source: ModelVersion,
    to destination: ModelVersion,
    _ entities: [Entity]
  ) -> String {
    var text = MappingModelText()
    return text.text(uuid, source, destination, entities)
  }

  private mutating func text(
    _ uuid: String,
    _ source: ModelVersion,
    _ destination: ModelVersion,
    _ entities: [Entity]
  ) -> String {
    let model = identifier()
    let ids = entities.indices.map { _ in identifier() }
    for (index, entity) in entities.enumerated() {
      add(entity, number: index + 1, id: ids[index], model: model, destination.model)
    }
    func path(_ version: ModelVersion) -> String {
      "\(version.modelName).xcdatamodeld/\(version.name).xcdatamodel"
    }
    add(
      "XDDEVMAPPINGMODEL",
      model,
      [
        string("sourcemodelpath", path(source)),
        binary("sourcemodeldata", EditorModelWriter.archive(source.model)),
        string("destinationmodelpath", path(destination)),
        binary("destinationmodeldata", EditorModelWriter.archive(destination.model)),
        many("entitymappings", "XDDEVENTITYMAPPING", ids),
      ]
    )
    let head = Self.head.replacing("UUID_HERE", with: uuid).replacing("NEXT_HERE", with: "\(next)")
    return head + objects.joined() + "</database>"
  }

  private mutating func add(
    _ entity: Entity,
    number: Int,
    id: String,
    model: String,
    _ destination: ManagedObjectModel
  ) {
    let owner = one("entitymapping", "XDDEVENTITYMAPPING", id)
    var attributes: [String] = []
    var relationships: [String] = []
    for declared in destination.properties(of: entity.destination) {
      let part = identifier()
      let name = string("name", declared.property.name)
      switch declared.property {
      case .attribute:
        attributes.append(part)
        add("XDDEVATTRIBUTEMAPPING", part, [name, owner])
      case .relationship(let relationship):
        relationships.append(part)
        let way = entity.ways[relationship.name]
        let lines = [
          way.map { string("sourcemappingname", $0.mapping) },
          way.map { string("sourcekeypath", $0.keyPath) },
          scalar("autogenerateexpression", "bool", "1"), name, owner,
        ]
        add("XDDEVRELATIONSHIPMAPPING", part, lines.compactMap { $0 })
      case .fetchedProperty: break
      }
    }
    let lines = [
      entity.filter.map { string("sourcefilterpredicatestring", $0) },
      string("migrationpolicyclassname", entity.policy ?? ""),
      string("sourcename", entity.source), scalar("mappingtypename", "string", "Undefined"),
      scalar("mappingnumber", "int16", "\(number)"), string("destinationname", entity.destination),
      scalar("autogenerateexpression", "bool", "1"),
      one("mappingmodel", "XDDEVMAPPINGMODEL", model),
      many("attributemappings", "XDDEVATTRIBUTEMAPPING", attributes),
      many("relationshipmappings", "XDDEVRELATIONSHIPMAPPING", relationships),
    ]
    add("XDDEVENTITYMAPPING", id, lines.compactMap { $0 })
  }

  private mutating func identifier() -> String {
    defer { next += 1 }
    return "z\(next)"
  }

  private mutating func add(_ type: String, _ id: String, _ lines: [String]) {
    objects.append(
      "    <object type=\"\(type)\" id=\"\(id)\">\n"
        + lines.map { "        \($0)\n" }.joined() + "    </object>\n"
    )
  }

  private func scalar(_ name: String, _ type: String, _ value: String) -> String {
    "<attribute name=\"\(name)\" type=\"\(type)\">\(value)</attribute>"
  }

  /// Xcode writes characters that XML would escape as `\u` and four digits, the two bytes swapped.
  private func string(_ name: String, _ value: String) -> String {
    let escaped = value.replacing("&", with: "\\u2600").replacing("<", with: "\\u3c00")
      .replacing(">", with: "\\u3e00")
    return scalar(name, "string", escaped)
  }

  private func binary(_ name: String, _ bytes: [UInt8]) -> String {
    let lines = Data(bytes).base64EncodedString(options: [
      .lineLength76Characters, .endLineWithLineFeed,
    ])
    return scalar(name, "binary", lines + "\n")
  }

  private func one(_ name: String, _ type: String, _ id: String) -> String {
    relationship(name, "1/1", type, [id])
  }

  private func many(_ name: String, _ type: String, _ ids: [String]) -> String {
    relationship(name, "0/0", type, ids)
  }

  private func relationship(
    _ name: String,
    _ kind: String,
    _ type: String,
    _ ids: [String]
  ) -> String {
    let list = ids.isEmpty ? "" : " idrefs=\"\(ids.joined(separator: " "))\""
    return "<relationship name=\"\(name)\" type=\"\(kind)\" destination=\"\(type)\"\(list)>"
      + "</relationship>"
  }

  /// The hashes are those of the editor's own five entities, the same in every file.
  private static let head = """
    <?xml version="1.0" standalone="yes"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
        <databaseInfo>
            <version>134481920</version>
            <UUID>UUID_HERE</UUID>
            <nextObjectID>NEXT_HERE</nextObjectID>
            <metadata>
                <plist version="1.0">
                    <dict>
                        <key>NSPersistenceFrameworkVersion</key>
                        <integer>1338</integer>
                        <key>NSStoreModelVersionHashes</key>
                        <dict>
                            <key>XDDevAttributeMapping</key>
                            <data>
    \t\t0plcXXRN7XHKl5CcF+fwriFmUpON3ZtcI/AfK748aWc=
    \t\t</data>
                            <key>XDDevEntityMapping</key>
                            <data>
    \t\tqeN1Ym3TkWN1G6dU9RfX6Kd2ccEvcDVWHpd3LpLgboI=
    \t\t</data>
                            <key>XDDevMappingModel</key>
                            <data>
    \t\tEqtMzvRnVZWkXwBHu4VeVGy8UyoOe+bi67KC79kphlQ=
    \t\t</data>
                            <key>XDDevPropertyMapping</key>
                            <data>
    \t\tXN33V44TTGY4JETlMoOB5yyTKxB+u4slvDIinv0rtGA=
    \t\t</data>
                            <key>XDDevRelationshipMapping</key>
                            <data>
    \t\takYY9LhehVA/mCb4ATLWuI9XGLcjpm14wWL1oEBtIcs=
    \t\t</data>
                        </dict>
                        <key>NSStoreModelVersionHashesVersion</key>
                        <integer>3</integer>
                        <key>NSStoreModelVersionIdentifiers</key>
                        <array>
                            <string></string>
                        </array>
                    </dict>
                </plist>
            </metadata>
        </databaseInfo>

    """
}
