public import ObjectModel

/// An authored edge: a mapping between two versions, bound to them by their hashes.
///
/// It replaces the inferred edge between the two, and is equivalent by declaration: a plan may take it
/// to skip versions in between.
public struct AuthoredEdge: Hashable, Sendable {
  /// A file that the edge comes from.
  public struct Origin: Hashable, Sendable {
    /// The name of the file without its extension.
    public var name: String
    /// The file.
    public var path: String
    /// The form of the file.
    public var form: AuthoredMapping.Form

    /// A file in its form.
    public init(name: String, path: String, form: AuthoredMapping.Form) {
      self.name = name
      self.path = path
      self.form = form
    }

    /// The last component of the path.
    public var fileName: String { path.split(separator: "/").last.map(String.init) ?? name }
  }

  /// The version hash of each entity of the version that it leaves.
  public var source: [String: VersionHash]
  /// The version hash of each entity of the version that it leads to.
  public var destination: [String: VersionHash]
  /// The mapping of the edge; several files that run one after the other are joined.
  public var mapping: MappingModel
  /// The files, in the order in which they run.
  public var origins: [Origin]
  /// The reasons that exclude the edge; empty where it can be used.
  public var refusals: [Finding] = []
  /// The name of the only model that has the edge, where another has versions of the same hashes and
  /// mappings of its own; nil where each model with its versions has it.
  package var modelName: String?
  /// The effects on the data, where they are known better than from the mapping alone.
  public var findings: [Finding]?

  /// An edge between two versions.
  public init(
    source: [String: VersionHash],
    destination: [String: VersionHash],
    mapping: MappingModel,
    origins: [Origin]
  ) {
    self.source = source
    self.destination = destination
    self.mapping = mapping
    self.origins = origins
  }

  /// The names of the files, for sentences; their paths where two have one name.
  public var fileNames: String {
    Self.shownNames(origins.map(\.path)).joined(separator: ", ")
  }

  /// Returns the last components of some paths, or the paths where two of those are equal.
  package static func shownNames(_ paths: [String]) -> [String] {
    let names = paths.map { path in path.split(separator: "/").last.map(String.init) ?? path }
    return Set(names).count == Set(paths).count ? names : paths
  }

  /// The policy classes that the mapping names, each once, in byte order.
  public var policyNames: [String] { mapping.policyNames }
}

extension AuthoredEdge {
  /// Returns the edge among versions that were cut down to the entities of one configuration.
  ///
  /// - Parameters:
  ///   - model: The whole versions.
  ///   - restricted: The same versions, cut down.
  /// - Returns: Nil where nothing is left to lead from one version to another.
  public func restricted(
    from model: VersionedModel,
    to restricted: VersionedModel
  ) -> AuthoredEdge? {
    func part(_ hashes: [String: VersionHash]) -> [String: VersionHash]? {
      zip(model.versions, restricted.versions).reversed()
        .first { $0.0.model.entityVersionHashes == hashes }?.1.model.entityVersionHashes
    }
    guard let first = part(source), let last = part(destination), first != last else { return nil }
    var edge = self
    edge.source = first
    edge.destination = last
    edge.mapping.entityMappings = mapping.entityMappings.filter { mapping in
      mapping.sourceEntityName.map { first[$0] != nil } ?? true
        && mapping.destinationEntityName.map { last[$0] != nil } ?? true
    }
    return edge
  }

  /// Returns the edge between versions that also have the entities of other models, which stay as they
  /// are.
  ///
  /// - Returns: Nil where the versions are not this edge's and something equal besides.
  public func completed(
    from first: ManagedObjectModel,
    to last: ManagedObjectModel
  ) -> AuthoredEdge? {
    let others = first.entityVersionHashes.filter { source[$0.key] == nil }
    guard source.allSatisfy({ first.entityVersionHashes[$0.key] == $0.value }),
      destination.allSatisfy({ last.entityVersionHashes[$0.key] == $0.value }),
      last.entityVersionHashes.filter({ destination[$0.key] == nil }) == others
    else { return nil }
    var edge = self
    edge.source = first.entityVersionHashes
    edge.destination = last.entityVersionHashes
    edge.modelName = nil
    var pool = EntityPool()
    let entities = PreparedModel(first, sharing: &pool).entities.filter { others[$0.name] != nil }
    edge.mapping.entityMappings += entities.map(\.copy)
    return edge
  }
}
