import ObjectModel

/// The custom stages of a file, each as a mapping.
package struct StagesReport: Report, MemberEncodable {
  package static let verb = "inspect"

  /// The file.
  package var path: String
  /// The custom stages, in their order.
  package var stages: [MappingReport]

  /// The stages of a file.
  package init(path: String, stages: [MappingReport]) {
    self.path = path
    self.stages = stages
  }

  package var members: JSONMembers {
    ["path": path, "stages": stages, "findings": [Finding]()]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    guard !stages.isEmpty else {
      return [
        "\(path, .strong)  "
          + StyledText("no custom stage between versions that are known", .caution)
      ]
    }
    return Array(stages.map { $0.lines(isVerbose: isVerbose) }.joined(separator: [""]))
  }
}
