import MigrationTestSupport
import ObjectModel
import SwiftDataImport
import Testing

/// The files of a target, as the projects and packages around them list them.
@Suite struct `Targets of projects` {
  private typealias Target = SampleXcodeProject.Target

  /// The files of a target among some, each as `Module: path`, and the messages of findings.
  private func files(
    of name: String,
    in project: SampleXcodeProject? = nil,
    at path: String = "App.xcodeproj",
    text: String? = nil,
    _ sources: [String: String]
  ) throws -> (files: [String], findings: [String]) {
    let texts = sources.sorted { $0.key < $1.key }.map {
      SourceText(name: $0.key, bytes: Array($0.value.utf8))
    }
    let projects = (text ?? project?.text).map {
      [SourceText(name: "\(path)/project.pbxproj", bytes: Array($0.utf8))]
    }
    let targets = try ProjectTargets(projects: projects ?? [], texts: texts)
    let selection = targets.selection(of: targets.targets(called: name), from: texts)
    return (
      selection.texts.map { "\($0.module): \($0.name)" },
      (targets.findings + selection.findings).map(\.message)
    )
  }

  private func empty(_ names: String...) -> [String: String] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, "") })
  }

  /// A package of two targets that declare classes of one name, as files with the target of each.
  private func twins() throws -> [SourceText] {
    let sources = [
      "Package.swift":
        "let package = Package(name: \"P\", targets: [.target(name: \"Sync\"), .target(name: \"Mocks-2\")])",
      "Sources/Sync/Item.swift":
        "@Model class Item { var x: Int; var tags: [Sync.Tag]? }\n@Model class Tag { var item: Item? }",
      "Sources/Sync/Container.swift": "let c = ModelContainer(for: Item.self, Sync.Tag.self)",
      "Sources/Mocks-2/Item.swift": "class Item {}\nclass Tag {}",
      "App/Main.swift": "struct Main {}",
    ]
    let texts = sources.sorted { $0.key < $1.key }.map {
      SourceText(name: $0.key, bytes: Array($0.value.utf8))
    }
    return try ProjectTargets(projects: [], texts: texts).assigned(texts)
  }

  @Test func `of packages give each file the one that compiles it`() throws {
    #expect(
      try twins().map { "\($0.module): \($0.name)" } == [
        ": App/Main.swift", ": Package.swift", "Mocks_2: Sources/Mocks-2/Item.swift",
        "Sync: Sources/Sync/Container.swift", "Sync: Sources/Sync/Item.swift",
      ]
    )
  }

  @Test func `tell classes of one name apart, which a name may begin with`() throws {
    let schema = try #require(try SourceArchive.read(twins()).current)
    #expect(schema.findings == [] && schema.isKnown)
    #expect(schema.model?["Item"]?.relationships.map(\.inverseName) == ["item"])
    // Without targets neither class is known from the other.
    let plain = try twins().map { SourceText(name: $0.name, bytes: $0.bytes) }
    #expect(try SourceArchive.read(plain).current?.isKnown == false)
  }

  @Test func `compile what their sources phase lists, through its groups`() throws {
    let project = SampleXcodeProject(
      Target("App").with {
        $0.files = ["App/Models/Note.swift", "Shared.swift"]
        $0.dependencies = ["Widget", "Kit"]
      },
      Target("Kit", "framework").with { $0.files = ["Kit/Store.swift"] },
      Target("Widget", "app-extension").with { $0.files = ["Shared.swift", "Widget/Note.swift"] },
      Target("AppTests", "bundle.unit-test").with { $0.files = ["AppTests/Note.swift"] }
    )
    let sources = empty(
      "App/Models/Note.swift",
      "App/Old/Note.swift",
      "AppTests/Note.swift",
      "Kit/Store.swift",
      "Shared.swift",
      "Widget/Note.swift"
    )
    let app = try files(of: "App", in: project, sources)
    #expect(
      app.files == ["App: App/Models/Note.swift", "Kit: Kit/Store.swift", "App: Shared.swift"]
    )
    #expect(app.findings == [])
    #expect(
      try files(of: "Widget", in: project, sources).files
        == ["Widget: Shared.swift", "Widget: Widget/Note.swift"]
    )
    #expect(
      try files(of: "AppTests", in: project, sources).files == ["AppTests: AppTests/Note.swift"]
    )
  }

  @Test func `compile synchronized folders, but for exceptions, which other targets take`() throws {
    let project = SampleXcodeProject(
      Target("App").with {
        $0.folders = ["App"]
        $0.exceptions = ["App": ["Preview Content", "Info.plist", "Old/Note.swift"]]
      },
      Target("Watch").with {
        $0.folders = ["Watch"]
        $0.exceptions = ["App": ["Models/Note.swift"]]
      }
    )
    let sources = empty(
      "App/Models/Note.swift",
      "App/Models/Tag.swift",
      "App/Old/Note.swift",
      "App/Preview Content/Sample.swift",
      "Apple/Note.swift",
      "Watch/Watch.swift"
    )
    #expect(
      try files(of: "App", in: project, sources).files
        == ["App: App/Models/Note.swift", "App: App/Models/Tag.swift"]
    )
    #expect(
      try files(of: "Watch", in: project, sources).files
        == ["Watch: App/Models/Note.swift", "Watch: Watch/Watch.swift"]
    )
  }

  @Test func `take paths from the project's folder, whatever their case`() throws {
    let project = SampleXcodeProject(
      Target("App").with { $0.files = ["../Shared/Note.swift", "Sources/App.swift"] }
    )
    let app = try files(
      of: "App",
      in: project,
      at: "ios/App.xcodeproj",
      empty("Shared/Note.swift", "ios/sources/App.swift")
    )
    #expect(app.files == ["App: Shared/Note.swift", "App: ios/sources/App.swift"])
    #expect(app.findings == [])
  }

  @Test func `tell of files that lie outside, and of those that are not there`() throws {
    let project = SampleXcodeProject(
      Target("App").with {
        $0.files = ["../Shared/Note.swift", "Gone.swift", "../../etc/passwd.swift"]
      }
    )
    let app = try files(of: "App", in: project, empty("App.swift"))
    #expect(app.files == [])
    #expect(
      app.findings == [
        "1 file of the target App is not here, or behind a link: Gone.swift.",
        "2 files of the target App are outside of this folder, as Note.swift.",
      ]
    )
  }

  @Test func `are read where groups stand in themselves`() throws {
    let text = SampleXcodeProject(Target("App").with { $0.files = ["App/Note.swift"] }).text
      .replacing(
        "children = (\"F App/Note.swift\", )",
        with: "children = (\"F App/Note.swift\", MAIN, )"
      )
    let app = try files(of: "App", text: text, empty("App/Note.swift"))
    #expect(app.files == ["App: App/Note.swift"])
    #expect(app.findings == ["App.xcodeproj has a group that stands in itself, or twice."])
  }

  @Test func `are unknown, and said to be, where the project is not understood`() throws {
    let app = try files(of: "App", text: "{\n objects = {\n<<<<<<< HEAD\n", empty("App/Note.swift"))
    #expect(app.files == [])
    #expect(
      app.findings == [
        "The targets of App.xcodeproj are not known. Line 3: a character stands here that begins no "
          + "value."
      ]
    )
  }

  // MARK: Packages

  private static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription
    let core: Target.Dependency = "Core"
    let package = Package(
      name: "Models",
      products: [.library(name: "ModelsKit", targets: ["Models"])],
      dependencies: [.package(path: "../Other"), .package(name: "X", path: "../X")],
      targets: [
        .target(name: "Models", dependencies: [.target(name: "Core"), .product(name: "Y", package: "X")],
                exclude: ["Old"], sources: ["Schemas", "Note.swift"]),
        .target(name: "Core", path: "Core"),
        .executableTarget(name: "Tool", dependencies: ["Models"]),
        .testTarget(name: "ModelsTests", dependencies: ["Models"]),
      ])
    """

  private static let package = [
    "P/Package.swift": manifest, "P/Sources/Models/Schemas/V1.swift": "",
    "P/Sources/Models/Old/V0.swift": "", "P/Sources/Models/Note.swift": "",
    "P/Sources/Models/Help.swift": "", "P/Core/Core.swift": "", "P/Sources/Tool/main.swift": "",
    "P/Tests/ModelsTests/Note.swift": "", "App/App.swift": "",
  ]

  @Test func `of a package are read from its manifest, which is not run`() throws {
    #expect(
      try files(of: "Tool", Self.package).files == [
        "Core: P/Core/Core.swift", "Models: P/Sources/Models/Note.swift",
        "Models: P/Sources/Models/Schemas/V1.swift", "Tool: P/Sources/Tool/main.swift",
      ]
    )
    #expect(
      try files(of: "ModelsTests", Self.package).files.last
        == "ModelsTests: P/Tests/ModelsTests/Note.swift"
    )
  }

  @Test func `of an app have those of the local packages whose products it uses`() throws {
    let project = SampleXcodeProject(
      Target("App").with {
        $0.folders = ["App"]
        $0.products = ["ModelsKit", "Remote"]
      }
    )
    #expect(
      try files(of: "App", in: project, Self.package).files == [
        "App: App/App.swift", "Core: P/Core/Core.swift", "Models: P/Sources/Models/Note.swift",
        "Models: P/Sources/Models/Schemas/V1.swift",
      ]
    )
  }

  @Test func `of a package that has one take all of its sources`() throws {
    let sources = [
      "Package.swift": "let p = Package(name: \"A\", targets: [.executableTarget(name: \"A\")])",
      "Sources/A.swift": "", "Sources/B/B.swift": "",
    ]
    #expect(try files(of: "A", sources).files == ["A: Sources/A.swift", "A: Sources/B/B.swift"])
  }

  @Test func `with computed names are told of`() throws {
    let sources = [
      "Package.swift":
        "let n = \"A\"\nlet p = Package(name: n, targets: [\n.target(name: n), .target(name: \"B\")])",
      "Sources/B/B.swift": "",
    ]
    let read = try files(of: "B", sources)
    #expect(read.files == ["B: Sources/B/B.swift"])
    #expect(read.findings.count == 1)
  }
}
