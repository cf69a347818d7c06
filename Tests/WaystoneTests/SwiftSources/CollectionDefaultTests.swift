import Foundation
import MigrationTestSupport
import StoreAccess
import SwiftDataImport
import Testing
import Waystone

/// New properties of SwiftData whose initial values are collections without elements.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct CollectionDefaultTests {
  private static func sources(_ property: String) -> [String: String] {
    [
      "Models.swift": """
      enum V1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model final class Trip { var name: String }
      }
      enum V2: VersionedSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model final class Trip { var name: String; \(property) }
      }
      """
    ]
  }

  @Test(arguments: [
    ("var tags: [String] = []", "NSArray"), ("var tags: [Int] = [Int]()", "NSArray"),
    ("var tags: [String: Int] = [:]", "NSDictionary"),
  ])
  func `are archives that Foundation reads`(property: String, name: String) throws {
    try SourceProject.with(Self.sources(property)) { project in
      let archive = try ModelArchive(contentsOf: URL(filePath: project.folder + "/App"))
      let url = URL(filePath: project.folder + "/default.store")
      try archive.generateStore(at: url, of: "V1", rows: 5, seed: 1)
      let store = try Store(reading: url)
      _ = try archive.plan(for: store).migrate(store)
      let rows = try SQLiteConnection(path: url.path, access: .readOnly).rows(
        "SELECT ZTAGS FROM ZTRIP"
      )
      let blobs = rows.compactMap { if case .blob(let bytes) = $0[0] { bytes } else { nil } }
      #expect(blobs.count == 5)
      for bytes in blobs {
        let root = try NSKeyedUnarchiver.unarchivedObject(
          ofClasses: [NSArray.self, NSDictionary.self],
          from: Data(bytes)
        )
        let count = name == "NSArray" ? (root as? NSArray)?.count : (root as? NSDictionary)?.count
        #expect(count == 0)
      }
    }
  }

  @Test func `with elements are not known, and refused`() throws {
    try SourceProject.with(Self.sources("var tags: [String] = [\"a\"]")) { project in
      let archive = try ModelArchive(contentsOf: URL(filePath: project.folder + "/App"))
      let refusal = #expect(throws: WaystoneError.self) {
        _ = try archive.plan(from: "V1", to: "V2")
      }
      #expect(refusal?.findings.contains { $0.code.rawValue == "WS338" } == true)
    }
  }
}
