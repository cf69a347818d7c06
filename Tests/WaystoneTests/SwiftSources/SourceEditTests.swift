import Foundation
import MigrationTestSupport
import ObjectModel
import SwiftDataImport
import Testing
import Waystone

@Suite(
  "Edits of sources",
  .enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData")
)
struct SourceEditTests {
  private static func schema(
    _ trip: String = "var stops: [Stop]",
    _ stop: String = "var trip: Trip?"
  )
    -> String
  {
    """
    enum V1: VersionedSchema {
      static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
      static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
      @Model class Trip {
        var name: String
        \(trip)
      }
      @Model class Stop {
        var note: String?
        \(stop)
      }
    }
    """
  }

  @Test func `to a relationship are told once, by the types of both`() throws {
    try SourceProject.with(["V1.swift": Self.schema()]) { project in
      _ = try project.read().lock(.all)
      try project.write(Self.schema("var stops: [Stop]", "var trip: [Trip]"), to: "App/V1.swift")
      let told = try project.read().check().failures.filter {
        $0.place.entity == "Stop" && $0.place.property == "trip"
      }
      #expect(told.count == 1, "\(told)")
      #expect(told.first?.message.contains("V1.Stop.trip was Trip?, is [Trip];") == true, "\(told)")
      #expect(told.first?.place.line == 10)
    }
  }

  @Test func `in the project's own folder are told by paths without a dot`() throws {
    try SourceProject.with(["V1.swift": Self.schema()]) { project in
      try project.write("models: .\n", to: "waystone.yml")
      _ = try project.read().lock(.all)
      try project.write(Self.schema("var stops: [Stop]?"), to: "App/V1.swift")
      let files = Set(try project.read().check().failures.map(\.place.file))
      #expect(files == ["App/V1.swift"])
    }
  }

  @Test func `beside a project of its own are read, and the folder that is not is named once`()
    throws
  {
    try SourceProject.with(["V1.swift": Self.schema()]) { project in
      try FileManager.default.createDirectory(
        atPath: project.folder + "/App/Kit/Sub",
        withIntermediateDirectories: true
      )
      try project.write("models: .\n", to: "App/Kit/waystone.yml")
      try project.write("@Model class Other {}", to: "App/Kit/Sub/Other.swift")
      let read = try project.read()
      #expect(read.models.versions.map(\.name) == ["V1"])
      let notes = try read.check().findings.filter { $0.code == .unreadableSource }
      #expect(
        notes.map(\.severity) == [.note] && notes.map(\.place.file) == ["App/Kit/waystone.yml"]
      )
      #expect(notes.first?.message.contains("Kit is a project of its own") == true, "\(notes)")
    }
  }

  @Test func `that leave a constraint over a property that is gone are told as both`() throws {
    let unique = "#Unique<Trip>([\\.code])"
    try SourceProject.with(["V1.swift": Self.schema("\(unique); var code: String")]) { project in
      _ = try project.read().lock(.all)
      try project.write(Self.schema(unique), to: "App/V1.swift")
      let failures = try project.read().check().failures
      #expect(
        failures.contains {
          $0.code == .unresolvedForm && $0.message.contains("constraint over code")
        },
        "\(failures)"
      )
      #expect(failures.contains { $0.place.property == "code" && $0.message.contains("is gone") })
    }
  }
}
