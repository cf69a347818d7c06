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
  package func sarif(version: String, site: String? = nil) -> JSONValue {
    let entries = self.entries
    let codes = FindingCode.allCases.filter { code in entries.contains { $0.finding.code == code } }
    let indexes = Dictionary(uniqueKeysWithValues: codes.enumerated().map { ($1, $0) })
    var occurrences: [String: Int] = [:]
    let results = entries.map { entry -> JSONValue in
      let identity = SARIFPrint.identity(of: entry.finding)
      occurrences[identity, default: 0] += 1
      return Self.result(
        entry,
        ruleIndex: indexes[entry.finding.code],
        fingerprint: "\(identity):\(occurrences[identity] ?? 1)"
      )
    }
    let driver: JSONValue = [
      "name": "Waystone",
      "semanticVersion": .string(version),
      "rules": .array(codes.map { Self.rule($0, site) }),
    ]
    let run: JSONValue = [
      "tool": ["driver": driver],
      "automationDetails": ["id": .string("waystone/\(verb)/")],
      "originalUriBaseIds": [
        "%SRCROOT%": ["description": ["text": "The folder of the repository."]]
      ],
      "invocations": [["executionSuccessful": true]],
      "columnKind": "unicodeCodePoints",
      "results": .array(results),
    ]
    return [
      "$schema": .string(Self.schema),
      "version": "2.1.0",
      "runs": [run],
    ]
  }

  /// The schema's address at OASIS.
  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

  private static func rule(_ code: FindingCode, _ site: String?) -> JSONValue {
    var members: [String: JSONValue] = [
      "id": .string(code.rawValue),
      "name": .string(SARIFPrint.pascalCase("\(code)")),
    ]
    guard let rule = Rule.all[code.rawValue] else { return .object(members) }
    members["shortDescription"] = ["text": .string(rule.summary)]
    members["fullDescription"] = ["text": .string(rule.why)]
    let example = rule.example.map { "    " + $0 }
    let help =
      [rule.why] + (example.isEmpty ? [] : ["", "Example:", ""] + example) + ["", rule.fix]
    let block = rule.example.isEmpty ? [] : ["", "```"] + rule.example + ["```"]
    let markdown = [rule.why] + block + ["", rule.fix]
    members["help"] = [
      "text": .string(help.joined(separator: "\n")),
      "markdown": .string(markdown.joined(separator: "\n")),
    ]
    if let site { members["helpUri"] = .string(Rule.page(of: code.rawValue, in: site)) }
    members["properties"] = [
      "tags": ["core-data", "migration"],
      "group": .string(Rule.heading(of: code.rawValue)),
    ]
    return .object(members)
  }

  private static func result(
    _ entry: Entry,
    ruleIndex: Int?,
    fingerprint: String
  ) -> JSONValue {
    let finding = entry.finding
    var shown = finding
    shown.place.file = nil
    var members: [String: JSONValue] = [
      "ruleId": .string(finding.code.rawValue),
      "ruleIndex": JSONValue(ruleIndex),
      "level": .string(finding.severity.rawValue),
      "message": ["text": .string("\(shown.sentence()) \(finding.remedy)")],
      "partialFingerprints": [
        "waystone/v1": .string(fingerprint),
        // The only one that GitHub reads; it is opaque there, too.
        "primaryLocationLineHash": .string(fingerprint),
      ],
    ]
    var properties: [String: JSONValue] = ["remedy": .string(finding.remedy)]
    if let risk = finding.risk { properties["risk"] = .string(risk.name) }
    if let version = finding.place.version { properties["modelVersion"] = .string(version) }
    members["properties"] = .object(properties)
    if let location = location(of: finding.place) { members["locations"] = [location] }
    if let reason = entry.acceptance {
      members["suppressions"] = [
        ["kind": "external", "status": "accepted", "justification": .string(reason)]
      ]
    }
    return .object(members)
  }

  private static func location(of place: Finding.Place) -> JSONValue? {
    var members: [String: JSONValue] = [:]
    if let file = place.file {
      var physical: [String: JSONValue] = ["artifactLocation": SARIFPrint.artifact(file)]
      if let line = place.line, line > 0 { physical["region"] = ["startLine": JSONValue(line)] }
      members["physicalLocation"] = .object(physical)
    }
    if let subject = place.subject {
      let name = place.property ?? place.entity ?? subject
      let full = [place.version, subject].compactMap { $0 }.joined(separator: "/")
      members["logicalLocations"] = [
        [
          "name": .string(name),
          "fullyQualifiedName": .string(full),
          "kind": place.property == nil ? "type" : "member",
        ]
      ]
    }
    return members.isEmpty ? nil : .object(members)
  }
}
