import Foundation
import MigrationTestSupport
import ModelCoding
import ModelImport
import ObjectModel
import StoreAccess
import Testing

/// Models as Swift: what stands in the text, what is refused, and that a compiler takes it.
@Suite struct SwiftSchemaWriterTests {
  @Test func `a model becomes a schema with its composites as nested types`() throws {
    let model = try ModelSketch.model(
      """
      composite Place { latitude: Double?; longitude: Double?; image: Binary? }
      composite Kind { kind: String? }
      Note {
        title: String = a"b; kind: Composite of Kind; place: Composite? of Place was spot
        count: Int64; photo: Binary? external; tags ->> Tag.notes cascade; owner -> Person required
        unique title
      }
      Tag { class: String?; notes ->> Note.tags required }
      Person { born: Date? }
      """
    )
    let output = try SwiftSchemaWriter.write(model, named: "SchemaV1", from: "default.store")
    #expect(output.findings.isEmpty)
    #expect(
      output.contents == """
        import Foundation
        import SwiftData

        /// The models of a version that users have, from default.store.
        ///
        /// Frozen: a store of this version opens only as long as nothing here changes that its version
        /// hashes depend on. Written by `waystone export --swift`.
        enum SchemaV1: VersionedSchema {
          // The store has no such identifier; no version hash depends on it.
          static let versionIdentifier = Schema.Version(1, 0, 0)

          static var models: [any PersistentModel.Type] {
            [
              Note.self,
              Person.self,
              Tag.self,
            ]
          }

          @Model
          final class Note {
            var count: Int
            // The name and the cases of the enum are not in the model.
            var kind: Kind
            @Attribute(.externalStorage)
            var photo: Data?
            // The name of the type is not in the model.
            @Attribute(originalName: "spot")
            var place: Place?
            @Attribute(.unique)
            var title: String = "a\\"b"
            var owner: Person
            @Relationship(deleteRule: .cascade, inverse: \\Tag.notes)
            var tags: [Tag]?

            init(count: Int, kind: Kind, owner: Person) {
              self.count = count
              self.kind = kind
              self.owner = owner
            }
          }

          @Model
          final class Person {
            var born: Date?

            init() {}
          }

          @Model
          final class Tag {
            var `class`: String?
            var notes: [Note] = []

            init() {}
          }

          /// An enum whose cases are not in the model; no version hash has them.
          enum Kind: String, Codable {
            case unknown
          }

          struct Place: Codable {
            var latitude: Double?
            var longitude: Double?
            // Data or an array, which the model does not tell apart.
            var image: Data?
          }
        }

        """
    )
  }

  @Test(arguments: [
    "N { a: Composite? of P } composite P { x: Double }",
    "N { a: Composite? of P } composite P { x: Composite? of P }",
    "N { a: Composite? of P } composite P { }", "abstract N { }",
    "N { m ->> N.o ordered; o -> N.m }",
    "N { a: Date derived now() }", "N { a: Undefined }", "N { m ->> M } M { n -> N }",
    "N { a-b: String }",
    "N { a: Composite? of P; unique a.x } composite P { x: Double? }", "N { self: String }",
    "N { m -> M.x } M { x -> N.y; y -> N.x }",
  ])
  func `what SwiftData cannot say is refused`(sketch: String) throws {
    let model = try ModelSketch.model(sketch)
    #expect(throws: ModelImportError.self) { try SwiftSchemaWriter.write(model, named: "S") }
  }

  @Test(arguments: ["", "1a", "a b", "x; import Evil", "é", "_", "a\nb"])
  func `no name of a model becomes code`(name: String) throws {
    let model = try ModelSketch.model("N { a: String? }")
    #expect(throws: ModelImportError.self) { try SwiftSchemaWriter.write(model, named: name) }
    guard !name.isEmpty else { return }
    var entity = EntityDescription(name: "N")
    entity.attributes = [AttributeDescription(name: name, attributeType: .string)]
    let odd = try ManagedObjectModel(entities: [entity])
    #expect(throws: ModelImportError.self) { try SwiftSchemaWriter.write(odd, named: "S") }
    var transformable = AttributeDescription(name: "t", attributeType: .transformable)
    transformable.attributeValueClassName = "X\n} \(name)"
    transformable.valueTransformerName = "T\n\"\(name)"
    entity.attributes = [transformable]
    let text = try SwiftSchemaWriter.write(ManagedObjectModel(entities: [entity]), named: "S")
    #expect(text.contents.contains("var t: NSObject"))
    #expect(text.contents.contains(#".transformable(by: "T\n\""#))
  }

  // MARK: A compiler

  @Test(.enabled(if: Corpus.isPresent))
  func `what stores of an app become is Swift that compiles`() throws {
    let stores = Corpus.files { $0.contains("SwiftData/") && $0.hasSuffix(".store") }
    #expect(stores.count == 3)
    for (number, store) in stores.enumerated() {
      let cache = try PersistentStore(reading: store).modelCache
      let model = try ModelCache.decode(#require(cache)).model
      let first = try SwiftSchemaWriter.write(model, named: "SchemaV\(number + 1)")
      #expect(try first == SwiftSchemaWriter.write(model, named: "SchemaV\(number + 1)"))
      try compile(first.contents)
    }
  }

  @Test func `inheritance, defaults and keywords compile`() throws {
    var model = try ModelSketch.model(
      """
      Base { name: String; amount: Decimal = 3; when: Date; class -> Base }
      Middle : Base { flag: Boolean = YES; link: URI?; default: Int16 }
      Leaf : Middle { }
      composite Where { x: Double?; y: Int32? }
      composite data { data: Int64? }
      Other { base: Composite? of Where; data: Composite of data; size: Float; count: Int32; unique size count }
      """
    )
    model = try ManagedObjectModel(
      entities: model.entities,
      composites: model.composites,
      versionIdentifiers: ["2.10.3"]
    )
    let output = try SwiftSchemaWriter.write(model, named: "SchemaV2")
    #expect(output.contents.contains("Schema.Version(2, 10, 3)"))
    #expect(output.contents.contains("enum DataValue: Int, Codable"))
    try compile(output.contents)
  }

  private func compile(_ contents: String) throws {
    #expect(try SwiftDataStub.errors(in: contents) == nil, "\(contents)")
  }
}
