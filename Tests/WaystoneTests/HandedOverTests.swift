import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// Values of a program that cannot be used.
@Suite struct HandedOverTests {
  private static func models() throws -> ModelArchive {
    try ModelArchive(contentsOf: SampleStore.models)
  }

  @Test(arguments: [
    ("", "no JSON object"), ("{", "no JSON object"), ("[1]", "is not an encoded plan"),
    ("{}", "schema is missing"), (#"{"schema": 1}"#, "schema is of another type"),
    (#"{"schema": "waystone.recipe/1", "store": null}"#, "store"),
    (#"{"schema": "waystone.recipe/9"}"#, "store is missing"),
  ])
  func `what is no encoded plan is one clear error`(json: String, says: String) {
    let error = #expect(throws: WaystoneError.self) { try StorePlan(json: Data(json.utf8)) }
    #expect(error?.code == .badFile)
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
  }

  @Test func `an encoded plan of another form, or for a store that went, is an error of its own`()
    throws
  {
    try SampleStore.with("Letters", "v1") { sample in
      let store = try Store(reading: sample.url)
      let plan = try Self.models().plan(for: store, to: "Letters/v2")
      let json = try JSONEncoder().encode(plan)
      #expect(try StorePlan(json: json) == plan)
      let text = String(decoding: json, as: UTF8.self)
      let other = text.replacing("waystone.recipe\\/1", with: "waystone.recipe\\/2")
        .replacing("waystone.recipe/1", with: "waystone.recipe/2")
      let form = #expect(throws: WaystoneError.self) {
        try JSONDecoder().decode(StorePlan.self, from: Data(other.utf8))
      }
      #expect(form?.code == .badFile)
      let torn = #expect(throws: WaystoneError.self) {
        try JSONDecoder().decode(StorePlan.self, from: Data(#"{"store": "/"}"#.utf8))
      }
      #expect(torn?.code == .badFile)
      try FileManager.default.removeItem(at: sample.url)
      let gone = #expect(throws: WaystoneError.self) { try StorePlan(json: json) }
      #expect(gone?.code == .missingFile)
    }
  }

  /// The options that take a URL.
  private static let setters: [(String, @Sendable (inout MigrationOptions, URL) -> Void)] = [
    ("outputURL", { $0.outputURL = $1 }), ("certificateURL", { $0.certificateURL = $1 }),
    ("sampleURL", { $0.sampleURL = $1 }), ("mappingURLs", { $0.mappingURLs = [$1] }),
  ]

  @Test(arguments: setters.indices)
  func `a URL that is of no file is refused, and never taken for a path`(index: Int) throws {
    let (name, set) = Self.setters[index]
    try SampleStore.with("Letters", "v1") { sample in
      let before = TemporaryFolder.bytes(of: sample.path)
      let web = try #require(URL(string: "https://example.org/stores/app.sqlite"))
      let store = try Store(reading: sample.url)
      let models = try Self.models()
      let plan = try models.plan(for: store, to: "Letters/v2")
      var options = MigrationOptions()
      set(&options, web)
      #expect(
        [options.outputURL, options.certificateURL, options.sampleURL].contains(web)
          || options.mappingURLs == [web]
      )
      let planning = #expect(throws: WaystoneError.self) {
        try models.plan(for: store, to: "Letters/v2", options)
      }
      let running = #expect(throws: WaystoneError.self) { try plan.migrate(store, options) }
      let cleaning = #expect(throws: WaystoneError.self) {
        try store.finishCleanup(in: models, options)
      }
      for error in [planning, running, cleaning] {
        #expect(error?.code == .badArgument)
        #expect(error?.message.contains(name) == true)
        #expect(error?.message.contains("https://example.org") == true)
      }
      #expect(TemporaryFolder.bytes(of: sample.path) == before)
      #expect(TemporaryFolder.names(in: sample.folder) == ["app.sqlite"])
      // A file takes its place.
      set(&options, sample.url.deletingLastPathComponent().appending(path: "b.sqlite"))
      #expect(options.foreignURLs.isEmpty)
    }
  }

  @Test func `an edge for versions that a mapping file joins is refused`() throws {
    try SampleStore.with("Library", "v1") { sample in
      let models = try Self.models()
      let store = try Store(reading: sample.url)
      let hop = try #require(models.plan(for: store, to: "Library/v2").hops.first)
      #expect(hop.kind == .authored)
      var options = MigrationOptions()
      options.edges = [
        AuthoredEdge(
          source: hop.source.hashes,
          destination: hop.destination.hashes,
          mapping: hop.mapping,
          origins: []
        )
      ]
      let error = #expect(throws: WaystoneError.self) {
        try models.plan(for: store, to: "Library/v2", options)
      }
      #expect(error?.code == .badFile)
      #expect(error?.message.contains("An edge of the program") == true, "\(error?.message ?? "")")
      #expect(error?.message.contains(".hop.yml") == true, "\(error?.message ?? "")")
    }
  }
}
