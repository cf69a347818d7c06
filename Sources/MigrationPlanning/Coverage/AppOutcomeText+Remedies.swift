import ObjectModel

extension AppOutcomeText {
  /// The framework of the app's own version.
  var framework: ModelFramework { destination.model.framework }

  /// The file that the app lacks for a step that is not inferred, after "finds".
  var lacking: String { framework == .swiftData ? " no custom stage" : " no mapping model" }

  /// Returns the remedy that lets the app take a step, or avoid it.
  func remedy(for step: VersionGraph.Edge) -> Finding.Text {
    let (from, to) = (graph.nodes[step.source].name, graph.nodes[step.destination].name)
    let files = unknownFiles
    if !files.isEmpty {
      let model: Finding.Text =
        framework == .coreData
        ? "give the app \(mappingModelFrom: from) to \(version: to) too."
        : "\(framework.mapping())."
      let names = files.joined(separator: ", ")
      if !runtime.isStaged, files.allSatisfy({ $0.hasSuffix(".swift") }) {
        return
          "If the app's container is given the plan in \(names), set `runtime: swiftdata-plan` in "
          + "waystone.yml."
      }
      guard !runtime.isStaged, files.allSatisfy({ $0.hasSuffix(".staged.yml") }) else {
        return
          "\(framework == .swiftData ? "SwiftData" : "Core Data") does not read \(names): \(model)"
      }
      return
        "If the app migrates by the stages of \(names), set `runtime: staged` in waystone.yml; if not, "
        + model
    }
    guard framework == .coreData else { return stageRemedy(for: step) }
    if !step.isConsecutive {
      let gaps = graph.historyEdges(from: step.source, to: step.destination).filter { edge in
        edge.isRefused || edge.kind == .extended
          || edge.kind == .inferred && edge.findings.contains { undocumented($0, in: edge) }
      }
      guard !gaps.isEmpty else {
        return
          "Let the app migrate version by version, or give it \(mappingModelFrom: from) to \(version: to)."
      }
      let pairs = gaps.prefix(3).map { edge in
        "\(graph.nodes[edge.source].name) to \(graph.nodes[edge.destination].name)"
          + (reason(of: edge).map { " (\($0))" } ?? "")
      }
      let more = gaps.count > 3 ? ", and for \(gaps.count - 3) more steps" : ""
      // The steps are the same for all versions that they are between, so their ends are words.
      return
        "Let the app migrate version by version, with a mapping model from "
        + "\(pairs.joined(separator: ", and from "))\(more). Or give it "
        + "\(mappingModelFrom: from) to \(version: to)."
    }
    return "Give the app \(mappingModelFrom: from) to \(version: to)."
  }

  /// Returns the remedy for a SwiftData app: a stage of its migration plan, because SwiftData takes no
  /// mapping model.
  private func stageRemedy(for step: VersionGraph.Edge) -> Finding.Text {
    let hasPlan = runtime == .swiftDataPlan
    let plan = hasPlan ? "" : "Give the app's container a migration plan: "
    guard step.isConsecutive else {
      return
        "\(plan)\(hasPlan ? "Let" : "let") a custom stage begin or end at each version between "
        + "\(version: graph.nodes[step.source].name) and \(version: graph.nodes[step.destination].name)."
    }
    let words = framework.mapping()
    return "\(plan)\(hasPlan ? words.capitalizedFirst : words)."
  }

  /// Returns the code by which a step needs a mapping model.
  private func reason(of edge: VersionGraph.Edge) -> String? {
    (edge.refusals + edge.findings.filter { undocumented($0, in: edge) }).first?.code.rawValue
  }

  /// Returns the remedy that lets the app migrate without the losses of some steps.
  ///
  /// - Parameter differences: All differences from the history. The history is no remedy where it loses
  ///   a value that the steps keep.
  func lossRemedy(
    _ steps: [VersionGraph.Edge],
    among differences: [MappingDifference]
  ) -> Finding.Text {
    let wrong = steps.first { $0.kind != .authored } ?? steps[0]
    guard differences.contains(where: \.isReduced), unknownFiles.isEmpty else {
      return remedy(for: wrong)
    }
    guard framework == .coreData else { return remedy(for: wrong) }
    return "Give the app \(mappingModelFrom: graph.nodes[wrong.source].name) to "
      + "\(version: graph.nodes[wrong.destination].name)."
  }
}
