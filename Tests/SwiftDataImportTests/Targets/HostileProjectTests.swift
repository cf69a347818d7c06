import MigrationTestSupport
import SwiftDataImport
import Testing

@Suite struct `Hostile Xcode projects` {
  private static let original: [UInt8] = {
    let project = SampleXcodeProject(
      .init("App").with {
        $0.files = ["App/Note.swift", "App/Tag.swift"]
        $0.folders = ["Sources"]
        $0.exceptions = ["Sources": ["Old.swift"], "Watch": ["Note.swift"]]
        $0.dependencies = ["Watch", "App"]
        $0.products = ["Kit"]
      },
      .init("Watch").with { $0.folders = ["Watch", "Sources"] }
    )
    return Array(project.text.utf8)
  }()

  private static let texts = [
    "Sources/Note.swift", "App/Note.swift", "Watch/Note.swift",
  ].map { SourceText(name: $0, bytes: Array("@Model class Note { var x: Int }".utf8)) }

  /// Reads a project, and all its targets; returns whether it was understood.
  private func read(_ bytes: [UInt8]) throws -> Bool {
    let project = SourceText(name: "App.xcodeproj/project.pbxproj", bytes: bytes)
    let targets = try ProjectTargets(projects: [project], texts: Self.texts)
    _ = targets.selection(of: targets.targets, from: Self.texts)
    _ = try targets.makingContainers(among: Self.texts)
    return !targets.targets.isEmpty
  }

  @Test(.timeLimit(.minutes(5)), arguments: UInt64(1)...4)
  func `with random changes are read or refused, and never trap`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "{", "}", "(", ")", ";", "=", "\"", "/*", "*/", "\\", "<", ",", "MAIN", "\"T App\"",
      "../../", "\0", "\u{ff}", "isa = PBXGroup;", "children = (MAIN);", "path = /;",
    ].map { Array($0.utf8) }
    var understood = 0
    for _ in 0..<200 {
      var bytes = Self.original
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1:
          let end = min(bytes.count, place + Int.random(in: 1...80, using: &random))
          bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
        default:
          let end = min(bytes.count, place + Int.random(in: 1...80, using: &random))
          bytes.insert(
            contentsOf: Array(bytes[place..<end]),
            at: Int.random(in: bytes.indices, using: &random)
          )
        }
      }
      understood += try read(bytes) ? 1 : 0
    }
    // A change within a name leaves the rest as it was.
    #expect(understood > 10 && understood < 200)
  }

  @Test(.timeLimit(.minutes(5))) func `that end anywhere are refused`() throws {
    for length in stride(from: 0, to: Self.original.count - 2, by: 7) {
      #expect(try !read(Array(Self.original.prefix(length))))
    }
  }

  @Test(.timeLimit(.minutes(5))) func `whose targets share one long list end soon`() throws {
    let files = (0..<20_000).map { "B\($0), " }.joined()
    let built = (0..<20_000).map { "B\($0) = {isa = PBXBuildFile; fileRef = F;};" }.joined()
    let targets = (0..<20_000).map { "T\($0) = {name = T\($0); buildPhases = (P);};" }.joined()
    let text = """
      {objects = {R = {mainGroup = M; targets = (\((0..<20_000).map { "T\($0), " }.joined()));};
      M = {isa = PBXGroup; children = (F);}; F = {isa = PBXFileReference; path = a.swift;};
      P = {isa = PBXSourcesBuildPhase; files = (\(files));}; \(built) \(targets)}; rootObject = R;}
      """
    #expect(try read(Array(text.utf8)))
  }
}
