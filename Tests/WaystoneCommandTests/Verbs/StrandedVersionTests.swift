import MigrationTestSupport
import Testing
import WaystoneCommand

/// The advice of check on shipped versions that the app, or nothing, brings to the new one.
@Suite struct StrandedVersionTests {
  private static func book(_ attributes: String) -> String {
    SketchedModel.book([("title", "")]).replacing("</entity>", with: attributes + "</entity>")
  }

  private static func x(_ type: String) -> String {
    #"<attribute name="x" optional="YES" attributeType="\#(type)"/>"#
  }

  @Test func `versions that the app cannot open for one cause are told once`() throws {
    let modified = SketchedModel.book([("title", #"versionHashModifier="2""#)])
    let versions = [
      ("v1", Self.book(Self.x("String"))),
      ("v2", modified.replacing("</entity>", with: Self.x("String") + "</entity>")),
      ("v3", Self.book("")), ("v4", Self.book(Self.x("Integer 32"))),
    ]
    try TemporaryFolder.with { folder in
      try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
      #expect(CommandRun("lock", "v1", "v2", "v3", in: folder).status == .success)
      let check = CommandRun("check", in: folder)
      #expect(check.status == .answerIsNo)
      #expect(check.words.contains("The app cannot open stores of v1, v2:"), "\(check.output)")
      #expect(
        check.words.contains("give it a mapping model from each of these versions to v4."),
        "\(check.output)"
      )
      #expect(check.words.contains("1 error,"), "\(check.output)")
    }
  }

  @Test func `the only version that the app cannot open is named in the advice`() throws {
    let versions = [
      ("v1", Self.book(Self.x("String"))), ("v2", Self.book("")),
      ("v3", Self.book(Self.x("Integer 32"))),
    ]
    try TemporaryFolder.with { folder in
      try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
      #expect(CommandRun("lock", "v1", "v2", in: folder).status == .success)
      let check = CommandRun("check", in: folder)
      #expect(
        check.words.contains("give it a mapping model from v1 to v3."),
        "\(check.output)"
      )
    }
  }

  @Test func `a locked version that lacks nothing but a default is mended by one`() throws {
    let isbn = #"<attribute name="isbn" attributeType="String"/>"#
    func versions(_ isbn: String) -> [(name: String, entities: String)] {
      [
        ("v1", Self.book("")), ("v2", Self.book(isbn)),
        ("v3", Self.book(isbn + Self.x("String"))),
      ]
    }
    try TemporaryFolder.with { folder in
      try SketchedModel.write(versions(isbn), into: "\(folder)/ModelArchive")
      #expect(CommandRun("lock", "v1", "v2", in: folder).status == .success)
      let check = CommandRun("check", in: folder)
      #expect(
        check.words.contains(
          "Give it a default in each of v2, v3: no version hash changes, and `waystone lock --accept v2"
        ),
        "\(check.output)"
      )
      let mended = isbn.replacing("name=", with: #"defaultValueString="-" name="#)
      try SketchedModel.write(versions(mended), into: "\(folder)/ModelArchive")
      #expect(
        CommandRun("lock", "--accept", "v2", "--reason", "A default.", in: folder).status
          == .success
      )
      #expect(CommandRun("check", in: folder).status == .success)
      #expect(CommandRun("coverage", in: folder).status == .success)
    }
  }

  @Test func `so is a locked schema in Swift`() throws {
    func source(_ serial: String) -> String {
      """
      import SwiftData
      enum SchemaV1: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
        static var models: [any PersistentModel.Type] { [Book.self] }
        @Model final class Book { var title: String? }
      }
      enum SchemaV2: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
        static var models: [any PersistentModel.Type] { [Book.self] }
        @Model final class Book { var title: String?; \(serial) }
      }
      enum SchemaV3: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
        static var models: [any PersistentModel.Type] { [Book.self] }
        @Model final class Book { var title: String?; \(serial); var note: String? }
      }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self, SchemaV3.self] }
        static var stages: [MigrationStage] {
          [
            .lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self),
            .lightweight(fromVersion: SchemaV2.self, toVersion: SchemaV3.self),
          ]
        }
      }
      """
    }
    try TemporaryFolder.with { folder in
      try SketchedModel.write(source("var serial: Int"), to: "\(folder)/Sources/Schemas.swift")
      try SketchedModel.write(
        "models: Sources\nruntime: swiftdata-plan\n",
        to: "\(folder)/waystone.yml"
      )
      #expect(CommandRun("lock", "SchemaV1", "SchemaV2", in: folder).status == .success)
      let check = CommandRun("check", in: folder)
      #expect(
        check.words.contains(
          "Give it a default in each of SchemaV2, SchemaV3: no version hash changes, and "
            + "`waystone lock --accept SchemaV2"
        ),
        "\(check.output)"
      )
      let coverage = CommandRun("coverage", in: folder)
      #expect(coverage.words.contains("between SchemaV1 and SchemaV3."), "\(coverage.output)")
      try SketchedModel.write(source("var serial: Int = 0"), to: "\(folder)/Sources/Schemas.swift")
      let accepted = CommandRun(
        "lock",
        "--accept",
        "SchemaV2",
        "--reason",
        "A default.",
        in: folder
      )
      #expect(accepted.status == .success, "\(accepted.output)")
      let mended = CommandRun("check", in: folder)
      #expect(mended.status == .success, "\(mended.output)")
    }
  }
}
