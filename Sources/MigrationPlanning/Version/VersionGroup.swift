public import ObjectModel

/// The versions of a model that have the same entity hashes, which a graph treats as one version.
///
/// A store fits all of them equally. The group has the position of its last version, so that a version
/// to which a later one reverts is left only once. Where that position is after the current version, it
/// has that of the last before it, because stores of that one continue to the current version.
public struct VersionGroup: Hashable, Sendable, Identifiable {
  /// The position in the order of groups, from 0; edges lead from lesser to greater ones.
  public let index: Int
  /// The versions, oldest first; never empty.
  public let versions: [ModelVersion]
  /// The position of each version among all versions of the model, from 0.
  package let positions: [Int]
  /// The version whose position the group has, which stores are migrated to and from.
  public let version: ModelVersion
  /// Whether no archive has it: it is the model that a store carries.
  public internal(set) var isRecovered = false

  /// The entities and properties of a recovered version that may come after this one, as `Entity` and
  /// `Entity.property`; else empty.
  ///
  /// A step from here may drop them, and no version declares that loss.
  var doubtful: Set<String> = []

  /// The position of the version whose model an app has, where steps use its names; nil where they use
  /// those of the first version after their source.
  private(set) var appPosition: Int?
  /// The positions of versions that lack a default which a later one gives a required attribute, each with
  /// the position of the first that does.
  private let completed: [Int: Int]

  /// Makes a group; its last version is a parameter of its own, since no group is empty.
  package init(index: Int, versions: [ModelVersion], positions: [Int], last: ModelVersion) {
    self.index = index
    self.versions = versions
    self.positions = positions
    version = last
    completed = Self.completed(versions, positions)
  }

  /// Returns the positions of versions that lack a default which a later one gives a required attribute, each
  /// with the position of the first that does.
  ///
  /// - Complexity: O(*v* · *d*) in versions and the different defaults among them.
  private static func completed(
    _ versions: [ModelVersion],
    _ positions: [Int]
  ) -> [Int: Int] {
    guard versions.count > 1 else { return [:] }
    var completed: [Int: Int] = [:]
    var next: [RequiredDefaults: Int] = [:]
    for (place, version) in zip(positions, versions).sorted(by: { $0.0 > $1.0 }) {
      let defaults = RequiredDefaults(of: version.model)
      completed[place] = next.filter { defaults.areCompleted(by: $0.key) }.values.min()
      next[defaults] = place
    }
    return completed
  }

  /// The position in the order of groups.
  public var id: Int { index }

  /// The model of the last of the versions.
  public var model: ManagedObjectModel { version.model }

  /// The version hash of each entity by its name, which all versions of the group share.
  public var hashes: [String: VersionHash] { model.entityVersionHashes }

  /// The name of the last version.
  public var name: String { version.name }

  /// The name of the last version, with the others that are equal to it: `C (= A, B)`; the first of them
  /// where they are many.
  public var label: String {
    guard versions.count > 1 else { return name }
    return "\(name) (= \(versions.map(\.name).filter { $0 != name }.capped))"
  }

  /// The versions: the one whose position the group has, then the latest of the others.
  package var byPlace: [ModelVersion] {
    [version] + versions.reversed().filter { $0.name != name }
  }

  /// The position of the group.
  var position: Int {
    zip(positions, versions).first { $0.1.name == name }?.0 ?? positions.last ?? 0
  }

  /// Returns the position of the version whose names a step from another group uses.
  ///
  /// It is the first version after the other group's last: a renaming identifier belongs to the step in
  /// which it was set, and an equal version may have cleared it since. Where a later version gives a
  /// default that one lacks, which changes no hash, the step uses that. An app has only one model.
  func arrivalPosition(from other: VersionGroup) -> Int {
    if let appPosition { return appPosition }
    let first = historyPosition(from: other)
    return completed[first] ?? first
  }

  /// Returns the position of the first version after another group's last, where the history's step
  /// ends.
  func historyPosition(from other: VersionGroup) -> Int {
    positions.first { $0 > other.position } ?? position
  }

  /// Returns the model of that version, whose defaults fill what the step adds.
  func arrivalModel(from other: VersionGroup) -> ManagedObjectModel {
    version(at: arrivalPosition(from: other)).model
  }

  /// Returns the version at which a step from another group ends; findings on the step name it.
  package func arrivalVersion(from other: VersionGroup) -> ModelVersion {
    version(at: arrivalPosition(from: other))
  }

  /// The group as the app's steps reach it: with the model of its current version, else of the version
  /// whose position the group has.
  var ofApp: VersionGroup {
    var node = self
    node.appPosition = zip(positions, versions).first { $0.1.isCurrent }?.0 ?? position
    return node
  }

  private func version(at position: Int) -> ModelVersion {
    zip(positions, versions).first { $0.0 == position }?.1 ?? version
  }

  /// Returns whether two groups have the same index, positions, hashes and versions.
  public static func == (lhs: VersionGroup, rhs: VersionGroup) -> Bool {
    lhs.index == rhs.index && lhs.positions == rhs.positions && lhs.hashes == rhs.hashes
      && lhs.versions.map(\.qualifiedName) == rhs.versions.map(\.qualifiedName)
  }

  /// Feeds the parts that equal groups share to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(index)
    hasher.combine(positions)
  }
}

/// The defaults of a model's required attributes, among models of the same hashes.
private struct RequiredDefaults: Hashable {
  /// The Renaming ID of each entity and property that has one.
  private var identifiers: [String: String] = [:]
  /// The required attributes without a default.
  private var lacking: Set<String> = []
  /// The attributes with a default.
  private var given: Set<String> = []

  init(of model: ManagedObjectModel) {
    for entity in model.entities {
      identifiers[entity.name] = entity.renamingIdentifier
      for attribute in entity.attributes {
        let place = "\(entity.name).\(attribute.name)"
        identifiers[place] = attribute.renamingIdentifier
        if attribute.defaultValue != nil {
          given.insert(place)
        } else if !attribute.isOptional {
          lacking.insert(place)
        }
      }
      for relationship in entity.relationships {
        identifiers["\(entity.name).\(relationship.name)"] = relationship.renamingIdentifier
      }
    }
  }

  /// Returns whether a version of the same Renaming IDs has a default for a required attribute that has
  /// none here.
  func areCompleted(by other: RequiredDefaults) -> Bool {
    identifiers == other.identifiers && !lacking.isDisjoint(with: other.given)
  }
}

extension [String] {
  /// The names in a list, the first ones with a count of the rest where they are many.
  package var capped: String {
    let shown = 8
    guard count > shown + 1 else { return joined(separator: ", ") }
    return prefix(shown).joined(separator: ", ") + " and \(count - shown) more"
  }
}

extension Finding.Text.StringInterpolation {
  /// Appends the last version of a group, with the others that are equal to it.
  mutating func appendInterpolation(version group: VersionGroup?) {
    if let group { appendInterpolation(version: group.name, label: group.label) }
  }
}
