package import ObjectModel

/// A report on the versions that were exported, and their files.
package struct ExportReport: Report, MemberEncodable {
  package static let verb = "export"

  private let source: String
  private let output: String
  private let isRecovered: Bool
  private let isReadAgain: Bool
  private let versions: [ModelVersion]
  private let findings: [Finding]

  /// A report on versions that were written.
  ///
  /// - Parameters:
  ///   - isRecovered: Whether the model is the one that a store carries.
  ///   - isReadAgain: Whether what was written was read, and had the same hashes.
  package init(
    source: String,
    output: String,
    isRecovered: Bool,
    isReadAgain: Bool,
    versions: [ModelVersion],
    findings: [Finding]
  ) {
    self.source = source
    self.output = output
    self.isRecovered = isRecovered
    self.isReadAgain = isReadAgain
    self.versions = versions
    self.findings = findings
  }

  package var members: JSONMembers {
    [
      "source": source, "output": output, "recovered": isRecovered,
      "versions": versions.map { version in
        [
          "name": version.name, "checksum": version.model.versionChecksum,
          "hashes": version.model.entityVersionHashes,
        ] as JSONMembers
      }, "findings": findings,
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    let origin = isRecovered ? "recovered from the store \(source)" : "from \(source)"
    var lines: [StyledText] = ["\(output, .strong)  \(origin, .faint)"]
    var table = TextTable([("version", .left), ("entities", .right), ("checksum", .left)])
    for version in versions {
      table.append([
        StyledText(version.name), "\(version.model.entities.count)",
        StyledText(version.model.versionChecksum),
      ])
    }
    lines += table.lines(indentation: 2)
    lines.append(
      !isReadAgain
        ? "It was not read again: this build of Waystone reads no Swift."
        : isRecovered
          ? "Read again, it has the store's version hashes."
          : "Read again, the hashes are the same."
    )
    return lines + findings.section("Findings", isVerbose: isVerbose)
  }
}
