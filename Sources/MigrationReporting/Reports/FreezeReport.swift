package import ObjectModel
package import Waystone

/// A version that was written as a frozen schema, with its place in the migration plan.
package struct FreezeReport: Report, MemberEncodable {
  package static let verb = "freeze"

  private let from: String
  private let output: String?
  private let frozen: FrozenSchema
  private let isReadAgain: Bool
  private let findings: [Finding]

  /// A report on a frozen schema.
  ///
  /// - Parameters:
  ///   - output: The file; nil where the source is printed.
  ///   - isReadAgain: Whether the source was read, and was the same version.
  package init(
    _ frozen: FrozenSchema,
    source: String,
    output: String?,
    isReadAgain: Bool,
    findings: [Finding]
  ) {
    self.frozen = frozen
    from = source
    self.output = output
    self.isReadAgain = isReadAgain
    self.findings = findings
  }

  package var members: JSONMembers {
    [
      "name": frozen.name, "source": from, "output": output,
      "contents": output == nil ? frozen.contents : nil, "plan": frozen.plan,
      "stage": frozen.stage, "planned": frozen.isPlanned,
      "checksum": frozen.version.model.versionChecksum,
      "hashes": frozen.version.model.entityVersionHashes, "findings": findings,
    ]
  }

  /// The Swift source, with the change of the migration plan as comments behind it.
  package var source: String {
    frozen.contents + "\n" + suggestion.map { $0.isEmpty ? "//\n" : "// \($0)\n" }.joined()
      + findings.map { finding in
        "// \(finding.severity.rawValue) \(finding.code.rawValue)  "
          + (finding.place.subject.map { "\($0): " } ?? "") + "\(finding.message)\n"
      }.joined()
  }

  /// The lines to add to the migration plan.
  private var suggestion: [String] {
    let name = frozen.plan ?? "A SchemaMigrationPlan"
    if frozen.isPlanned { return ["\(name) has \(frozen.name), and the stage to it."] }
    guard let stage = frozen.stage else {
      return [
        "Add \(frozen.name).self to the schemas of \(frozen.plan ?? "a SchemaMigrationPlan"), at its place in the history,",
        "with a stage to the schema behind it.",
      ]
    }
    return [
      frozen.plan.map { "Add to \($0):" } ?? "Add to a SchemaMigrationPlan:",
      "  schemas  \(frozen.name).self",
      "  stages   \(stage)",
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    let count = frozen.version.model.entities.count
    var lines: [StyledText] = [
      "\(output ?? frozen.name, .strong)  \("\(frozen.name), from \(from)", .faint)",
      StyledText(
        "  \(count == 1 ? "1 model" : "\(count) models"), checksum \(frozen.version.model.versionChecksum)"
      ),
      isReadAgain
        ? "Read again, the hashes are the same."
        : "It was not read again: this build of Waystone reads no Swift.",
      "",
    ]
    lines += suggestion.map { StyledText($0) }
    return lines + findings.section("Findings", isVerbose: isVerbose)
  }
}
