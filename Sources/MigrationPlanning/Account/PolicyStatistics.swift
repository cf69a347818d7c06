package import ObjectModel

/// A count of the objects that a policy made for an entity mapping, taken after it ran.
///
/// Only the policy's author knows which objects it should have made.
public struct PolicyStatistics: Codable, Hashable, Sendable {
  /// The name of the policy's class.
  public var policy: String
  /// The name of the entity mapping.
  public var mapping: String
  /// The source entity.
  public var source: String
  /// The destination entity.
  public var destination: String
  /// The objects of the source entity.
  public var given: Int64
  /// The objects that the mapping made of them, as far as the policy associated the two.
  public var made: Int64
  /// The objects of the source entity that no entity mapping of the hop is known to have made
  /// anything of.
  public var withoutTrace: Int64

  package init(
    policy: String,
    mapping: String,
    source: String,
    destination: String,
    given: Int64,
    made: Int64,
    withoutTrace: Int64
  ) {
    self.policy = policy
    self.mapping = mapping
    self.source = source
    self.destination = destination
    self.given = given
    self.made = made
    self.withoutTrace = withoutTrace
  }
}

extension HopReconciliation {
  /// Sentences on the policies' counts, one for each entity mapping.
  package var notes: [String] {
    works.map { work in
      "\(source) to \(destination): \(work.policy): \(work.given) \(work.source) in, "
        + "\(work.made) \(work.destination) out, \(work.withoutTrace) without; Waystone does not "
        + "check which"
    }
  }

  /// The findings on objects that policies left without a trace, one for each entity.
  package var findings: [Finding] {
    var reported: Set<String> = []
    return works.filter { $0.withoutTrace > 0 && reported.insert($0.source).inserted }.map { work in
      Finding(
        .objectsWithoutTrace,
        .warning,
        at: Finding.Place(version: source, entity: work.source),
        message: "\(work.withoutTrace) of \(work.given) objects of \(work.source) left no trace: "
          + "\(work.policy) made nothing of them on the way to \(destination), or did not "
          + "associate what it made.",
        remedy: "Check in the original, which is kept, that the policy leaves them out on purpose."
      )
    }
  }
}
