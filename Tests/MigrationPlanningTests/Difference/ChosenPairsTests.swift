import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

/// Pairs of real versions whose differences were read beside their XML and found right.
@Suite(.enabled(if: Corpus.isPresent)) struct ChosenPairsTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    let model: String
    let old: String
    let new: String
    /// The number of changes of each kind, those left out that only follow from another name.
    let changes: [String: Int]
    let rehashed: Int
    /// The reason why the step cannot be inferred, if it cannot.
    var refusals: Set<FindingCode> = []

    var testDescription: String { "\(old) to \(new)" }
  }

  private static let wire = "wireapp+wire-ios-data-model/Resources/zmessaging"
  private static let wordPress = "danielebogo+WordPress-iOS/WordPress/Classes/WordPress"

  static let pairs: [Pair] = [
    Pair(
      model: wire,
      old: "zmessaging2.29.0",
      new: "zmessaging2.30.0",
      changes: [
        "changed model": 1, "added entity": 2, "added attribute": 2, "added relationship": 3,
      ],
      rehashed: 4
    ),
    Pair(
      model: "duckduckgo+BrowserServicesKit/Sources/Bookmarks/BookmarksModel",
      old: "BookmarksModel 3",
      new: "BookmarksModel 4",
      changes: ["renamed relationship": 1, "changed relationship": 1],
      rehashed: 1
    ),
    Pair(
      model: "ptsochantaris+trailer/Shared/Trailer",
      old: "Trailer 12",
      new: "Trailer 13",
      changes: ["added attribute": 2, "changed entity": 3],
      rehashed: 2
    ),
    // An attribute of two siblings that their parent takes over.
    Pair(
      model: wordPress,
      old: "WordPress 24",
      new: "WordPress 25",
      changes: ["moved attribute": 2],
      rehashed: 5
    ),
    // A parent that is dissolved into one of its children, the other one being dropped.
    Pair(
      model: wordPress,
      old: "WordPress 20",
      new: "WordPress 21",
      changes: [
        "changed fetchRequest": 1, "removed entity": 3, "added entity": 1, "moved entity": 1,
        "changed entity": 1, "moved attribute": 13, "added attribute": 4, "moved relationship": 2,
        "changed relationship": 10,
      ],
      rehashed: 10
    ),
    Pair(
      model: "planetary-social+nos/Nos/Models/CoreData/Nos",
      old: "Nos 16",
      new: "Nos 17",
      changes: [
        "added relationship": 3, "removed relationship": 1, "suspectedRename relationship": 1,
        "changed relationship": 1,
      ],
      rehashed: 2
    ),
    Pair(
      model: "altstoreio+AltStore/AltStoreCore/Model/AltStore",
      old: "AltStore",
      new: "AltStore 2",
      changes: [
        "added entity": 2, "added relationship": 2, "added attribute": 3, "removed attribute": 2,
        "suspectedRename attribute": 1,
      ],
      rehashed: 4,
      refusals: [.requiredWithoutDefault]
    ),
    Pair(
      model: "alemar11+CoreDataPlus/Tests/Resources/SampleModel/SampleModel",
      old: "SampleModel",
      new: "SampleModel2",
      changes: [
        "changed model": 1, "changed entity": 2, "renamed entity": 1, "removed attribute": 4,
      ],
      rehashed: 5
    ),
    Pair(
      model: "woocommerce+woocommerce-ios/Storage/Storage/Model/WooCommerce",
      old: "Model 90",
      new: "Model 91",
      changes: ["added attribute": 2],
      rehashed: 1
    ),
    Pair(
      model: "AndrewBennet+ReadingListV1/ReadingList/Models/ModelVersions/books",
      old: "books_12",
      new: "books_13",
      changes: ["changed entity": 1, "changed attribute": 4],
      rehashed: 1,
      refusals: [.typeConverted]
    ),
  ]

  @Test(arguments: pairs) func `what differs is what the XML shows`(pair: Pair) throws {
    let folder = Corpus.path("\(pair.model).xcdatamodeld")
    let old = try ModelImporter.importModel(at: "\(folder)/\(pair.old).xcdatamodel").model
    let new = try ModelImporter.importModel(at: "\(folder)/\(pair.new).xcdatamodel").model
    let difference = ModelDifference(from: old, to: new)
    var counts: [String: Int] = [:]
    for change in difference.changes where !change.isConsequence {
      counts["\(change.action.rawValue) \(change.subject.rawValue)", default: 0] += 1
    }
    #expect(counts == pair.changes)
    #expect(difference.rehashedEntityNames.count == pair.rehashed)
    let refusals = MappingInference.infer(from: old, to: new).refusals
    #expect(Set(refusals.map(\.code)) == pair.refusals)
  }
}
