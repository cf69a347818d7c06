import Foundation
import SwiftData

typealias Trip = SchemaV3.Trip
typealias Stop = SchemaV3.Stop

/// What the app uses now.
enum SchemaV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 2, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

  enum Means: String, Codable { case foot, bicycle, train }

  struct Position: Codable {
    var latitude: Double
    var longitude: Double
  }

  @Model final class Trip {
    #Index<Trip>([\.begin])
    @Attribute(originalName: "name") var title: String
    var begin: Date
    var end: Date?
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop]

    init(title: String, begin: Date) {
      self.title = title
      self.begin = begin
      stops = []
    }
  }

  @Model final class Stop {
    var place: String
    var arrival: Date?
    var notes: String?
    var means: Means?
    var position: Position?
    var isFavorite: Bool = false
    var trip: Trip?

    init(place: String) { self.place = place }
  }
}
