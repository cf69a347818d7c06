import Testing
import Waystone

@Suite struct ConfigurationTests {
  @Test func `every key is read`() throws {
    let configuration = try Configuration.parse(
      """
      # what we ship
      models: App/Models
      current: v2
      mappings: [App/Mappings, Legacy/V1toV2.xcmappingmodel]
      order: [v1, v2]
      samples:
        v2: Samples/v2.sqlite
      """,
      path: "/project/waystone.yml"
    )
    #expect(configuration.models.map(\.text) == ["App/Models"])
    #expect(configuration.current.first?.text == "v2")
    #expect(configuration.current.first?.line == 3)
    #expect(configuration.order.keys.sorted() == [""])
    #expect(configuration.order[""]?.versions == ["v1", "v2"])
    #expect(configuration.order[""]?.line == 5)
    #expect(
      configuration.mappings?.map(\.text) == ["App/Mappings", "Legacy/V1toV2.xcmappingmodel"]
    )
    #expect(configuration.samples["v2"]?.text == "Samples/v2.sqlite")
    let samples = try #require(configuration.samples["v2"])
    #expect(configuration.resolved(samples) == "/project/Samples/v2.sqlite")
  }

  @Test(arguments: [
    ("mappings: Maps", ["Maps"]), ("mappings: []", []), ("mappings:\n- A\n- B", ["A", "B"]),
  ])
  func `mappings are a path, a list of paths, or none`(text: String, paths: [String]) throws {
    let configuration = try Configuration.parse(text, path: "waystone.yml")
    #expect(configuration.mappings?.map(\.text) == paths)
  }

  @Test(arguments: [("current: a2", ["a2"]), ("current: [a2, B/b1]", ["a2", "B/b1"])])
  func `the current version is one, or one of each model`(text: String, names: [String]) throws {
    let configuration = try Configuration.parse(text, path: "waystone.yml")
    #expect(configuration.current.map(\.text) == names)
  }

  @Test func `an order may be given for each model`() throws {
    let configuration = try Configuration.parse(
      "order:\n  A: [a1, a2]\n  B: [b]\n",
      path: "waystone.yml"
    )
    #expect(configuration.order["A"]?.versions == ["a1", "a2"])
    #expect(configuration.order["B"]?.line == 3)
  }

  @Test(arguments: ["", "# nothing\n", "---\n"])
  func `an empty file says nothing`(text: String) throws {
    let configuration = try Configuration.parse(text, path: "waystone.yml")
    #expect(configuration == Configuration(path: "waystone.yml"))
  }

  @Test(arguments: [
    ("models: M\npolices: []\n", "waystone.yml:2: There is no key `polices`."),
    ("models: {a: b}\n", "waystone.yml:1: `models` must be a path or a list of paths."),
    ("models: [[a]]\n", "waystone.yml:1: `models` must be a list of paths."),
    ("models: \"a\\0b\"\n", "waystone.yml:1: A value of `models` holds a NUL character."),
    ("models: ''\n", "waystone.yml:1: `models` must be a path or a list of paths."),
    ("order: v1\n", "waystone.yml:1: `order` is no regular expression with a group."),
    ("order:\n- v1\n- v2\n- v1\n", "waystone.yml:4: Version v1 stands twice in `order`."),
    ("samples: x\n", "waystone.yml:1: `samples` must be a path for each version."),
    ("- models\n", "waystone.yml:1: The file must hold keys and values."),
    ("? [a]\n: b\n", "waystone.yml:1: There is no key of that kind."),
    (
      "models: a\nmodels: [\n",
      "waystone.yml:3: This is not YAML: did not find expected node content."
    ),
    ("current: v1\nmodels: a\nmodels: b\n", "waystone.yml:2: `models` stands twice in one map."),
  ])
  func `an error names file and line`(text: String, message: String) {
    let error = #expect(throws: WaystoneError.self) {
      try Configuration.parse(text, path: "waystone.yml")
    }
    #expect(error?.message == message)
    #expect(error?.code == .badConfiguration)
  }
}
