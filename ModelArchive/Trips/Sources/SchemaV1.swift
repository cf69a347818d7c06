import Foundation
import SwiftData

/// What version 1.0 of the app shipped: frozen, as users have stores of it.
enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }

  @Model final class Trip {
    var name: String
    var begin: Date
    var end: Date?

    init(name: String, begin: Date) {
      self.name = name
      self.begin = begin
    }
  }
}
