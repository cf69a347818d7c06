import ObjectModel
import StoreAccess

/// The least and greatest number of destinations of an object.
struct CountBounds: Hashable, Sendable {
  var least: Int
  /// `Int.max` where the model sets no bound.
  var greatest: Int

  init(_ relationship: RelationshipDescription) {
    let declared = Int(max(0, relationship.minCount))
    least = max(declared, relationship.isOptional ? 0 : 1)
    greatest = relationship.maxCount > 0 ? max(Int(relationship.maxCount), least) : Int.max
  }

  /// Makes bounds that exclude no count.
  init() { (least, greatest) = (0, Int.max) }
}
