import Foundation
import SwiftData

/// What version 1.1 of the app shipped. It is no longer what it was: `notes` was optional.
enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 1, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

  @Model final class Trip {
    var name: String
    var begin: Date
    var end: Date?
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop]

    init(name: String, begin: Date) {
      self.name = name
      self.begin = begin
      stops = []
    }
  }

  @Model final class Stop {
    var place: String
    var arrival: Date?
    var notes: String
    var trip: Trip?

    init(place: String, notes: String = "") {
      self.place = place
      self.notes = notes
    }
  }
}
