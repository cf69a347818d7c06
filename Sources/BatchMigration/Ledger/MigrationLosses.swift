internal import Foundation
package import Waystone

/// The objects, values and links that a migration dropped, changed or did not find, as its certificate counts
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

  /// The kind of the things that were counted.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case objects
    case values
    case links
    /// Rows of a table, or values of a column, that the store has beyond its model.
    case unexplained
  }

  /// An entity, or a property of one, in the version that the store was of.
  package struct Place: Hashable, Sendable {
    /// The model; nil where it is not known.
    package var model: String?
    /// `Entity`, `Entity.property`, or a table with its column.
    package var name: String
    package var kind: Kind
    package var fate: Fate
  }

  /// The number of objects, values or links, by place.
  package private(set) var counts: [Place: Int64] = [:]

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
      add(Place(model: model, name: name, kind: Kind(line.kind), fate: fate), line.count)
    }
    for entity in read.source?.entities ?? [] {
      guard let count = entity.missingFiles, count != 0 else { continue }
      add(Place(model: model, name: entity.name, kind: .values, fate: .missing), count)
    }
    for line in read.unexplained ?? [] {
      add(Place(model: model, name: line.place, kind: .unexplained, fate: .dropped), line.count)
    }
  }

  /// Adds a count; numbers come from a file that any program may have written, so no sum may trap.
  private mutating func add(_ place: Place, _ count: Int64) { counts[place, default: 0] &+= count }

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

extension MigrationLosses.Kind {
  fileprivate init(_ kind: HopReconciliation.Kind) {
    switch kind {
    case .objects: self = .objects
    case .values: self = .values
    case .links: self = .links
    }
  }
}
