internal import ObjectModel

extension FindingsReport {
  /// Returns the findings as a SARIF 2.1.0 log, as GitHub's code scanning and other viewers read it.
  ///
  /// Each result has the rule's code, a place below `%SRCROOT%` where it has a file, the entity and
  /// property as a logical place, and fingerprints that do not change when lines move. Accepted
  /// findings are in it as suppressed, with the reason.
  ///
  /// Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
  /// - Parameters:
  ///   - version: The version of the command.
  ///   - site: The address of the documentation of that version, which each rule then leads to.
  package func sarif(version: String, site: String? = nil) throws -> JSONValue {
    let entries = self.entries
    let codes = FindingCode.allCases.filter { code in entries.contains { $0.finding.code == code } }
    let indexes = Dictionary(uniqueKeysWithValues: codes.enumerated().map { ($1, $0) })
    var occurrences: [String: Int] = [:]
    let results = entries.map { entry in
      let identity = SARIFPrint.identity(of: entry.finding)
      occurrences[identity, default: 0] += 1
      return Self.result(
        entry,
        ruleIndex: indexes[entry.finding.code],
        fingerprint: "\(identity):\(occurrences[identity] ?? 1)"
      )
    }
    let driver: JSONMembers = [
      "name": "Waystone", "semanticVersion": version, "rules": codes.map { Self.rule($0, site) },
    ]
    let run: JSONMembers = [
      "tool": ["driver": driver], "automationDetails": ["id": "waystone/\(verb)/"],
      "originalUriBaseIds": [
        "%SRCROOT%": ["description": ["text": "The folder of the repository."]]
      ],
      "invocations": [["executionSuccessful": true]], "columnKind": "unicodeCodePoints",
      "results": results,
    ]
    let log: JSONMembers = ["$schema": Self.schema, "version": "2.1.0", "runs": [run]]
    return try JSONValue(encoding: log)
  }

  /// The schema's address at OASIS.
  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

  private static func rule(_ code: FindingCode, _ site: String?) -> JSONMembers {
    let members: JSONMembers = [
      "id": code.rawValue, "name": SARIFPrint.pascalCase("\(code)"),
    ]
    guard let rule = Rule.all[code] else { return members }
    let example = rule.example.map { "    " + $0 }
    let help =
      [rule.why] + (example.isEmpty ? [] : ["", "Example:", ""] + example) + ["", rule.fix]
    let block = rule.example.isEmpty ? [] : ["", "```"] + rule.example + ["```"]
    let markdown = [rule.why] + block + ["", rule.fix]
    return members + [
      "shortDescription": ["text": rule.summary], "fullDescription": ["text": rule.why],
      "help": [
        "text": help.joined(separator: "\n"), "markdown": markdown.joined(separator: "\n"),
      ],
      "properties": [
        "tags": ["core-data", "migration"], "group": Rule.heading(of: code),
      ] as JSONMembers,
    ] + (site.map { ["helpUri": Rule.page(of: code, in: $0)] } ?? [:])
  }

  private static func result(
    _ entry: Entry,
    ruleIndex: Int?,
    fingerprint: String
  ) -> JSONMembers {
    let finding = entry.finding
    var shown = finding
    shown.place.file = nil
    var properties = ["remedy": finding.remedy]
    properties["risk"] = finding.risk?.name
    properties["modelVersion"] = finding.place.version
    var members: JSONMembers = [
      "ruleId": finding.code.rawValue, "ruleIndex": ruleIndex, "level": finding.severity.rawValue,
      "message": ["text": "\(shown.sentence()) \(finding.remedy)"],
      // The second is the only one that GitHub reads; it is opaque there, too.
      "partialFingerprints": ["waystone/v1": fingerprint, "primaryLocationLineHash": fingerprint],
      "properties": properties,
    ]
    if let location = location(of: finding.place) { members += ["locations": [location]] }
    if let reason = entry.acceptance {
      members += [
        "suppressions": [["kind": "external", "status": "accepted", "justification": reason]]
      ]
    }
    return members
  }

  private static func location(of place: Finding.Place) -> JSONMembers? {
    var members: JSONMembers = [:]
    if let file = place.file {
      var physical: JSONMembers = ["artifactLocation": SARIFPrint.artifact(file)]
      if let line = place.line, line > 0 { physical += ["region": ["startLine": line]] }
      members += ["physicalLocation": physical]
    }
    if let subject = place.subject {
      members += [
        "logicalLocations": [
          [
            "name": place.property ?? place.entity ?? subject,
            "fullyQualifiedName": [place.version, subject].compactMap { $0 }
              .joined(separator: "/"), "kind": place.property == nil ? "type" : "member",
          ]
        ]
      ]
    }
    return place.file == nil && place.subject == nil ? nil : members
  }
}
