import MigrationTestSupport
import ObjectModel
import PropertyLists
import StoreAccess
import StoreGeneration
import Testing

@testable import StoreMigration

/// Objects of transformable attributes, read and written by their transformers.
@Suite struct TransformedValueTests {
  /// A transformer of the app's own: a point as two bytes.
  private struct PointTransformer: AttributeTransformer {
    struct Point: Hashable {
      var x: UInt8
      var y: UInt8
    }
    struct Failure: Error {}

    func value(of bytes: [UInt8]) throws -> Point {
      guard bytes.count == 2 else { throw Failure() }
      return Point(x: bytes[0], y: bytes[1])
    }

    func bytes(of value: Point) throws -> [UInt8] {
      guard value.x != 0 else { throw Failure() }
      return [value.x, value.y]
    }
  }

  private static func model() throws -> ManagedObjectModel {
    var thing = EntityDescription(name: "Thing")
    let names = [
      ("plain", nil), ("secure", "NSSecureUnarchiveFromData"), ("point", "PointTransformer"),
      ("other", "OtherTransformer"),
    ]
    thing.attributes = names.map { name, transformer in
      var attribute = AttributeDescription(name: name, attributeType: .transformable)
      attribute.isOptional = true
      attribute.valueTransformerName = transformer
      return attribute
    }
    var text = AttributeDescription(name: "text", attributeType: .string)
    text.isOptional = true
    thing.attributes.append(text)
    return try ManagedObjectModel(entities: [thing])
  }

