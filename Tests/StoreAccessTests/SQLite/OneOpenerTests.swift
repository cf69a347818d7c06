import Foundation
import Testing

/// A scan that shows that all of the project's code goes through the one connection.
@Suite struct `The one place that opens databases` {
  private static let root =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/Sources"

  /// The Swift and C files below `Sources`, by their paths there.
  private func files() throws -> [(path: String, text: String)] {
    let all = try #require(FileManager.default.enumerator(atPath: Self.root))
    let paths = all.compactMap { $0 as? String }.filter {
      $0.hasSuffix(".swift") || $0.hasSuffix(".h") || $0.hasSuffix(".c")
    }
    #expect(paths.count > 300)
    return try paths.sorted().map { path in
      (path, try String(contentsOfFile: "\(Self.root)/\(path)", encoding: .utf8))
    }
  }

  private func paths(with word: String) throws -> [String] {
    try files().filter { $0.text.contains(word) }.map(\.path)
  }

  @Test func `no other code calls what opens one`() throws {
    let place = "StoreAccess/SQLite/SQLiteConnection.swift"
    #expect(try paths(with: "sqlite3_open") == [place])
    for call in [
      "sqlite3_exec", "sqlite3_get_table", "sqlite3_load_extension", "sqlite3_deserialize",
    ] {
      #expect(try paths(with: call).isEmpty, "\(call)")
    }
    // What compiles a statement, and what a permission is given by.
    #expect(
      try paths(with: "sqlite3_prepare") == ["StoreAccess/SQLite/SQLiteConnection+Query.swift"]
    )
    #expect(try paths(with: "sqlite3_set_authorizer") == ["StoreAccess/SQLite/SQLiteCage.swift"])
  }

  @Test func `no other target sees SQLite itself`() throws {
    for (path, text) in try files() where text.contains("import CSQLite") {
      #expect(path.hasPrefix("StoreAccess/SQLite/"), "\(path)")
    }
  }

  @Test func `no code but that of connections gives a permission`() throws {
    for (path, text) in try files() where text.contains("permitting(") {
      #expect(path.hasPrefix("StoreAccess/SQLite/"), "\(path)")
    }
    for (path, text) in try files() where text.contains("ATTACH DATABASE") {
      #expect(path == "StoreAccess/SQLite/SQLiteConnection+Attach.swift")
    }
    #expect(try paths(with: "execute(authored:") == ["StoreMigration/Execution/StageActions.swift"])
  }
}
