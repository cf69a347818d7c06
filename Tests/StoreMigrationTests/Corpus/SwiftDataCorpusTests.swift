import Files
import MigrationPlanning
import MigrationTestSupport
import ModelCoding
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// The stores of an app with SwiftData, none of whose versions has a model file.
///
/// Their frameworks give the order: 1403, 1410, 1414. All call themselves 1.0.0.
@Suite(.enabled(if: Corpus.isPresent)) struct SwiftDataCorpusTests {
  /// A store with the model that it carries.
  struct Sample {
    let path: String
    let model: ManagedObjectModel
    let origin: SwiftDataOrigin?
  }

  private static func samples() throws -> [Sample] {
    try ["3292fc79/default", "18228b5c/default", "3d81022b/PreloadedCocktails"].map { name in
      let path = Corpus.path("MatthewHunt84+MetaCocktailsSwiftData/\(name).store")
      let store = try PersistentStore(reading: path)
      let cache = store.modelCache
      let model = try ModelCache.decode(#require(cache)).model
      #expect(model.entityVersionHashes == store.metadata.versionHashes)
      let framework = store.metadata.frameworkVersion
      return Sample(
        path: path,
        model: model,
        origin: SwiftDataOrigin(model, frameworkVersion: framework)
      )
    }
  }

  @Test func `they show that SwiftData made them`() throws {
    for (sample, hasArrays) in zip(try Self.samples(), [true, true, false]) {
      let origin = try #require(sample.origin)
      let marks = SwiftDataOrigin.Mark.allCases.filter { hasArrays || $0 != .arrays }
      #expect(origin.marks == marks && origin.isCertain)
    }
    // A model that Xcode drew shows nothing.
    let drawn = try ModelSketch.model("N { t: String?; data: Transformable? by T }")
    #expect(SwiftDataOrigin(drawn, frameworkVersion: 1_414) == nil)
    let named = try ManagedObjectModel(entities: drawn.entities, versionIdentifiers: ["1.0.0"])
    let likely = try #require(SwiftDataOrigin(named, frameworkVersion: 1_414))
    #expect(!likely.isCertain && likely.description.hasPrefix("likely"))
    #expect(SwiftDataOrigin(named, frameworkVersion: 1_200) == nil)
  }

  @Test func `the model inside comes back from the archive that is written of it`() throws {
    for sample in try Self.samples() {
      let composites = sample.model.entities.flatMap(\.attributes)
        .filter { $0.attributeType == .composite }
      #expect(composites.count > 9 && composites.contains { $0.isOfSwiftEnum })
      let again = try ModelCache.decode(ModelCache.encode(sample.model))
      #expect(again.model == sample.model)
      #expect(again.model.entityVersionHashes == sample.model.entityVersionHashes)
    }
    let cases = try Self.samples()[2].model["Cocktail"]?.attributes
      .first { $0.name == "historicSpec" }?.userInfo[SwiftEnumNote.casesKey]
    #expect(cases?.split(separator: SwiftEnumNote.separator).count == 15)
  }

  /// The values that the step from the oldest version to the next needs: five new properties that are
  /// required without a default, and one that takes what an element of a composite held.
  private static func mapping(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) throws -> AuthoredEdge {
    func carried(_ entity: String) -> EntityMapping {
      let old = Set(source.declaredProperties(of: entity).map(\.property.name))
      var attributes: [String: Expression] = [:]
      var relationships: [String: Expression] = [:]
      for property in destination.declaredProperties(of: entity).map(\.property)
      where old.contains(property.name) {
        if property.attribute != nil {
          attributes[property.name] = .source(property.name)
        } else {
          relationships[property.name] =
            .destinationInstances(forSourceRelationship: property.name)
        }
      }
      return AuthoredStep.mapping(
        entity,
        entity,
        attributes: attributes,
        relationships: relationships
      )
    }
    var mappings = ["CocktailImage", "Garnish", "Ingredient"].map(carried)
    var cocktail = carried("Cocktail")
    cocktail.attributeMappings += try [
      PropertyMapping(name: "favorite", valueExpression: .constant(.boolean(false))),
      PropertyMapping(name: "isCustomCocktail", valueExpression: .constant(.boolean(false))),
      PropertyMapping(
        name: "notes",
        valueExpression: Expression(
          format: "TERNARY($source.author != nil, $source.author.person, \"nobody\")"
        )
      ),
    ]
    var base = carried("IngredientBase")
    base.attributeMappings += try [
      PropertyMapping(
        name: "baseCategory",
        valueExpression: Expression(format: "$source.category.category")
      ),
      PropertyMapping(
        name: "id",
        valueExpression: .function(.variable("manager"), selector: "newUUID", arguments: [])
      ),
      PropertyMapping(name: "specialtyCategory", valueExpression: .constant(.string(""))),
      PropertyMapping(name: "umbrellaCategory", valueExpression: .constant(.string(""))),
    ]
    mappings += [cocktail, base]
    return AuthoredEdge(
      source: source.entityVersionHashes,
      destination: destination.entityVersionHashes,
      mapping: MappingModel(entityMappings: mappings),
      origins: []
    )
  }

  @Test(arguments: [true, false])
  func `a store of the oldest version becomes one of the newest, element by element`(
    inPlace: Bool
  ) throws {
    let samples = try Self.samples()
    let versions = samples.enumerated().map {
      ModelVersion(modelName: "Cocktails", name: "v\($0 + 1)", model: $1.model)
    }
    let edge = try Self.mapping(from: samples[0].model, to: samples[1].model)
    let graph = VersionGraph(
      VersionedModel(name: "Cocktails", versions: versions),
      authored: [edge]
    )
    var planning = PlanningOptions()
    planning.acceptLoss = .any
    let plan = try MigrationPlanner(graph: graph).plan(
      from: graph.nodes[0],
      to: graph.nodes[2],
      options: planning
    )
    try TemporaryFolder.with { folder in
      let journey = CorpusJourney(store: samples[0].path, archive: "")
      let before = try CorpusJourney(store: samples[0].path, archive: "").copy(into: folder)
      var options = journey.options(inPlace ? nil : folder)
      options.settings.certificate = folder + "/certificate.json"
      let outcome = try StoreMigrator(plan: plan, options: options).migrate(before)
      #expect(outcome.hops == 2)
      let after = inPlace ? before : folder + "/result.sqlite"
      let original = try inPlace ? #require(outcome.backup) : before
      try PlainCount.check(outcome, source: original, result: after, folder)
      let losses = try #require(outcome.certificate).total.departures.filter { $0.kind == .values }
      #expect(losses.contains { $0.property == "author.person" })
      try Self.compare(original, after)
    }
  }

  /// Compares the columns of elements by SQL that knows nothing of the schema.
  private static func compare(_ before: String, _ after: String) throws {
    let old = try AppDatabase(before)
    let new = try AppDatabase(after)
    let columns = [
      "ZPERSON", "ZPLACE", "ZYEAR", "HEX(ZID)", "HEX(ZID1)", "HEX(ZINSTRUCTIONS)", "ZCOLLECTION",
      "ZICE", "ZGLASSWARETYPE", "ZVARIATION", "HEX(ZFLAVORS)", "HEX(ZPROFILES)", "HEX(ZSTYLES)",
      "HEX(ZBOOZE)", "HEX(ZNA)",
    ]
    for column in columns {
      let query = "SELECT ZCOCKTAILNAME, \(column) FROM ZCOCKTAIL ORDER BY 1"
      let values = try old.rows(query)
      #expect(try values == new.rows(query), "\(column)")
      #expect(values.count == 398)
    }
    let values = try new.rows("SELECT COUNT(ZPERSON), COUNT(ZICE), COUNT(ZFLAVORS) FROM ZCOCKTAIL")
    #expect(values[0].allSatisfy { ($0.integer ?? 0) > 100 })
    let categories = try old.rows("SELECT ZNAME, ZCATEGORY FROM ZINGREDIENTBASE ORDER BY 1")
    #expect(
      try categories
        == new.rows("SELECT ZNAME, ZBASECATEGORY FROM ZINGREDIENTBASE ORDER BY 1")
    )
    let query =
      "SELECT ZNAME, ZPREPINGREDIENTNAME, HEX(ZPREPRECIPE) FROM ZINGREDIENTBASE ORDER BY 1"
    #expect(try old.rows(query) == new.rows(query))
    #expect(
      try new.rows("SELECT COUNT(*) FROM ZCOCKTAIL WHERE ZALGONQUIN IS NOT NULL")[0][0].integer == 0
    )
  }
}
