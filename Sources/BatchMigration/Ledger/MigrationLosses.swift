internal import Foundation
package import Waystone

/// The objects, values and links that migrations dropped, changed or did not find, as their certificates count
/// them.
package struct MigrationLosses: Hashable, Sendable {
  /// The kind of a loss.
  package enum Fate: String, Hashable, Sendable, CaseIterable {
    /// Absent from the result.
    case dropped
    /// Present with another value, such as a truncated text; the user accepted that.
    case changed
    /// External files that were absent.
    case missing
    /// Links that are present without their order.
    case unordered
    /// Objects, values or links that no mapping carries; a policy, an action or SQL read them, and whether it
    /// kept them was not counted.
    case code
  }

  /// An entity, or a property of one, in the version that the store was of.
  package struct Place: Hashable, Sendable {
    /// The model; nil where it is not known.
    package var model: String?
    /// `Entity`, `Entity.property`, or a table with its column.
    package var name: String
    /// The kind of the things that were counted; nil for rows of a table, or values of a column, that the
    /// store has beyond its model.
    package var kind: HopReconciliation.Kind?
    package var fate: Fate
  }

  /// The losses at one place.
  package struct Sum: Hashable, Sendable {
    /// The number of stores that have them.
    package var stores = 0
    /// The number of objects, values or links in all of them.
    package var count: Int64 = 0
  }

  /// The losses, by place.
  package private(set) var sums: [Place: Sum] = [:]
  /// The number of stores with any loss.
  package private(set) var stores = 0
  /// The number of certificates that could not be read.
  package var unread = 0

  /// Losses of no migration.
  package init() {}

  /// Reads a certificate's account of all hops.
  ///
  /// - Throws: ``WaystoneError``, `badFile` where the JSON is no certificate.
  package init(certificate json: [UInt8], model: String?) throws(WaystoneError) {
    guard let read = try? JSONDecoder().decode(Part.self, from: Data(json)) else {
      throw WaystoneError(
        .badFile,
        "A certificate in the ledger has no account of what went where.",
        recovery: "Take the ledger from a backup."
      )
    }
    for line in read.total.departures {
      guard let fate = Fate(line) else { continue }
      let name = line.property.map { "\(line.entity).\($0)" } ?? line.entity
      add(Place(model: model, name: name, kind: line.kind, fate: fate), line.count)
    }
    for entity in read.source?.entities ?? [] {
      guard let count = entity.missingFiles, count != 0 else { continue }
      add(Place(model: model, name: entity.name, kind: .values, fate: .missing), count)
    }
    for line in read.unexplained ?? [] {
      add(Place(model: model, name: line.place, kind: nil, fate: .dropped), line.count)
    }
    stores = sums.isEmpty ? 0 : 1
  }

  /// Adds a count of the only store; numbers come from a file that any program may have written, so no sum may
  /// trap.
  private mutating func add(_ place: Place, _ count: Int64) {
    sums[place, default: Sum(stores: 1)].count &+= count
  }

  /// Adds the losses of other stores.
  package mutating func add(_ losses: MigrationLosses) {
    stores += losses.stores
    for (place, sum) in losses.sums {
      sums[place, default: Sum()].stores += sum.stores
      sums[place, default: Sum()].count &+= sum.count
    }
  }

  /// The part of a certificate that is decoded; a certificate may have megabytes.
  private struct Part: Decodable {
    struct Total: Decodable { var departures: [HopReconciliation.Departure] }
    struct Side: Decodable { var entities: [Entity] }
    struct Entity: Decodable {
      var name: String
      var missingFiles: Int64?
    }
    var source: Side?
    var total: Total
    var unexplained: [MigrationCertificate.Unexplained]?
  }
}

extension MigrationLosses.Fate {
  /// The loss that a line of an account records; nil where it records none.
  fileprivate init?(_ line: HopReconciliation.Departure) {
    switch line.fate {
    case .dropped: self = .dropped
    case .changed: self = .changed
    case .unordered: self = .unordered
    case .code where line.to.isEmpty: self = .code
    case .carried, .computed, .used, .split, .chosen, .merged, .code: return nil
    }
  }
}
