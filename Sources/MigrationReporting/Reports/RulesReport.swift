package import ObjectModel

/// A report on the meaning of finding codes.
package struct RulesReport: Report, MemberEncodable {
  package static let verb = "rules"

  private let codes: [FindingCode]
  private let isExplained: Bool
  private let site: String?

  /// Makes a report on some codes.
  ///
  /// - Parameters:
  ///   - isExplained: Whether each code is shown with its reason, an example and its remedy.
  ///   - site: The address of the documentation, whose pages are named then.
  package init(codes: [FindingCode], isExplained: Bool, site: String? = nil) {
    self.codes = codes
    self.isExplained = isExplained
    self.site = site
  }

  /// Returns the codes that a text means: one code, or all of a hundred (`WS2xx`), in any case of
  /// letters.
  package static func codes(_ text: String) -> [FindingCode] {
    let wanted = text.uppercased()
    if wanted.hasSuffix("XX") {
      return FindingCode.allCases.filter { $0.rawValue.dropLast(2) == wanted.dropLast(2) }
    }
    return FindingCode.allCases.filter {
      $0.rawValue == wanted || "\($0)".uppercased() == wanted
    }
  }

  package var members: JSONMembers {
    [
      "rules": codes.map { code in
        let rule = Rule.all[code]
        let members: JSONMembers = [
          "code": code.rawValue, "rule": "\(code)", "group": Rule.heading(of: code),
          "summary": rule?.summary, "why": rule?.why, "example": rule?.example ?? [],
          "fix": rule?.fix,
        ]
        return site.map { members + ["page": Rule.page(of: code, in: $0)] } ?? members
      }
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    var heading: String?
    for code in codes {
      let rule = Rule.all[code]
      if isExplained || isVerbose {
        lines += explanation(of: code, rule, isFirst: lines.isEmpty)
        continue
      }
      if Rule.heading(of: code) != heading {
        heading = Rule.heading(of: code)
        lines += (lines.isEmpty ? [] : [""]) + ["\(heading ?? "", .strong)"]
      }
      lines.append("  \(code.rawValue, .faint)  \(rule?.summary ?? "\(code)")")
    }
    if !isExplained, !isVerbose {
      lines += ["", StyledText("`waystone rules WS201` explains one.", .faint)]
    }
    return lines
  }

  /// The codes as one page of Markdown, each under a heading of its own, which links can lead to.
  package var markdown: String {
    var lines = [
      "# Findings", "",
      "The code of each finding: its meaning, its effect on data, an example, and the fix.", "",
      "`waystone rules` prints the same, and is what this page is made of.",
    ]
    var heading: String?
    for code in codes {
      if Rule.heading(of: code) != heading {
        heading = Rule.heading(of: code)
        lines += ["", "## \(heading ?? "")"]
      }
      lines += ["", "### \(code.rawValue)"]
      guard let rule = Rule.all[code] else { continue }
      lines += ["", "**\(rule.summary)** \(rule.why)"]
      if !rule.example.isEmpty { lines += ["", "```"] + rule.example + ["```"] }
      lines += ["", rule.fix]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func explanation(of code: FindingCode, _ rule: Rule?, isFirst: Bool) -> [StyledText] {
    var lines: [StyledText] = isFirst ? [] : [""]
    lines.append("\(code.rawValue, .strong) \("\(code)", .faint)")
    guard let rule else { return lines }
    func wrapped(_ text: String) -> [StyledText] {
      TerminalText.wrapped(text, indentation: 2).map { "  " + StyledText($0) }
    }
    lines += wrapped(rule.summary) + [""] + wrapped(rule.why)
    if !rule.example.isEmpty {
      lines += [""] + rule.example.map { "    " + StyledText($0, .faint) }
    }
    lines += [""] + wrapped(rule.fix)
    if let site { lines += ["", "  " + StyledText(Rule.page(of: code, in: site))] }
    return lines
  }
}
