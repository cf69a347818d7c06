import MigrationTestSupport
import ObjectModel
import StoreAccess

/// A small store of the XML kind, of objects that tests write themselves.
struct XMLStoreSketch {
  /// The elements of the objects.
  var objects: [String]
  var model: ManagedObjectModel

  init(_ objects: String..., model: ManagedObjectModel? = nil) throws {
    self.objects = objects
    self.model = try model ?? Self.model()
  }

  /// The text of the file.
  var text: String {
    let hashes = model.entityVersionHashes.sorted { $0.key < $1.key }.map { name, hash in
      "<key>\(name)</key><data>\(Base64.string(hash.bytes))</data>"
    }
    return """
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
      <databaseInfo><version>134481920</version><UUID>7DFA6DAB-A071-4B34-8DFB-BAC65DD66FDE</UUID>
      <nextObjectID>105</nextObjectID><metadata><plist version="1.0"><dict>
      <key>NSStoreModelVersionHashes</key><dict>\(hashes.joined())</dict>
      </dict></plist></metadata></databaseInfo>
      \(objects.joined(separator: "\n"))
      </database>
      """
  }

  /// The number of the first line with an object.
  static let firstLine = 9

  /// Reads the store, and lends its database.
  func with<Value>(_ body: (borrowing PersistentStore) throws -> Value) throws -> Value {
    try TemporaryFolder.with { folder in
      try TemporaryFolder.write(Array(text.utf8), to: folder + "/a.xml")
      let store = try PersistentStore.open(folder + "/a.xml", by: model, scratchFolder: folder)
      return try body(store)
    }
  }

  /// The error of reading the store; nil where it can be read.
  var error: StoreAccessError? {
    do {
      try with { _ in }
      return nil
    } catch {
      return error as? StoreAccessError
    }
  }

  /// A model with every type of attribute, a hierarchy, and every kind of link.
  static func model() throws -> ManagedObjectModel {
    let types: [(String, AttributeType)] = [
      ("int16", .integer16), ("int32", .integer32), ("int64", .integer64), ("ratio", .double),
      ("size", .float), ("price", .decimal), ("isOpen", .boolean), ("title", .string),
      ("changedAt", .date), ("picture", .binary), ("identifier", .uuid), ("homePage", .uri),
      ("settings", .transformable),
    ]
    var attributes = types.map { name, type in
      var attribute = ModelParts.attribute(name, type)
      attribute.isOptional = true
      return attribute
    }
    var large = ModelParts.attribute("attachment", .binary)
    large.isOptional = true
    large.allowsExternalBinaryDataStorage = true
    attributes.append(large)
    var note = ModelParts.attribute("note")
    note.isOptional = true
    return try ManagedObjectModel(entities: [
      ModelParts.entity(
        "Thing",
        attributes,
        [
          ModelParts.toOne("owner", "Owner", inverse: "things"),
          ModelParts.toMany("tags", "Tag", inverse: "things"),
          ModelParts.toOne("twin", "Thing", inverse: "twin"),
          ModelParts.toMany("friends", "Thing", inverse: "friends"),
        ]
      ),
      ModelParts.entity("SpecialThing", below: "Thing", [note]),
      ModelParts.entity(
        "Owner",
        [ModelParts.optional("name")],
        [
          ModelParts.toMany("things", "Thing", inverse: "owner", isOrdered: true),
          ModelParts.toOne("address", "Address", inverse: "owner"),
          ModelParts.toMany("marks", "Mark"),
        ]
      ),
      ModelParts.entity(
        "Address",
        [ModelParts.optional("street")],
        [ModelParts.toOne("owner", "Owner", inverse: "address")]
      ),
      ModelParts.entity(
        "Tag",
        [ModelParts.optional("name")],
        [ModelParts.toMany("things", "Thing", inverse: "tags", isOrdered: true)]
      ),
      ModelParts.entity("Mark", [ModelParts.optional("name")]),
    ])
  }
}

extension ModelParts {
  static func optional(_ name: String, _ type: AttributeType = .string) -> AttributeDescription {
    var attribute = attribute(name, type)
    attribute.isOptional = true
    return attribute
  }
}
