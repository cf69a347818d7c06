import Foundation
import Testing

/// Compares `ARCHITECTURE.md` with the folders of the sources.
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

  @Test func `ARCHITECTURE.md names each folder of the sources, and no other`() throws {
    let article = try String(
      contentsOf: Self.root.appendingPathComponent("ARCHITECTURE.md"),
      encoding: .utf8
    )
    let folders = try Self.folders()
    #expect(folders.count > 30)
    #expect(article.split(separator: "\n", omittingEmptySubsequences: false).count <= 201)
    for folder in folders {
      #expect(article.contains("`\(folder)`"), "\(folder)")
    }
    let named = article.matches(of: /`([A-Za-z]+(?:\/[A-Za-z]+)+)`/).map { String($0.1) }
    let sources = named.filter { !$0.hasPrefix("Scripts/") }
    #expect(sources.filter { !folders.contains($0) } == [])
  }
}
