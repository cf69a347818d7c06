package import ObjectModel

extension VersionGraph {
  /// Returns the differences between an edge and the history between its ends.
  ///
  /// - Parameter verdict: The verdict on the edge; nil where it is refused.
  /// - Returns: A finding for each property or entity in which it differs; nothing for an inferred edge
  ///   that is equivalent.
  package func findings(of verdict: EdgeVerdict?, on edge: Edge) -> [Finding] {
    let (source, destination) = (nodes[edge.source], nodes[edge.destination])
    let shortcut = Shortcut(source: source, destination: destination, graph: self)
    switch verdict {
    // An authored edge is equivalent by declaration.
    case .equivalent, nil: return disagreementFindings(on: edge)
    case .notEquivalent(let differences, let hidden):
      return differences.map { shortcut.finding($0, among: differences) }
        + [hidden].compactMap(\.self).map { shortcut.finding($0, acceptedBy: shortcut.consent) }
    case .unknown(let reason): return [shortcut.finding(reason)]
    }
  }

  /// Returns findings on authored edges that differ from the history between their ends.
  ///
  /// - Complexity: As ``verdict(on:)``, for each authored edge over several steps.
  package func disagreementFindings() -> [Finding] {
    authoredPairs.flatMap { pair in
      disagreementFindings(on: edge(from: nodes[pair.source], to: nodes[pair.destination]))
    }
  }

  /// Returns findings on the differences between an authored edge and the history between its ends.
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
        message:
          "\(edge.fileNames) \(difference.otherEffect); the history from \(version: source) to "
          + "\(version: destination) \(difference.referenceEffect).",
        advice:
          "Make them agree, or remove one: what users get depends on the path that their stores took."
      )
    }
  }
}

/// An edge over several steps, as sentences name it.
private struct Shortcut {
  let source: VersionGroup
  let destination: VersionGroup
  let graph: VersionGraph

  /// The files of authored edges in the history between the ends.
  private var historyFiles: [String] {
    graph.historyEdges(from: source.index, to: destination.index).flatMap { edge in
      edge.origins.map(\.fileName)
    }
  }

  private var name: Finding.Text {
    "the shortcut from \(version: source.name) to \(version: destination.name)"
  }

  func finding(_ difference: MappingDifference, among all: [MappingDifference]) -> Finding {
    let place = difference.place
    let own = difference.other ?? "nothing"
    let history = difference.reference ?? "nothing"
    let files = historyFiles
    let by = files.isEmpty ? "" : " (\(files.joined(separator: ", ")))"
    switch difference.kind {
    case .lost:
      return make(
        files.isEmpty ? .inequivalentShortcut : .bypassedTransformation,
        difference,
        "\(subject: place) is lost by \(name); the history gives it \(history)\(by)."
      )
    case .resurrected:
      let heir = all.first { $0.kind == .lost && $0.reference == difference.other }
      if let heir {
        return make(
          .reusedName,
          difference,
          "\(subject: place) \(.gets) \(own) by \(name); the history gives that to \(heir.place). The name was used "
            + "again for something else."
        )
      }
      return make(
        .resurrected,
        difference,
        "\(subject: place) keeps \(own) by \(name); the history drops it."
      )
    case .objectsResurrected:
      return make(
        .resurrected,
        difference,
        "\(subject: place) keeps objects of \(own) by \(name); the history drops them."
      )
    case .objectsLost:
      return make(
        files.isEmpty ? .inequivalentShortcut : .bypassedTransformation,
        difference,
        "\(subject: place) \(.gets) no objects by \(name); the history makes them of \(history)\(by)."
      )
    case .differs where difference.isReduced:
      return make(
        .resurrected,
        difference,
        "\(subject: place) keeps \(own) by \(name); the history gives it \(history)\(by)."
      )
    case .differs:
      return make(
        files.isEmpty ? .inequivalentShortcut : .bypassedTransformation,
        difference,
        "\(subject: place) \(difference.other.map { "gets \($0)" } ?? "stays empty") by \(name); the history "
          + (difference.reference.map { "gives it \($0)" } ?? "leaves it empty") + "\(by)."
      )
    case .objectsDiffer:
      return make(
        files.isEmpty ? .inequivalentShortcut : .bypassedTransformation,
        difference,
        "\(subject: place) \(.gets) \(.its) objects from \(own) by \(name); the history makes them from \(history)\(by)."
      )
    case .unknown:
      return finding(.opaque(difference))
    }
  }

  private func make(
    _ code: FindingCode,
    _ difference: MappingDifference,
    _ message: Finding.Text
  ) -> Finding {
    Finding(
      code,
      .warning,
      risk: code == .resurrected ? .additive : .undeclared,
      at: Finding.Place(
        version: destination.name,
        entity: difference.entityName.isEmpty ? nil : difference.entityName,
        property: difference.propertyName
      ),
      message: message,
      advice: consent
    )
  }

  /// The advice for a shortcut that differs from the history.
  var consent: Finding.Text {
    "No plan takes this shortcut without `--accept-shortcut "
      + "\((source.name + ".." + destination.name).shellWord)`."
  }

  /// The advice for an edge that has no other remedy.
  private static let acceptance: Finding.Text =
    "No plan takes this edge without `--accept-unknown`."

  func finding(_ reason: EdgeVerdict.Reason) -> Finding {
    let edge: Finding.Text =
      "the edge from \(version: source.name) to \(version: destination.name)"
    switch reason {
    case .missingStep(let from, let to):
      let gap: Finding.Text =
        "\(version: graph.nodes[from].name) to \(version: graph.nodes[to].name)"
      return unknown(
        "Unknown: \(edge) skips the step from \(gap), which has no mapping.",
        remedy: "Write \(destination.model.framework.ownMapping) for the step from \(gap). "
          + Self.acceptance
      )
    case .opaque(let difference): return finding(difference, acceptedBy: Self.acceptance)
    case .branchesDisagree(let conflict): return graph.finding(conflict, from: source.index)
    case .downgrade:
      return unknown(
        "Unknown: \(edge) leads to an older version over several at once, and no history says what it "
          + "means.",
        remedy: "Go back step by step, or accept it: `migrate --accept-unknown`."
      )
    }
  }

  /// Returns the finding that the history has code in the place of an edge.
  func finding(_ difference: MappingDifference, acceptedBy consent: Finding.Text) -> Finding {
    let files = historyFiles.isEmpty ? "code" : historyFiles.joined(separator: ", ")
    return unknown(
      "Unknown: the edge from \(version: source.name) to \(version: destination.name) skips \(files). "
        + "Waystone cannot see what its code does"
        + (difference.entityName.isEmpty ? "." : " to \(difference.place)."),
      remedy: consent
    )
  }

  private func unknown(_ message: Finding.Text, remedy: Finding.Text) -> Finding {
    let place = Finding.Place(version: destination.name)
    return Finding(.unknownShortcut, .warning, at: place, message: message, advice: remedy)
  }
}

extension MappingDifference {
  /// The effect of the history on the property or the objects, as the end of a sentence.
  package var referenceEffect: String { effect(reference) }
  /// The effect of the other mapping on them.
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
