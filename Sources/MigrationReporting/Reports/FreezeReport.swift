package import ObjectModel

/// A version that was written as a frozen schema, with its place in the migration plan.
package struct FreezeReport: Report {
  package static let verb = "freeze"

  private let schema: String
  private let from: String
  private let output: String?
  private let contents: String
  private let version: ModelVersion
  private let plan: String?
  private let stage: String?
  private let isPlanned: Bool
  private let isReadAgain: Bool
  private let findings: [Finding]

  /// A report on a frozen schema.
  ///
  /// - Parameters:
  ///   - output: The file; nil where the source is printed.
  ///   - stage: The stage that leads to it; nil where it is the first.
  ///   - isPlanned: Whether the plan has it already.
  ///   - isReadAgain: Whether the source was read, and was the same version.
  package init(
    schema: String,
    source: String,
    output: String?,
    contents: String,
    version: ModelVersion,
    plan: String?,
    stage: String?,
    isPlanned: Bool,
    isReadAgain: Bool,
    findings: [Finding]
  ) {
    self.schema = schema
    from = source
    self.output = output
    self.contents = contents
    self.version = version
    self.plan = plan
    self.stage = stage
    self.isPlanned = isPlanned
    self.isReadAgain = isReadAgain
    self.findings = findings
  }

  package var members: [String: JSONValue] {
    [
      "name": .string(schema),
      "source": .string(from),
      "output": output.map { .string($0) } ?? .null,
      "contents": output == nil ? .string(contents) : .null,
      "plan": plan.map { .string($0) } ?? .null,
      "stage": stage.map { .string($0) } ?? .null,
      "planned": .boolean(isPlanned),
      "checksum": .string(version.model.versionChecksum),
      "hashes": .object(version.model.entityVersionHashes.mapValues { .string($0.description) }),
      "findings": .array(findings.map(\.json)),
    ]
  }

  /// The Swift source, with the change of the migration plan as comments behind it.
  package var source: String {
    contents + "\n" + suggestion.map { $0.isEmpty ? "//\n" : "// \($0)\n" }.joined()
      + findings.map { finding in
        "// \(finding.severity.rawValue) \(finding.code.rawValue)  "
          + (finding.place.subject.map { "\($0): " } ?? "") + "\(finding.message)\n"
      }.joined()
  }

  /// The lines to add to the migration plan.
  private var suggestion: [String] {
    let name = plan ?? "A SchemaMigrationPlan"
    if isPlanned { return ["\(name) has \(schema), and the stage to it."] }
    guard let stage else {
      return [
        "Add \(schema).self to the schemas of \(plan ?? "a SchemaMigrationPlan"), at its place in the history,",
        "with a stage to the schema behind it.",
      ]
    }
    return [
      plan.map { "Add to \($0):" } ?? "Add to a SchemaMigrationPlan:",
      "  schemas  \(schema).self",
      "  stages   \(stage)",
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    let count = version.model.entities.count
    var lines: [StyledText] = [
      "\(output ?? schema, .strong)  \("\(schema), from \(from)", .faint)",
      StyledText(
        "  \(count == 1 ? "1 model" : "\(count) models"), checksum \(version.model.versionChecksum)"
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
