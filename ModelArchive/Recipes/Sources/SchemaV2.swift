import Foundation
import SwiftData

/// What the app uses next.
enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Recipe.self, Ingredient.self] }

  @Model final class Recipe {
    var title: String = ""
    var servings: Int16 = 4
    var rating: Int = 0
    var instructions: String?
    var createdAt: Date?
    var isFavorite: Bool = false
    var source: String?
    @Relationship(deleteRule: .cascade, inverse: \Ingredient.recipe) var ingredients: [Ingredient]?

    init(title: String) { self.title = title }
  }

  @Model final class Ingredient {
    var name: String = ""
    var amount: Double = 0
    var unit: String?
    var recipe: Recipe?

    init(name: String) { self.name = name }
  }
}
