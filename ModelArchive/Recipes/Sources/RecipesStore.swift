import Foundation
import SwiftData

/// The app's store, which it has had since it used Core Data.
enum RecipesStore {
  static func container() throws -> ModelContainer {
    let url = URL.applicationSupportDirectory.appending(path: "Recipes.sqlite")
    return try ModelContainer(
      for: Schema(versionedSchema: SchemaV2.self),
      configurations: ModelConfiguration(url: url)
    )
  }
}
