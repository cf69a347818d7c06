package import ObjectModel

/// The mappings bound to the versions of an archive, and the findings on those that are not.
///
/// As Core Data does, a mapping is bound by the version hashes of its entities on both sides, never by
/// names. Where it has the whole model of a side, versions with just these entities come first, and else
/// those in which every entity of its entity mappings is the same.
package struct MappingBinding: Hashable, Sendable {
  /// The edges, in the order of their versions.
  package private(set) var edges: [AuthoredEdge] = []
  /// The findings on mapping files that no versions fit or no run can take, by file.
  package private(set) var findings: [Finding] = []
  /// The mappings that are bound, each with its versions.
  package private(set) var bound: [Bound] = []

  /// The mappings that fit no versions, each with its nearest versions.
  package private(set) var nearMisses: [NearMiss] = []

  /// The mappings that fit several pairs of versions, none of which is closest.
  package private(set) var undecided: [Undecided] = []

  /// A mapping that fits several pairs of versions.
  package struct Undecided: Hashable, Sendable {
    /// The finding that names the pairs.
    package let finding: Finding
    /// The hashes of the versions that it may leave.
    package let sources: Set<[String: VersionHash]>
  }

  /// A mapping that fits no versions.
  package struct NearMiss: Hashable, Sendable {
    /// The finding that gives the reason.
    package let finding: Finding
    /// The qualified names of the versions that are nearest to its ends.
    package let versionNames: [String]
  }

  /// The reason why no run can take a mapping, and the remedy.
  package typealias Refusal = (message: String, remedy: String)

  /// A mapping with the versions that it joins.
  package struct Bound: Hashable, Sendable {
    /// The mapping.
    package let mapping: AuthoredMapping
    /// The version that it leaves.
    package let source: ModelVersion
    /// The version that it leads to.
    package let destination: ModelVersion
    /// The name of the model nearest to it, of several that have versions of these hashes; nil where
    /// none is nearer than another.
    package fileprivate(set) var home: String?
    /// The names of the models that have versions of these hashes.
    fileprivate var modelNames: Set<String> = []

    /// Binds a mapping, which from then on maps the elements of composite attributes.
    init(_ mapping: AuthoredMapping, from source: ModelVersion, to destination: ModelVersion) {
      var mapping = mapping
      mapping.mapping = CompositeExpansion(from: source.model, to: destination.model)
        .expanded(mapping.mapping)
      self.mapping = mapping
      self.source = source
      self.destination = destination
    }
  }

  /// Binds mappings to versions.
  ///
  /// Several mappings between two versions run one after the other, in the order of a list where one has
  /// them. The others run in byte order of names, and are refused where the order matters.
  /// - Parameters:
  ///   - others: The findings on files that are left out.
  ///   - places: The place of each mapping in a list, by its path.
  ///   - compiling: Returns the reason why no run can compile a mapping between two versions; nil where
  ///     it can.
  /// - Complexity: O(*m* · *v* · *e*) in mappings, versions and entities.
  package init(
    _ mappings: [AuthoredMapping],
    to models: [VersionedModel],
    besides others: [Finding] = [],
    inOrder places: [String: Int] = [:],
    compiling: (MappingModel, ManagedObjectModel, ManagedObjectModel) -> Refusal? = { _, _, _ in nil
    }
  ) {
    findings = others
    let sorted = mappings.sorted {
      (places[$0.path] ?? .max, $0.name, $0.form.order, $0.path)
        < (places[$1.path] ?? .max, $1.name, $1.form.order, $1.path)
    }
    for mapping in sorted { bind(mapping, models) }
    struct Ends: Hashable {
      let source: [String: VersionHash]
      let destination: [String: VersionHash]
    }
    var groups: [(ends: Ends, members: [Bound])] = []
    for one in bound {
      let ends = Ends(
        source: one.source.model.entityVersionHashes,
        destination: one.destination.model.entityVersionHashes
      )
      if let index = groups.firstIndex(where: { $0.ends == ends }) {
        groups[index].members.append(one)
      } else {
        groups.append((ends, [one]))
      }
    }
    let parts = groups.flatMap { group in
      Self.parts(of: group.members).map { (group.ends, $0.modelName, $0.members) }
    }
    edges = parts.map { ends, modelName, members in
      var edge = Self.edge(members, from: ends.source, to: ends.destination, inOrder: places)
      edge.modelName = modelName
      guard edge.refusals.isEmpty, let first = members.first else { return edge }
      let all = members.flatMap(\.mapping.mapping.entityMappings)
      edge.refusals = members.flatMap { member in
        // A step that is still to be written has no known mapping.
        member.mapping.findings.filter { $0.code == .unfinishedMapping }
          + MappingValidation(member, among: all).findings
      }
      guard edge.refusals.isEmpty,
        let refusal = compiling(edge.mapping, first.source.model, first.destination.model)
      else { return edge }
      edge.refusals.append(
        Finding(
          .unusableMapping,
          .error,
          at: Finding.Place(file: first.mapping.path, version: first.destination.name),
          message: refusal.message,
          remedy: refusal.remedy
        )
      )
      return edge
    }
    // The edges of several models may share a mapping.
    for refusal in edges.flatMap(\.refusals) where !findings.contains(refusal) {
      findings.append(refusal)
    }
  }

  /// Returns the mappings between two versions, each once, apart for each model where models of the same
  /// hashes have different ones beside them.
  private static func parts(of members: [Bound]) -> [(modelName: String?, members: [Bound])] {
    // A copy beside another model counts for that model, so homes are read before copies go.
    let names = members.reduce(into: Set<String>()) { $0.formUnion($1.modelNames) }
    guard Set(members.map(\.home)).count > 1 else { return [(nil, distinct(members))] }
    let parts = names.sorted(by: ByteOrder.precedes).map { name in
      (name, distinct(members.filter { $0.home == name || $0.home == nil }))
    }.filter { !$0.1.isEmpty }
    if let first = parts.first?.1, parts.allSatisfy({ isSame($0.1, first) }) {
      return [(nil, first)]
    }
    return parts.map { ($0, $1) }
  }

  /// Returns whether two lists have the same mappings in the same order.
  private static func isSame(_ first: [Bound], _ second: [Bound]) -> Bool {
    first.count == second.count
      && zip(first, second).allSatisfy { $0.mapping.isSame(as: $1.mapping) }
  }

  /// Returns mappings without those that another one repeats: as Xcode's source and compiled, or as the
  /// copy of another target.
  private static func distinct(_ members: [Bound]) -> [Bound] {
    members.enumerated().filter { index, member in
      !members[..<index].contains { $0.mapping.isSame(as: member.mapping) }
    }.map(\.element)
  }

  private mutating func bind(_ mapping: AuthoredMapping, _ models: [VersionedModel]) {
    findings += mapping.findings
    var found = models.flatMap { model -> [Bound] in
      let source = Self.matches(mapping.source, mapping.sourceMentions, model.versions)
      let destination =
        Self.matches(mapping.destination, mapping.destinationMentions, model.versions)
      return source.flatMap { first in
        destination.map { Bound(mapping, from: first, to: $0) }
      }
    }
    let all = found
    if Set(found.map(\.source.modelName)).count > 1 {
      let near = Self.nearest(found, to: mapping.path, models)
      let isOne = Set(near.map(\.source.modelName)).count == 1
      found = near.map { bound in
        var bound = bound
        if isOne { bound.home = bound.source.modelName }
        return bound
      }
    }
    let leading = Self.closest(
      found.filter {
        $0.source.model.entityVersionHashes != $0.destination.model.entityVersionHashes
      },
      in: models
    )
    if var first = leading.first {
      func hasEnds(of bound: Bound) -> Bool {
        bound.source.model.entityVersionHashes == first.source.model.entityVersionHashes
          && bound.destination.model.entityVersionHashes
            == first.destination.model.entityVersionHashes
      }
      if leading.allSatisfy(hasEnds) {
        first.modelNames = Set(all.filter(hasEnds).map(\.source.modelName))
        bound.append(first)
      } else {
        let finding = Self.unknown(mapping, leading)
        findings.append(finding)
        undecided.append(
          Undecided(
            finding: finding,
            sources: Set(leading.map(\.source.model.entityVersionHashes))
          )
        )
      }
    } else {
      if let loop = found.first {
        findings.append(Self.loop(mapping, loop.source))
      } else if let ignored = ignoredEnd(of: mapping, models) {
        findings.append(Self.left(mapping, ignored))
      } else {
        let stale = HashMismatch(mapping, models.flatMap(\.versions))
        findings.append(stale.finding)
        nearMisses.append(
          NearMiss(finding: stale.finding, versionNames: stale.nearest.map(\.qualifiedName))
        )
      }
    }
  }

  /// Returns the pairs of versions between which a mapping's entities change: of several pairs, which differ in
  /// entities that the mapping does not mention, those with the fewest steps.
  private static func closest(_ found: [Bound], in models: [VersionedModel]) -> [Bound] {
    guard found.count > 1 else { return found }
    let steps = found.map { bound -> Int? in
      let model = models.first { $0.name == bound.source.modelName }
      guard let model, !model.hasUnknownOrder,
        let start = model.versions.firstIndex(of: bound.source),
        let end = model.versions.firstIndex(of: bound.destination), start < end
      else { return nil }
      return end - start
    }
    guard let fewest = steps.compactMap(\.self).min() else { return found }
    return zip(found, steps).filter { $1 == fewest }.map(\.0)
  }

  /// Returns the versions of the models that share the most folders with a mapping.
  private static func nearest(
    _ found: [Bound],
    to path: String,
    _ models: [VersionedModel]
  ) -> [Bound] {
    let parts = path.split(separator: "/")
    let shared = Dictionary(
      models.map { model -> (String, Int) in
        let counts = model.paths.map { path in
          zip(parts, path.split(separator: "/")).prefix { $0 == $1 }.count
        }
        return (model.name, counts.max() ?? 0)
      },
      uniquingKeysWith: max
    )
    let most = found.compactMap { shared[$0.source.modelName] }.max()
    return found.filter { shared[$0.source.modelName] == most }
  }

  /// Returns the version that the project leaves out and that an end of a mapping is, where it is of no
  /// other.
  private func ignoredEnd(
    of mapping: AuthoredMapping,
    _ models: [VersionedModel]
  ) -> ModelVersion? {
    models.lazy.compactMap { model -> ModelVersion? in
      guard !model.ignored.isEmpty else { return nil }
      let all = model.versions + model.ignored
      let ends = [
        Self.matches(mapping.source, mapping.sourceMentions, all),
        Self.matches(mapping.destination, mapping.destinationMentions, all),
      ]
      guard !ends.contains(where: \.isEmpty) else { return nil }
      return ends.joined().first(where: model.ignored.contains)
    }.first
  }

  private static func left(_ mapping: AuthoredMapping, _ version: ModelVersion) -> Finding {
    Finding(
      .staleMapping,
      .note,
      at: Finding.Place(file: mapping.path),
      message: "The mapping \(mapping.name) is of the version \(version.name), which `ignore` in "
        + "waystone.yml leaves out, and is not used.",
      remedy: "Nothing needs to be done."
    )
  }

  /// Returns the versions that are an end of a mapping, those with the same hashes once.
  private static func matches(
    _ end: AuthoredMapping.End,
    _ mentions: [String: VersionHash],
    _ versions: [ModelVersion]
  ) -> [ModelVersion] {
    let whole = versions.filter { end.isWhole && $0.model.entityVersionHashes == end.hashes }
    if let last = whole.last { return [last] }
    var seen: Set<[String: VersionHash]> = []
    return versions.reversed().filter { version in
      let hashes = version.model.entityVersionHashes
      return !mentions.isEmpty && mentions.allSatisfy { hashes[$0.key] == $0.value }
        && seen.insert(hashes).inserted
    }.reversed()
  }

  private static func unknown(_ mapping: AuthoredMapping, _ found: [Bound]) -> Finding {
    let pairs = found.map { "\($0.source.name) to \($0.destination.name)" }
    let shown = pairs.prefix(4).joined(separator: ", ") + (pairs.count > 4 ? ", …" : "")
    return Finding(
      .ambiguousMapping,
      .error,
      at: Finding.Place(file: mapping.path),
      message: "The entities that the mapping \(mapping.name) mentions are the same in several "
        + "pairs of versions: \(shown).",
      remedy: "Refresh its data models in Xcode, so that it names one pair."
    )
  }

  private static func loop(_ mapping: AuthoredMapping, _ version: ModelVersion) -> Finding {
    Finding(
      .staleMapping,
      .note,
      at: Finding.Place(file: mapping.path, version: version.name),
      message:
        "The mapping \(mapping.name) leads from \(version: version.name) to itself and is not used.",
      advice: "Nothing needs to be done."
    )
  }

  /// Returns the edge of all mappings between two versions.
  private static func edge(
    _ members: [Bound],
    from source: [String: VersionHash],
    to destination: [String: VersionHash],
    inOrder places: [String: Int]
  ) -> AuthoredEdge {
    var passes = SequentialMappings()
    for one in members { passes.add(one) }
    var edge = AuthoredEdge(
      source: source,
      destination: destination,
      mapping: passes.mapping,
      origins: members.map {
        AuthoredEdge.Origin(name: $0.mapping.name, path: $0.mapping.path, form: $0.mapping.form)
      }
    )
    edge.refusals = passes.clashes
    for (index, second) in members.enumerated() {
      for first in members[..<index] where edge.refusals.isEmpty {
        let isListed = places[first.mapping.path] != places[second.mapping.path]
        if !isListed, let refusal = MappingOrderDependency(first, second).refusal {
          edge.refusals.append(refusal)
        }
      }
    }
    return edge
  }
}

extension AuthoredMapping.Form {
  /// The place among the forms of one name: sources come before what is compiled from them.
  fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension AuthoredMapping {
  /// Returns whether one of the two is the compiled form of the other, or its copy, or a mapping model that
  /// does the same under another name, as for versions that hash alike.
  fileprivate func isSame(as other: AuthoredMapping) -> Bool {
    if name == other.name { return mapping == other.mapping }
    return form.isCoreData && other.form.isCoreData && mapping.doesSame(as: other.mapping)
  }

  /// The hashes of the source entities that entity mappings mention, as they were then.
  var sourceMentions: [String: VersionHash] {
    Dictionary(
      mapping.entityMappings.compactMap { mapping in
        mapping.sourceEntityName.flatMap { name in
          mapping.sourceEntityVersionHash.map { (name, $0) }
        }
      },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The hashes of the destination entities that entity mappings mention, as they were then.
  var destinationMentions: [String: VersionHash] {
    Dictionary(
      mapping.entityMappings.compactMap { mapping in
        mapping.destinationEntityName.flatMap { name in
          mapping.destinationEntityVersionHash.map { (name, $0) }
        }
      },
      uniquingKeysWith: { first, _ in first }
    )
  }
}
