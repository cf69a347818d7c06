import Foundation
import MigrationTestSupport
import Testing
import Waystone
import Yams

/// The JSON Schema of `waystone.yml` that editors take.
@Suite struct ConfigurationSchemaTests {
  private static let docs = SampleArchive.root + "/../Sources/Waystone/Waystone.docc"
  private static let path = docs + "/Resources/waystone.yml.schema.json"

  private static func mistakes(in text: String) throws -> [String] {
    let value = try Yams.load(yaml: text) ?? [:] as [String: Any]
    // Numbers become those that JSON has.
    let data = try JSONSerialization.data(withJSONObject: value)
    return try JSONSchema(at: path).mistakes(in: JSONSerialization.jsonObject(with: data))
  }

  /// The keys that an object of the schema has, by the path of their names.
  private static func keys(_ names: String...) throws -> Set<String> {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    var schema = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    for name in names {
      schema = (schema["properties"] as? [String: Any])?[name] as? [String: Any] ?? [:]
      schema = schema["items"] as? [String: Any] ?? schema
    }
    return Set((schema["properties"] as? [String: Any] ?? [:]).keys)
  }

  /// The keys that the reader lists where it is given one that is none.
  private static func keys(readIn text: String) throws -> Set<String> {
    let error = #expect(throws: WaystoneError.self) { try Configuration.parse(text, path: "w.yml") }
    let list = try #require(error?.recovery.split(separator: " are ").last)
    let words = list.replacing(" and ", with: ", ").dropLast().split(separator: ", ")
    return Set(words.map(String.init))
  }

  @Test func `it has the keys that are read`() throws {
    #expect(try Self.keys() == Self.keys(readIn: "nothing: x"))
    #expect(try Self.keys("policy") == Self.keys(readIn: "policy: {nothing: x}"))
    #expect(try Self.keys("swiftdata") == Self.keys(readIn: "swiftdata: {nothing: x}"))
    #expect(try Self.keys("accept") == Self.keys(readIn: "accept: [{nothing: x}]"))
  }

  @Test func `every sample's configuration fits it`() throws {
    let samples = try FileManager.default.subpathsOfDirectory(atPath: SampleArchive.root)
      .filter { $0.hasSuffix("waystone.yml") }
    #expect(!samples.isEmpty)
    for name in samples {
      let text = try String(contentsOfFile: "\(SampleArchive.root)/\(name)", encoding: .utf8)
      #expect(try Self.mistakes(in: text) == [], "\(name)")
    }
  }

  @Test func `every configuration of the articles fits it`() throws {
    let articles = try FileManager.default.contentsOfDirectory(atPath: Self.docs)
      .filter { $0.hasSuffix(".md") }
    var count = 0
    for name in articles {
      for block in try Article("Sources/Waystone/Waystone.docc/\(name)").blocks("yaml") {
        let text = block.joined(separator: "\n")
        // Hop files and jobs are YAML too.
        guard (try? Configuration.parse(text, path: "waystone.yml")) != nil else { continue }
        count += 1
        #expect(try Self.mistakes(in: text) == [], "\(name): \(text)")
      }
    }
    #expect(count > 3)
  }

  @Test(arguments: [
    "runtime: slow", "relies-on: [app]", "policy: {loss: any}", "policy: {coverage: many}",
    "policy: {maximum: fatal}", "accept: [{code: WS302}]", "cloudKit: maybe", "mappings: {a: b}",
    "swiftdata: {flags: PRO}", "configurations: some", "shipped: v1", "model: ModelArchive",
  ])
  func `it refuses what the reader refuses`(text: String) throws {
    #expect(throws: WaystoneError.self) { try Configuration.parse(text, path: "w.yml") }
    #expect(try Self.mistakes(in: text) != [])
  }
}
