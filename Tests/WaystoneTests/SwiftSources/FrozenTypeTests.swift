import MigrationTestSupport
import ObjectModel
import SwiftDataImport
import Testing
import Waystone

/// Types that historical schemas share with the current one, and those that only look so.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct FrozenTypeTests {
  private static func schema(_ name: String, _ number: Int, _ models: String, _ nested: String = "")
    -> String
  {
    """
    enum \(name): VersionedSchema {
      static let versionIdentifier = Schema.Version(\(number), 0, 0)
      static var models: [any PersistentModel.Type] { [\(models)] }
      \(nested)
    }

    """
  }

  private static func found(_ source: String, _ code: FindingCode) throws -> [Finding] {
    var found: [Finding] = []
    try SourceProject.with(["A.swift": source]) { project in
      found = try project.read().check().allFindings.filter { $0.code == code }
    }
    return found
  }

  @Test func `classes that one schema alone uses are frozen, wherever they are declared`() throws {
    let source =
      Self.schema("V1", 1, "Shapes1.Plant.self") + Self.schema("V2", 2, "Shapes2.Plant.self") + """
        enum Shapes1 {}
        enum Shapes2 {}
        extension Shapes1 {
          @Model final class Plant { var name: String?; var place: Place? }
          struct Place: Codable { var x: Double }
        }
        extension Shapes2 { @Model final class Plant { var name: String?; var planted: Date? } }
        """
    #expect(try Self.found(source, .historyNamesLiveType) == [])
  }

  @Test func `a live class that leads to a live one with a frozen copy is the one to copy`() throws
  {
    let live = """
      @Model final class Trip { @Relationship(inverse: \\Stop.trip) var stops: [Stop] = [] }
      @Model final class Stop { var place: String = ""; var note: String = ""; var trip: Trip? }
      """
    let copy = "@Model final class Stop { var place: String = \"\"; var trip: Trip? }"
    let source =
      live + Self.schema("V1", 1, "Trip.self, V1.Stop.self", copy)
      + Self.schema("V2", 2, "Trip.self, Stop.self")
    let found = try Self.found(source, .historyNamesLiveType)
    #expect(found.map(\.place.entity) == ["Trip"])
    #expect(found.first?.remedy.hasPrefix("Copy Trip into V1") == true)
    #expect(found.first?.message.contains("leads to the live Stop") == true)
    let clash = try Self.found(source, .unresolvedForm)
    #expect(clash.map(\.remedy) == ["Copy Trip into V1, so that it leads to the Stop there."])
  }

  @Test func `a class that two schemas share is live where one of them is the current one`() throws
  {
    let source =
      "@Model final class Tome { var title: String = \"\" }\n"
      + Self.schema("V1", 1, "Tome.self") + Self.schema("V2", 2, "Tome.self")
    let found = try Self.found(source, .historyNamesLiveType)
    #expect(found.map(\.place.entity) == ["Tome"])
  }

  @Test
  func `a live class is told once, with all schemas that depend on it and all that it leads to`()
    throws
  {
    let source =
      """
      @Model final class Trip {
        var title: String = ""
        @Relationship(inverse: \\Stop.trip) var stops: [Stop] = []
      }
      @Model final class Stop { var place: String = ""; var trip: Trip? }
      @Model final class Tag { var text: String = "" }
      """
      + Self.schema("V1", 1, "Trip.self") + Self.schema("V2", 2, "Trip.self, Tag.self")
      + Self.schema("V3", 3, "Trip.self, Stop.self, Tag.self")
    let found = try Self.found(source, .historyNamesLiveType)
    #expect(found.map(\.place.entity) == ["Trip", "Tag"])
    #expect(found.first?.message.hasPrefix("V1, V2 refer to the live model Trip") == true)
    #expect(found.first?.message.hasSuffix("Trip leads to the live Stop.") == true)
    #expect(found.first?.remedy.contains("`waystone freeze V1`") == true)
    #expect(found.last?.message.hasPrefix("V2 refers to the live model Tag") == true)
  }
}
