import Files
import MigrationTestSupport
import ModelCoding
import ModelImport
import ObjectModel
import StoreAccess
import SwiftDataImport
import Testing

@Suite struct `Sources of public apps` {
  /// The commits of an app whose stores lie beside its sources.
  static let commits = ["18228b5c", "3292fc79", "3d81022b"]

  private static func folder(_ commit: String) -> String {
    Corpus.path("MatthewHunt84+MetaCocktailsSwiftData/\(commit)")
  }

  private func hashes(of commit: String) throws -> [String: VersionHash] {
    let stores = Corpus.files {
      $0.hasPrefix("MatthewHunt84+MetaCocktailsSwiftData/\(commit)/") && $0.hasSuffix(".store")
    }
    return try PersistentStore(reading: try #require(stores.first)).metadata.versionHashes
  }

  /// The corpus lacks the file with this structure; stores of all three commits have its elements.
  private static let prep = SourceText(
    name: "Prep.swift",
    bytes: Array(
      """
      struct PrepStep: Codable { var text = "" }
      struct Prep: Codable {
        var id = UUID()
        var prepIngredientName: String
        var prepRecipe: [PrepStep]
      }
      """.utf8
    )
  )

  @Test(.enabled(if: Corpus.isPresent), arguments: commits)
  func `hash as the store of the same commit, entity by entity`(commit: String) throws {
    let texts = try SourceFolder.texts(below: Self.folder(commit) + "/Sources") + [Self.prep]
    let archive = try SourceArchive.read(texts, options: SwiftDataOptions(models: ["Cocktail"]))
    let schema = try #require(archive.current)
    let isKnown = schema.isKnown
    #expect(isKnown)
    let stored = try hashes(of: commit)
    #expect(stored.count >= 4)
    #expect(schema.knownHashes == stored)
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: commits)
  func `declare what the store of the same commit carries as its model`(commit: String) throws {
    let texts = try SourceFolder.texts(below: Self.folder(commit) + "/Sources") + [Self.prep]
    let archive = try SourceArchive.read(texts, options: SwiftDataOptions(models: ["Cocktail"]))
    let model = try #require(archive.current?.model)
    let stores = Corpus.files {
      $0.hasPrefix("MatthewHunt84+MetaCocktailsSwiftData/\(commit)/") && $0.hasSuffix(".store")
    }
    let cache = try PersistentStore(reading: try #require(stores.first)).modelCache
    let carried = try ModelCache.decode(try #require(cache)).model
    let changes = ModelDifference(from: carried, to: model).changes
    // The store's model also has a configuration of all entities, and the class of composites' values.
    let others = changes.filter { change in
      change.subject != .configuration && change.old != "NSDictionary"
    }
    // Of UUID() each start of the app makes another.
    #expect(others.map(\.aspect) == [.defaultValue])
    #expect(others.map(\.name) == ["id"])
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: commits)
  func `are written from a store, and read again have its hashes`(commit: String) throws {
    let stores = Corpus.files {
      $0.hasPrefix("MatthewHunt84+MetaCocktailsSwiftData/\(commit)/") && $0.hasSuffix(".store")
    }
    let cache = try PersistentStore(reading: try #require(stores.first)).modelCache
    let carried = try ModelCache.decode(try #require(cache)).model
    let written = try SwiftSchemaWriter.write(carried, named: "SchemaV1", from: "default.store")
    let schema = try SchemaText.schema(written.contents)
    #expect(schema?.isKnown == true)
    let stored = try hashes(of: commit)
    #expect(schema?.knownHashes == stored)
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: commits)
  func `leave a hash unknown whose type they do not declare`(commit: String) throws {
    let texts = try SourceFolder.texts(below: Self.folder(commit) + "/Sources")
    let archive = try SourceArchive.read(texts, options: SwiftDataOptions(models: ["Cocktail"]))
    let schema = try #require(archive.current)
    #expect(schema.unknownEntities == ["IngredientBase"])
    let findings = SchemaText.findings(schema).filter { $0.code == .unresolvedType }
    #expect(findings.map(\.place.property) == ["prep"])
    #expect(findings.first?.place.file == "Model/Components/Ingredient.swift")
    #expect(findings.first?.message.contains("Prep") == true)
    var stored = try hashes(of: commit)
    stored["IngredientBase"] = nil
    #expect(schema.knownHashes == stored)
  }

  @Test(.enabled(if: Corpus.isPresent))
  func `hash as another store where one property is edited`() throws {
    let folder = Self.folder("3d81022b") + "/Sources"
    let texts = try SourceFolder.texts(below: folder).map { text in
      let edited = String(decoding: text.bytes, as: UTF8.self)
        .replacing("var notes: String?", with: "var notes: String")
      return SourceText(name: text.name, bytes: Array(edited.utf8))
    }
    let archive = try SourceArchive.read(texts, options: SwiftDataOptions(models: ["Cocktail"]))
    let schema = try #require(archive.current)
    let stored = try hashes(of: "3d81022b")
    #expect(schema.knownHashes["Cocktail"] != stored["Cocktail"])
    #expect(schema.knownHashes["Garnish"] == stored["Garnish"])
    #expect(schema.properties["Cocktail"]?["notes"]?.type == "String")
  }

  @Test(.enabled(if: Corpus.isPresent))
  func `tell the container's models where a call names them`() throws {
    let texts = try SourceFolder.texts(below: Self.folder("3d81022b") + "/Sources")
    let archive = try SourceArchive.read(texts)
    let schema = try #require(archive.current)
    let names = schema.model?.entities.map(\.name)
    #expect(names == ["Cocktail", "Garnish", "Ingredient", "IngredientBase"])
  }
}
