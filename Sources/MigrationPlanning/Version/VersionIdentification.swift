public import ObjectModel

/// An identification of a store's version, by the version hashes of its entities alone.
///
/// Names and version identifiers are not compared: apps forget to change them.
public struct VersionIdentification: Hashable, Sendable {
  /// The quality of a match by hashes.
  public enum Match: Hashable, Sendable {
    /// A version has exactly the store's entities.
    case exact
    /// Several versions have exactly the store's entities, and hash alike.
    case equalVersions
    /// The store has the entities of several models, each in one version.
    case merged
    /// The store has some of a version's entities: those of the named configuration, where one
    /// has just these.
    case configuration(String?)
    /// The store fits no version; the nearest are known.
    case nearest
    /// The store shares an entity with no version.
    case none
  }

  /// A difference between an entity of the store and one of a version.
  public struct Difference: Hashable, Sendable {
    /// The side that has the entity.
    public enum Kind: String, Hashable, Sendable {
      /// The entity is only in the store.
      case onlyInStore
      /// The entity is only in the version.
      case onlyInVersion
      /// The entity is in both, with different hashes.
      case differs
    }

    /// The entity's name.
    public let entityName: String
    /// The side that has the entity.
    public let kind: Kind
    /// The properties that differ, in byte order, where the store's own model is known.
    public let propertyNames: [String]
  }

  /// A version that nearly fits.
  public struct Candidate: Hashable, Sendable {
    /// The version.
    public let version: ModelVersion
    /// The differences from the store, in byte order of the entities.
    public let differences: [Difference]
  }

  /// The quality of the match.
  public let match: Match
  /// The versions that fit, in the order of the archive; empty where none does.
  ///
  /// They are all that hash alike, or one per model of a merged store.
  public let versions: [ModelVersion]
  /// Up to three versions that nearly fit, nearest first, where none fits.
  public let nearest: [Candidate]

  /// Whether no version fits.
  public var isUnknown: Bool { match == .nearest || match == .none }

  /// Identifies a store.
  ///
  /// - Parameters:
  ///   - storeHashes: The store's `NSStoreModelVersionHashes`.
  ///   - versions: The versions of all models, oldest first within a model.
  ///   - storeModel: The model that the store itself carries, from which differing properties are read.
  /// - Complexity: O(*v* · *e*) in versions and entities; where none fits and the store's model is
  ///   known, O(*v* · *p*) in versions and properties.
  public init(
    storeHashes: [String: VersionHash],
    versions: [ModelVersion],
    storeModel: ManagedObjectModel? = nil
  ) {
    let hashes = { (version: ModelVersion) in version.model.entityVersionHashes }
    let exact = versions.filter { hashes($0) == storeHashes }
    if !exact.isEmpty {
      self.init(exact.count == 1 ? .exact : .equalVersions, exact)
      return
    }
    let containing = versions.filter { version in
      !storeHashes.isEmpty && storeHashes.allSatisfy { hashes(version)[$0.key] == $0.value }
    }
    let configured = containing.filter { Self.configuration(of: storeHashes, in: $0) != nil }
    if let version = configured.last {
      self.init(.configuration(Self.configuration(of: storeHashes, in: version)), configured)
    } else if !containing.isEmpty {
      self.init(.configuration(nil), containing)
    } else if let merged = Self.merged(storeHashes, versions) {
      self.init(.merged, merged)
    } else {
      let nearest = Self.nearest(to: storeHashes, versions, storeModel)
      self.init(nearest.isEmpty ? .none : .nearest, [], nearest)
    }
  }

  /// Returns the identification with one of the versions that hash alike as the last, which the store is of.
  package func settled(on version: ModelVersion) -> VersionIdentification {
    VersionIdentification(match, versions.filter { $0 != version } + [version], nearest)
  }

  private init(_ match: Match, _ versions: [ModelVersion], _ nearest: [Candidate] = []) {
    self.match = match
    self.versions = versions
    self.nearest = nearest
  }

  /// Returns the configuration that has exactly these entities, the first by name.
  private static func configuration(
    of hashes: [String: VersionHash],
    in version: ModelVersion
  ) -> String? {
    version.model.configurations.filter { Set($0.value) == Set(hashes.keys) }
      .keys.min(by: ByteOrder.precedes)
  }

  /// Returns one version from each of several models that together have exactly the store's entities;
  /// nil where there are none.
  private static func merged(
    _ storeHashes: [String: VersionHash],
    _ versions: [ModelVersion]
  ) -> [ModelVersion]? {
    var largest: [String: (position: Int, count: Int)] = [:]
    for (position, version) in versions.enumerated() {
      let hashes = version.model.entityVersionHashes
      guard !hashes.isEmpty, hashes.allSatisfy({ storeHashes[$0.key] == $0.value }) else {
        continue
      }
      if hashes.count >= largest[version.modelName]?.count ?? 0 {
        largest[version.modelName] = (position, hashes.count)
      }
    }
    var covered: Set<String> = []
    var chosen: [Int] = []
    let order = largest.values.sorted { ($1.count, $0.position) < ($0.count, $1.position) }
    for (position, _) in order {
      let names = versions[position].model.entityVersionHashes.keys
      guard names.contains(where: { !covered.contains($0) }) else { continue }
      covered.formUnion(names)
      chosen.append(position)
    }
    return covered.count == storeHashes.count && chosen.count > 1
      ? chosen.sorted().map { versions[$0] } : nil
  }

  private static func nearest(
    to storeHashes: [String: VersionHash],
    _ versions: [ModelVersion],
    _ storeModel: ManagedObjectModel?
  ) -> [Candidate] {
    let ranked = versions.enumerated().compactMap { position, version -> (Int, Int, Int)? in
      let hashes = version.model.entityVersionHashes
      let shared = hashes.keys.count { storeHashes[$0] != nil }
      guard shared > 0 else { return nil }
      let equal = hashes.count { storeHashes[$0.key] == $0.value }
      return (hashes.count + storeHashes.count - shared - equal, -equal, -position)
    }.sorted { $0 < $1 }
    // Versions that differ in equally many entities are ordered by how much these differ.
    let last = ranked.prefix(3).last?.0 ?? 0
    let contenders = ranked.prefix { $0.0 <= last }.map { rank in
      let version = versions[-rank.2]
      let difference = storeModel.map { ModelDifference(from: $0, to: version.model) }
      let changes = difference?.changes.filter { $0.changesHash && !$0.isConsequence } ?? []
      return (rank: (rank.0, changes.count, rank.1, rank.2), version: version, changes: changes)
    }
    return contenders.sorted { $0.rank < $1.rank }.prefix(3).map { contender in
      Candidate(
        version: contender.version,
        differences: differences(storeHashes, contender.version.model, contender.changes)
      )
    }
  }

  private static func differences(
    _ storeHashes: [String: VersionHash],
    _ model: ManagedObjectModel,
    _ changes: [ModelChange]
  ) -> [Difference] {
    let hashes = model.entityVersionHashes
    return Set(hashes.keys).union(storeHashes.keys).sorted(by: ByteOrder.precedes).compactMap {
      name in
      switch (storeHashes[name], hashes[name]) {
      case (_?, nil): Difference(entityName: name, kind: .onlyInStore, propertyNames: [])
      case (nil, _?): Difference(entityName: name, kind: .onlyInVersion, propertyNames: [])
      case (let left, let right) where left != right:
        Difference(
          entityName: name,
          kind: .differs,
          propertyNames: Set(changes.filter { $0.entityName == name }.compactMap(\.name))
            .sorted(by: ByteOrder.precedes)
        )
      default: nil
      }
    }
  }
}
