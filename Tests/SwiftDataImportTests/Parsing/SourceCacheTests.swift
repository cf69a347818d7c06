import ObjectModel
import SwiftDataImport
import Testing

@Suite struct `Files of equal contents` {
  private static let source = """
    import SwiftData
    typealias Words = [String]
    @Model final class Trip {
      #Unique<Trip>([\\.name])
      @Attribute(.unique) var name: String
      var kind: Kind
      func go(
    }
    enum Kind: String, Codable { case work = "w", leisure }
    #if canImport(Something)
    struct Hidden: Codable { var x: Int }
    #endif
    let configuration = ModelConfiguration("Trips", url: URL(filePath: "/a.store"))
    let container = try ModelContainer(for: Trip.self)
    }
    """

  private static func file(_ name: String, _ source: String = source) throws -> SourceFile {
    try SourceParser.parse([SourceText(name: name, bytes: Array(source.utf8))])[0]
  }

  @Test func `have their places in the file that is read`() throws {
    let first = try Self.file("First.swift")
    #expect(!first.types.isEmpty && !first.aliases.isEmpty && !first.findings.isEmpty)
    #expect(!first.containers.isEmpty && !first.configurations.isEmpty)
    let second = try Self.file("v1.0:Second.swift")
    var shown = ""
    dump(second, to: &shown)
    #expect(shown.contains("v1.0:Second.swift") && !shown.contains("First.swift"))
    // The comment makes it another file, which is parsed by itself.
    #expect(try Self.file("v1.0:Second.swift", "\(Self.source)  // end") == second)
  }

  @Test func `are read for the conditions of each build, and as a manifest where they are one`()
    throws
  {
    let text = SourceText(
      name: "A.swift",
      bytes: Array("#if os(macOS)\nstruct Mac {}\n#endif\nlet package = Package(name: \"P\")".utf8)
    )
    let phone = try SourceParser.parse([text])[0]
    let mac = try SourceParser.parse([text], conditions: .init(platform: "macOS"))[0]
    #expect(phone.types.isEmpty && mac.types.map(\.name) == ["Mac"])
    let manifest = try SourceParser.parse([SourceText(name: "Package.swift", bytes: text.bytes)])[0]
    #expect(phone.manifest == nil && manifest.manifest != nil)
  }
}