  private func withObject(_ body: (ManagedObject, OpenedStore) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let model = try Self.model()
      let path = folder + "/store.sqlite"
      try StoreGenerator(model: model, rows: 0, seed: 1).write(to: path)
      var options = MigrationOptions()
      options.register(transformer: PointTransformer(), forName: "PointTransformer")
      let store = try OpenedStore(path, model, registry: options.registry)
      try body(try store.context.insert(entityName: "Thing"), store)
    }
  }

  static let values: [PropertyListValue] = [
    "", "👩‍👩‍👧‍👦 e\u{301}", 0, -1, .integer(.max), 1.5, true, false, .date(-0.25), .data([]),
    .data([0, 255]), [], ["a", "a", 1, ["b": [.date(3), .data([7])]]],
    ["": 1, "k": ["l": "m"], "é": false],
  ]

  @Test(arguments: values, ["plain", "secure"])
  func `values of property lists are stored as keyed archives`(
    value: PropertyListValue,
    key: String
  ) throws {
    try withObject { object, store in
      try object.setTransformedValue(value, forKey: key)
      try store.context.save()
      store.context.trim()
      let again = try #require(try store.context.object(entityName: "Thing", key: 1))
      let read: PropertyListValue? = try again.transformedValue(forKey: key)
      #expect(read == value)
      let bytes = try #require(try again.bytes(forKey: key))
      #expect(bytes.starts(with: "bplist00".utf8))
      try again.setTransformedValue(PropertyListValue?.none, forKey: key)
      #expect(try again.transformedValue(forKey: key, as: PropertyListValue.self) == nil)
      #expect(try again.bytes(forKey: key) == nil)
    }
  }

  @Test func `a transformer of the app's own is asked for its attribute`() throws {
    try withObject { object, _ in
      let point = PointTransformer.Point(x: 3, y: 4)
      try object.setTransformedValue(point, forKey: "point")
      #expect(try object.bytes(forKey: "point") == [3, 4])
      #expect(try object.transformedValue(forKey: "point") == point)
    }
  }

  /// The message of a failing call.
  private func message(_ body: () throws -> Void) -> String {
    #expect(throws: MigrationError.self, performing: body)?.message ?? ""
  }

  @Test func `what does not fit is named by its attribute, and no value is`() throws {
    try withObject { object, _ in
      typealias Point = PointTransformer.Point
      func read<Value>(_ key: String, as type: Value.Type) -> String {
        message { _ = try object.transformedValue(forKey: key, as: type) }
      }
      try object.set([77, 78, 79] as [UInt8]?, forKey: "point")
      #expect(read("point", as: Point.self).hasPrefix("The bytes of Thing.point stand for no "))
      #expect(read("point", as: String.self).contains("is not what the transformer PointTransf"))
      #expect(read("text", as: String.self).contains("Thing.text is not transformable"))
      #expect(read("nothing", as: String.self).contains("no property nothing"))
      #expect(read("other", as: Point.self).contains("registered under the name OtherTransf"))
      let refused = message { try object.setTransformedValue(Point(x: 0, y: 9), forKey: "point") }
      #expect(refused.contains("makes no bytes of the object for Thing.point"))
      // The bytes are there all the same.
      #expect(try object.bytes(forKey: "point") == [77, 78, 79])
      try object.set([1] as [UInt8]?, forKey: "other")
      #expect(try object.bytes(forKey: "other") == [1])
    }
  }

  /// An archive of some objects, of which the first is the root.
  private static func archive(
    _ objects: [PropertyList],
    top: [String: PropertyList] = ["root": .uid(1)]
  ) -> [UInt8] {
    PropertyList.dictionary([
      "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
      "$top": .dictionary(top),
      "$objects": .array([.string("$null")] + objects),
    ]).binary
  }

  private static func object(_ name: String, _ fields: [String: PropertyList]) -> [PropertyList] {
    [
      .dictionary(fields.merging(["$class": .uid(2)]) { $1 }),
      .dictionary(["$classname": .string(name), "$classes": .array([.string(name)])]),
    ]
  }

  static let hostile: [[UInt8]] = [
    [], Array("secret".utf8), PropertyList.string("secret").binary,
    archive([.string("$null")]),
    archive(object("Secret", ["NS.objects": .array([])])),
    archive(object("NSURL", ["NS.base": .uid(0), "NS.relative": .uid(1)])),
    archive(object("NSSet", ["NS.objects": .array([])])),
    // An array and a dictionary that contain themselves.
    archive(object("NSArray", ["NS.objects": .array([.uid(1)])])),
    archive(
      object("NSDictionary", ["NS.keys": .array([.uid(3)]), "NS.objects": .array([.uid(1)])])
        + [.string("secret")]
    ),
    // Keys without values, and a key that is no text.
    archive(object("NSDictionary", ["NS.keys": .array([.uid(1)]), "NS.objects": .array([])])),
    archive(
      object("NSDictionary", ["NS.keys": .array([.uid(3)]), "NS.objects": .array([.uid(3)])])
        + [.integer(77)]
    ),
    doubling,
    // Left out would be a second root, a key of a subclass, its class, and one of two equal keys.
    archive([.string("secret")], top: ["root": .uid(1), "other": .uid(0)]),
    archive(object("NSArray", ["NS.objects": .array([]), "own": .uid(0)])),
    archive([
      .dictionary(["$class": .uid(2), "NS.objects": .array([])]),
      .dictionary([
        "$classname": .string("OwnArray"),
        "$classes": .array([.string("OwnArray"), .string("NSArray")]),
      ]),
    ]),
    archive(
      object(
        "NSDictionary",
        ["NS.keys": .array([.uid(3), .uid(3)]), "NS.objects": .array([.uid(3), .uid(3)])]
      ) + [.string("secret")]
    ),
  ]

  /// Sixty arrays, each of which has the next one twice.
  private static var doubling: [UInt8] {
    var objects = object("NSArray", ["NS.objects": .array([.uid(3), .uid(3)])])
    for number in 3..<63 {
      let next = PropertyList.uid(UInt64(number + 1))
      objects.append(.dictionary(["$class": .uid(2), "NS.objects": .array([next, next])]))
    }
    return archive(objects + [.string("secret")])
  }

  @Test(arguments: hostile)
  func `a hostile archive is one error without a value`(bytes: [UInt8]) throws {
    try withObject { object, _ in
      try object.set(bytes, forKey: "secure")
      let error = #expect(throws: MigrationError.self) {
        try object.transformedValue(forKey: "secure", as: PropertyListValue.self)
      }
      #expect(
        error?.message
          == "The bytes of Thing.secure stand for no object that NSSecureUnarchiveFromData reads."
      )
    }
  }

  @Test(arguments: 0..<60)
  func `an archive with changed bytes is read or refused`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let transformer = SecureUnarchiveFromDataTransformer()
    var bytes = try transformer.bytes(of: ["a": [1, 2.5, true, "b", .date(3)], "c": .data([4])])
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      bytes[index] = UInt8.random(in: 0...255, using: &generator)
    }
    do { _ = try transformer.value(of: bytes) } catch {
      #expect((error as? MigrationError)?.code == .failed)
    }
  }

  @Test func `values too deep in each other are not written`() {
    var value: PropertyListValue = "core"
    for _ in 0..<500 { value = [value] }
    #expect(throws: MigrationError.self) {
      try SecureUnarchiveFromDataTransformer().bytes(of: value)
    }
  }
}
