import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Values of attributes of every type, written, read again and refused.
@Suite struct AttributeWritingTests {
  static let sketch = """
    Thing {
      small: Int16? = 7; middle: Int32?; large: Int64?; exact: Decimal?; wide: Double?
      narrow: Float?; text: String? = hello; flag: Boolean?; moment: Date?; bytes: Binary?
      far: Binary? external; mark: UUID?; address: URI?; object: Transformable?
      passing: String? transient
    }
    Other { text: String? }
    """
  static let mark: [UInt8] = Array(0..<16)

  private func withStore(_ body: (OpenedStore, ManagedObject) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.sketch)
      let path = folder + "/store.sqlite"
      try StoreGenerator(model: model, rows: 0, seed: 1).write(to: path)
      let store = try OpenedStore(path, model)
      try body(store, try store.context.insert(entityName: "Thing"))
    }
  }

  @Test func `a default that is no value of its type makes no object`() throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.sketch)
      let path = folder + "/store.sqlite"
      try StoreGenerator(model: model, rows: 3, seed: 1).write(to: path)
      var entities = model.entities
      for index in entities.indices {
        for place in entities[index].attributes.indices
        where entities[index].attributes[place].name == "small" {
          entities[index].attributes[place].defaultValue = .string("seven")
        }
      }
      let store = try OpenedStore(
        path,
        ManagedObjectModel(entities: entities, configurations: [:], versionIdentifiers: [])
      )
      let error = #expect(throws: MigrationError.self) {
        try store.context.insert(entityName: "Thing")
      }
      #expect(
        error?.message.contains("Thing.small has a default that is no value of its type") == true
      )
      #expect(try store.context.insert(entityName: "Other").entity.name == "Other")
      #expect(try !store.objects("Thing").isEmpty)
    }
  }

  struct Sample: Sendable {
    let key: String
    let value: AttributeValue
    let stored: SQLiteValue
    var read: AttributeValue?
  }

  static let samples = [
    Sample(key: "small", value: .integer(-32768), stored: -32768),
    Sample(key: "small", value: .real(12), stored: 12, read: .integer(12)),
    Sample(key: "middle", value: .boolean(true), stored: 1, read: .integer(1)),
    Sample(key: "large", value: .integer(.max), stored: .integer(.max)),
    Sample(key: "large", value: .decimal("42"), stored: 42, read: .integer(42)),
    Sample(key: "exact", value: .decimal("12.5"), stored: 12.5),
    Sample(key: "exact", value: .integer(3), stored: 3, read: .decimal("3")),
    Sample(key: "exact", value: .real(1e22), stored: 1e22, read: .decimal("1" + zeros(22))),
    Sample(key: "exact", value: .real(-1.5e-7), stored: -1.5e-7, read: .decimal("-0.00000015")),
    Sample(key: "wide", value: .integer(3), stored: 3.0, read: .real(3)),
    Sample(key: "narrow", value: .real(0.5), stored: 0.5),
    Sample(key: "text", value: .string("e\u{301}"), stored: "e\u{301}"),
    Sample(key: "text", value: .string(""), stored: ""),
    Sample(key: "flag", value: .integer(0), stored: 0, read: .boolean(false)),
    Sample(key: "moment", value: .date(-0.25), stored: -0.25),
    Sample(key: "moment", value: .date(86_400), stored: 86_400),
    Sample(key: "bytes", value: .binary([]), stored: .blob([])),
    Sample(key: "far", value: .binary([9, 8]), stored: .blob([1, 9, 8])),
    Sample(key: "mark", value: .uuid(mark), stored: .blob(mark)),
    Sample(key: "address", value: .uri("https://a.example/"), stored: "https://a.example/"),
    Sample(key: "object", value: .binary([1]), stored: .blob([1])),
  ]

  private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

  @Test(arguments: samples)
  func `a value is stored in its type's form and read again`(_ sample: Sample) throws {
    try withStore { store, object in
      try object.setValue(.scalar(sample.value), forKey: sample.key)
      try store.context.save()
      store.context.trim()
      let column = try #require(store.schema.column(of: sample.key, in: "Thing"))
      let rows = try store.database.connection.rows(
        "SELECT \(SQL.identifier(column.name)), Z_OPT FROM ZTHING"
      )
      #expect(rows == [[sample.stored, 1]])
      let again = try #require(try store.context.object(entityName: "Thing", key: 1))
      let value = try again.value(forKey: sample.key)
      guard case .scalar(let scalar) = value else {
        Issue.record("\(sample.key) has no value")
        return
      }
      #expect(scalar == sample.read ?? sample.value)
    }
  }

  struct Refusal: Sendable {
    let key: String
    let value: AttributeValue
  }

  static let refusals = [
    Refusal(key: "small", value: .integer(32768)), Refusal(key: "middle", value: .real(0.5)),
    Refusal(key: "large", value: .string("12345")), Refusal(key: "flag", value: .integer(2)),
    Refusal(key: "wide", value: .integer(9_007_199_254_740_993)),
    Refusal(key: "wide", value: .real(.nan)), Refusal(key: "narrow", value: .real(1e300)),
    Refusal(key: "exact", value: .string("12345")), Refusal(key: "text", value: .integer(12345)),
    Refusal(key: "moment", value: .real(12345)), Refusal(key: "bytes", value: .string("12345")),
    Refusal(key: "mark", value: .binary([1, 2, 3])), Refusal(key: "address", value: .integer(5)),
    Refusal(key: "object", value: .boolean(true)),
  ]

  @Test(arguments: refusals)
  func `a value of another type is refused by name and not by value`(_ refusal: Refusal) throws {
    try withStore { _, object in
      let error = #expect(throws: MigrationError.self) {
        try object.setValue(.scalar(refusal.value), forKey: refusal.key)
      }
      let message = try #require(error?.message)
      #expect(message.contains("Thing.\(refusal.key)"))
      #expect(!"\(error.map { "\($0)" } ?? "")".contains("12345"))
    }
  }

  @Test func `a new object has the defaults and loses them by nothing`() throws {
    try withStore { store, object in
      #expect(object.isInserted && object.hasChanges && store.context.hasChanges)
      let small = try object.integer(forKey: "small")
      let text = try object.string(forKey: "text")
      #expect(small == 7 && text == "hello")
      try object.setValue(.nothing, forKey: "small")
      try store.context.save()
      #expect(!object.isInserted && !object.hasChanges && !store.context.hasChanges)
      #expect(try store.integers("SELECT ZSMALL FROM ZTHING") == [nil])
      try object.set(8, forKey: "small")
      #expect(object.hasChanges && !object.isInserted)
      try store.context.save()
      #expect(try store.integers("SELECT ZSMALL FROM ZTHING") == [8])
      #expect(try store.integers("SELECT Z_OPT FROM ZTHING") == [1])
    }
  }

  @Test func `what is not stored is kept while the object is held`() throws {
    try withStore { store, object in
      try object.setValue(.scalar(.string("now")), forKey: "passing")
      try store.context.save()
      let value = try object.string(forKey: "passing")
      #expect(value == "now")
    }
  }

  @Test func `unknown names, abstract entities and foreign objects are refused`() throws {
    try withStore { store, object in
      #expect(throws: MigrationError.self) { try object.value(forKey: "missing") }
      #expect(throws: MigrationError.self) { try object.setValue(.nothing, forKey: "missing") }
      #expect(throws: MigrationError.self) { try store.context.insert(entityName: "Missing") }
      #expect(throws: MigrationError.self) { try object.integer(forKey: "text") }
      #expect(throws: MigrationError.self) { try object.setValue(.object(object), forKey: "text") }
      #expect(throws: MigrationError.self) { try object.object(forKey: "text") }
      let missing = try store.context.object(entityName: "Thing", key: 99)
      let other = try store.context.object(entityName: "Other", key: 1)
      #expect(missing == nil && other == nil)
    }
  }

  @Test func `a store that is only read refuses every change`() throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.sketch)
      let path = folder + "/store.sqlite"
      try StoreGenerator(model: model, rows: 4, seed: 1).write(to: path)
      let store = try OpenedStore(path, model, isWritable: false)
      let object = try #require(try store.objects("Thing").first)
      #expect(throws: MigrationError.self) { try object.set("changed", forKey: "text") }
      #expect(throws: MigrationError.self) { try store.context.insert(entityName: "Thing") }
      #expect(throws: MigrationError.self) { try store.context.delete(object) }
      #expect(!store.context.hasChanges)
    }
  }

  @Test func `an object is one while it is held, and none is held for nothing`() throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.sketch)
      let path = folder + "/store.sqlite"
      try StoreGenerator(model: model, rows: 40, seed: 1).write(to: path)
      let store = try OpenedStore(path, model)
      let held = try #require(try store.context.object(entityName: "Thing", key: 3))
      weak let dropped = try store.context.object(entityName: "Thing", key: 4)
      #expect(dropped != nil)
      store.context.trim()
      #expect(dropped == nil)
      let again = try store.context.object(entityName: "Thing", key: 3)
      #expect(again === held)
      let changed = try #require(try store.context.object(entityName: "Thing", key: 5))
      try changed.set("changed", forKey: "text")
      store.context.trim()
      let same = try store.context.object(entityName: "Thing", key: 5)
      #expect(same === changed)
      let count = try store.context.count(entityName: "Thing")
      #expect(count == 20)
    }
  }

  @Test func `an object of a migration that is over says so`() throws {
    var object: ManagedObject?
    try withStore { _, inserted in object = inserted }
    let late = try #require(object)
    let text = try late.string(forKey: "text")
    #expect(text == "hello")
    #expect(throws: MigrationError.self) { try late.livingContext() }
  }
}
