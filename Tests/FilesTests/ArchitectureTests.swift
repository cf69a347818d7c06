import Foundation
import Testing

/// That the article on the architecture passes each folder of the sources, and passes it once.
@Suite struct ArchitectureTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The folders that have Swift files of their own, below the folder of the sources.
  private static func folders() throws -> [String] {
    let sources = root.appendingPathComponent("Sources")
    let walk = try #require(FileManager.default.enumerator(atPath: sources.path))
    var found: Set<String> = []
    for case let name as String in walk where name.hasSuffix(".swift") {
      found.insert((name as NSString).deletingLastPathComponent)
    }
    // A target's own folder goes with the folders in it.
    return found.filter { folder in
      folder.contains("/") || !found.contains { $0.hasPrefix(folder + "/") }
    }.sorted()
  }

  @Test func `each folder of the sources is passed once`() throws {
    let article = try String(
      contentsOf: Self.root.appendingPathComponent(
        "Sources/StoreMigration/StoreMigration.docc/Architecture.md"
      ),
      encoding: .utf8
    )
    let folders = try Self.folders()
    #expect(folders.count > 30)
    for folder in folders {
      #expect(article.components(separatedBy: "`\(folder)`").count == 2, "\(folder)")
    }
    let named = article.matches(of: /`([A-Za-z]+(?:\/[A-Za-z]+)+)`/).map { String($0.1) }
    #expect(named.filter { !folders.contains($0) } == [])
  }
}
