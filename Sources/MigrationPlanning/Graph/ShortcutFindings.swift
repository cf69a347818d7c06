package import ObjectModel

extension VersionGraph {
  /// What an edge that is not equivalent, or not known to be, does other than the history between its
  /// ends.
  ///
  /// - Returns: A finding for each property or entity in which it differs; nothing for an
  ///   equivalent edge.
  package func findings(
    of verdict: EdgeVerdict,
    from source: VersionNode,
    to destination: VersionNode
  ) -> [Finding] {
    let shortcut = Shortcut(source: source, destination: destination, graph: self)
    switch verdict {
    case .equivalent: return []
    case .notEquivalent(let differences):
      return differences.map { shortcut.finding($0, among: differences) }
    case .unknown(let reason): return [shortcut.finding(reason)]
    }
  }

  /// Authored routes that do not commute with the walk between their ends.
  ///
  /// - Complexity: As ``verdict(on:)``, for each authored edge over several steps.
  package func disagreementFindings() -> [Finding] {
    authoredPairs.flatMap { pair in
      disagreementFindings(on: edge(from: nodes[pair.source], to: nodes[pair.destination]))
    }
  }

  /// In what an authored edge and the walk between its ends do not commute, as findings.
  package func disagreementFindings(on edge: Edge) -> [Finding] {
    let (source, destination) = (nodes[edge.source].name, nodes[edge.destination].name)
    return disagreements(of: edge).map { difference in
      Finding(
        .routesDisagree,
        .warning,
        at: Finding.Place(
          file: edge.origins.first?.path,
          version: destination,
          entity: difference.entityName,
          property: difference.propertyName
        ),
        message: "\(edge.fileNames) \(difference.otherEffect); the history from \(source) to "
          + "\(destination) \(difference.referenceEffect).",
        remedy:
          "Make them agree, or remove one: what users get depends on the path that their stores took."
      )
    }
  }
}

/// An edge over several steps, as sentences name it.
private struct Shortcut {
  let source: VersionNode
  let destination: VersionNode
  let graph: VersionGraph

  /// The files that say what the walk does between the ends.
  private var walkFiles: [String] {
    graph.walkEdges(from: source.index, to: destination.index).flatMap { edge in
      edge.origins.map(\.fileName)
    }
  }

  private var name: String { "The shortcut from \(source.name) to \(destination.name)" }

  private var remedy: String {
    let walk = graph.order.walk(source.index, destination.index) ?? []
    let between = walk.dropFirst().dropLast().map { graph.nodes[$0] }
    guard let first = between.first, let last = between.last else { return "Leave this edge out." }
    let way = first == last ? first.name : "\(first.name) to \(last.name)"
    return "Let the plan go through \(way), or write a mapping from \(source.name) to "
      + "\(destination.name)."
  }

  func finding(_ difference: MappingDifference, among all: [MappingDifference]) -> Finding {
    let place = difference.place
    let own = difference.other ?? "nothing"
    let walk = difference.reference ?? "nothing"
    let files = walkFiles
    let by = files.isEmpty ? "" : " (\(files.joined(separator: ", ")))"
    switch difference.kind {
    case .lost:
      return make(
        files.isEmpty ? .inequivalentShortcut : .bypassedTransformation,
        difference,
        "\(name) loses \(place), which the history fills with \(walk)\(by)."
      )
    case .resurrected:
      let heir = all.first { $0.kind == .lost && $0.reference == difference.other }
      if let heir {
        return make(
          .reusedName,
          difference,
          "\(name) fills \(place) with \(own), which the history carries to \(heir.place). The name was "
            + "used again for something else."
        )
      }
      return make(
        .resurrected,
        difference,
        "\(name) keeps \(own) as \(place), which the history drops."
      )
    case .objectsResurrected:
      return make(
        .resurrected,
        difference,
        "\(name) keeps objects of \(own) as \(place), which the history drops."
      )
    case .objectsLost:
      return make(
        files.isEmpty ? .inequivalentShortcut : .bypassedTransformation,
        difference,
        "\(name) makes no objects of \(place), which the history makes of \(walk)\(by)."
      )
    case .differs:
      return make(
        files.isEmpty ? .inequivalentShortcut : .bypassedTransformation,
        difference,
        "\(name) \(difference.otherEffect); the history \(difference.referenceEffect)\(by)."
      )
    case .objectsDiffer:
      return make(
        files.isEmpty ? .inequivalentShortcut : .bypassedTransformation,
        difference,
        "\(name) makes objects of \(place) from \(own); the history from \(walk)\(by)."
      )
    case .unknown:
      return finding(.opaque(difference))
    }
  }

  private func make(
    _ code: FindingCode,
    _ difference: MappingDifference,
    _ message: String
  ) -> Finding {
    Finding(
      code,
      .warning,
      risk: .undeclared,
      at: Finding.Place(
        version: destination.name,
        entity: difference.entityName.isEmpty ? nil : difference.entityName,
        property: difference.propertyName
      ),
      message: message,
      remedy: remedy
    )
  }

  func finding(_ reason: EdgeVerdict.Reason) -> Finding {
    let edge = "The edge from \(source.name) to \(destination.name)"
    switch reason {
    case .missingStep(let from, let to):
      let gap = "\(graph.nodes[from].name) to \(graph.nodes[to].name)"
      return unknown(
        "\(edge) skips the step from \(gap), which has no mapping: whether it does the same as the "
          + "history is unknown.",
        remedy:
          "Write a mapping for the step from \(gap). Or accept it: `migrate --accept-unknown`."
      )
    case .opaque(let difference):
      let files = walkFiles.isEmpty ? "code" : walkFiles.joined(separator: ", ")
      return unknown(
        "\(edge) skips \(files), and Waystone cannot see what that does: whether it does the same for "
          + "\(difference.place) is unknown.",
        remedy: "\(remedy) Or accept it: `migrate --accept-unknown`."
      )
    case .branchesDisagree(let conflict): return graph.finding(conflict, from: source.index)
    case .downgrade:
      return unknown(
        "\(edge) leads to an older version over several at once: no history says what it means.",
        remedy: "Go back step by step, or accept it: `migrate --accept-unknown`."
      )
    }
  }

  private func unknown(_ message: String, remedy: String) -> Finding {
    Finding(
      .unknownShortcut,
      .warning,
      at: Finding.Place(version: destination.name),
      message: message,
      remedy: remedy
    )
  }
}

extension MappingDifference {
  /// What the history does to the property or the objects, as a sentence goes on.
  package var referenceEffect: String { effect(reference) }
  /// What the other way does to them.
  package var otherEffect: String { effect(other) }

  private func effect(_ value: String?) -> String {
    guard propertyName != nil else {
      return value.map { "makes \(place) from \($0)" } ?? "makes no objects of \(place)"
    }
    return value.map { "sets \(place) to \($0)" } ?? "leaves \(place) empty"
  }

  /// The entity or property, as sentences name it.
  package var place: String {
    if entityName.isEmpty { return "the store as a whole" }
    return propertyName.map { "\(entityName).\($0)" } ?? entityName
  }
}

extension VersionGraph.Edge {
  /// The names of the files that it comes from, for sentences.
  var fileNames: String { origins.map(\.fileName).joined(separator: ", ") }
}
