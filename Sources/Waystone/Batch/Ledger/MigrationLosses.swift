internal import Foundation
internal import MigrationPlanning
internal import StoreMigration

/// What a migration dropped, changed or did not find, as its certificate counts it.
package struct MigrationLosses: Hashable, Sendable {
  /// What became of it.
  package enum Fate: String, Hashable, Sendable, CaseIterable {
    /// It is not in the result.
    case dropped
    /// Its values became others, such as a text that was cut; a person accepted that.
    case changed
    /// Its external files were not there.
    case missing
    /// Its links are there without their order.
    case unordered
    /// No mapping carries it; a policy, an action or SQL saw it, and whether that kept it nobody counted.
    case code
  }

  /// What was counted.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case objects
    case values
    case links
    /// What the store held beyond its model: rows of a table, or values of a column.
    case unexplained
  }

  /// What is lost of an entity or a property of it, in the version that the store was of.
  package struct Place: Hashable, Sendable {
    /// The model; nil where it is not known.
    package var model: String?
    /// `Entity`, `Entity.property`, or a table with its column.
    package var name: String
    package var kind: Kind
    package var fate: Fate
  }

  /// How many objects, values or links, by place.
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

  /// Numbers come from a file that anybody may have written, so that no sum may trap.
  private mutating func add(_ place: Place, _ count: Int64) { counts[place, default: 0] &+= count }

  /// What is read of a certificate, which may have megabytes.
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
  /// The loss that a line of an account tells of; nil where it tells of none.
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
