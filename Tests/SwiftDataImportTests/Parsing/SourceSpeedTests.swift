import MigrationTestSupport
import ObjectModel
import SwiftDataImport
import Testing

@Suite struct `Many Swift files` {
  /// Returns an app of 500 files, ten of which declare models; of some 100 lines each, where the parser is fast.
  ///
  /// - Parameter mark: A comment that makes the contents differ from those of another app, which are parsed once.
  private static func app(_ mark: String = "") -> [SourceText] {
    (0..<500).map { number in
      let lines = (0..<(isRelease ? 90 : 2)).map {
        "  func value\($0)(of other: Int) -> Int { other + values[\($0)].count * (\($0) + offset) }"
      }
      let model =
        number % 50 == 0
        ? "@Model final class Model\(number) { var name: String; var kind: Kind\(number + 1) }"
        : "enum Kind\(number): String, Codable { case one, two }"
      let source =
        "import SwiftData  // \(mark)\n\(model)\nstruct View\(number) {\n\(lines.joined(separator: "\n"))\n}"
      return SourceText(name: "File\(number).swift", bytes: Array(source.utf8))
    }
  }

  @Test func `are read side by side, whatever their order`() throws {
    let forward = try SourceArchive.read(Self.app())
    let backward = try SourceArchive.read(Self.app("turned").reversed())
    #expect(forward.current?.model?.entities.count == 10)
    #expect(forward.current?.knownHashes.count == 10)
    #expect(forward.current?.knownHashes == backward.current?.knownHashes)
  }

  @Test(.enabled(if: isRelease, "only a release build is measured"))
  func `are read within two seconds`() throws {
    let clock = ContinuousClock()
    let app = Self.app("measured")
    let time = try clock.measure { _ = try SourceArchive.read(app) }
    #expect(time < .seconds(2))
  }

  @Test(.enabled(if: isRelease, "only a release build is measured"))
  func `of a target are found and read within two seconds`() throws {
    var target = SampleXcodeProject.Target("App")
    let app = Self.app("of a target")
    target.files = app.map(\.name)
    let project = SourceText(
      name: "App.xcodeproj/project.pbxproj",
      bytes: Array(SampleXcodeProject(target).text.utf8)
    )
    let time = try ContinuousClock().measure {
      let targets = try ProjectTargets(projects: [project], texts: app)
      let selection = targets.selection(of: targets.targets, from: app)
      #expect(try SourceArchive.read(selection.texts).current?.model?.entities.count == 10)
    }
    #expect(time < .seconds(2))
  }

  private static var isRelease: Bool {
    var isDebug = false
    assert(
      {
        isDebug = true; return true
      }()
    )
    return !isDebug
  }
}
