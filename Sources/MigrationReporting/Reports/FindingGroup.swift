internal import ObjectModel

/// A group of findings that one sentence covers: of one code and severity, with the same effect and the
/// same advice.
private struct FindingGroup {
  /// The findings, in their order.
  private(set) var findings: [Finding]
  /// The words after the subject, the same in each message; nil where the messages differ in more.
  let rest: Finding.Text?

  private struct Key: Hashable {
    let code: FindingCode
    let severity: Finding.Severity
    let file: String?
    let rest: Finding.Text
    let advice: Finding.Text
  }

  /// Returns the groups of some findings: severe ones first, and among those the losses.
  static func groups(_ findings: [Finding]) -> [FindingGroup] {
    var places: [Key: Int] = [:]
    var groups: [FindingGroup] = []
    for finding in findings.losingFirst {
      let isLoss = finding.isDrop
      let rest =
        finding.code == .suspectedRename && isLoss
        ? nil : finding.statement.predicate(at: finding.place)
      guard finding.place.subject != nil, finding.place.line == nil,
        rest != nil || isLoss
      else {
        groups.append(FindingGroup(findings: [finding], rest: nil))
        continue
      }
      let key = Key(
        code: finding.code,
        severity: finding.severity,
        file: finding.place.file,
        rest: rest ?? "",
        advice: finding.isRenamable || finding.severity == .note ? "" : finding.advice
      )
      if let place = places[key] {
        groups[place].findings.append(finding)
      } else {
        places[key] = groups.count
        groups.append(FindingGroup(findings: [finding], rest: rest))
      }
    }
    return groups
  }

  /// Returns the groups merged by code; each counts the findings that it does not show.
  static func shortened(_ groups: [FindingGroup]) -> [FindingGroup] {
    var result: [FindingGroup] = []
    for group in groups {
      if let same = result.firstIndex(where: { $0.findings[0].code == group.findings[0].code }) {
        result[same].leftOut += group.findings.count
      } else {
        result.append(group)
      }
    }
    return result
  }

  /// The number of further findings of the code, which are not shown.
  private var leftOut = 0

  /// The remedy for all of them.
  var remedy: String {
    if findings[0].isRenamable { return Finding.renaming(as: findings[0].advice) }
    let advice = findings[0].advice
    let remedy = advice.text
    let words = remedy.split { !$0.isLetter }
    guard findings.count > 1, !words.allSatisfy({ $0 != "it" && $0 != "its" }) else {
      return remedy
    }
    let isOfSeveral = Set(findings.map(\.place.version)).count > 1
    return "For each: \((isOfSeveral ? advice.editing("that version") : advice).clause)"
  }

  /// Returns the findings as lines without advice.
  ///
  /// - Parameters:
  ///   - version: A version that the reader knows it is about.
  ///   - isShort: Whether only the first of many are named.
  func lines(indentation: Int, about version: String?, isShort: Bool) -> [StyledText] {
    var rows: [(version: String, subjects: [String])] = []
    for finding in findings {
      let name = finding.place.version ?? ""
      if let place = rows.firstIndex(where: { $0.version == name }) {
        rows[place].subjects.append(subject(of: finding))
      } else {
        rows.append((name, [subject(of: finding)]))
      }
    }
    var joined = findings[0]
    joined.remedy = ""
    joined.place = Finding.Place(
      file: findings[0].place.file,
      version: rows.count == 1 ? rows[0].version : nil
    )
    if joined.place.version?.isEmpty == true { joined.place.version = nil }
    let text = sentence
    let subjects = rows.flatMap(\.subjects)
    if isShort {
      let names = findings.prefix(Self.shortCount).compactMap(\.place.subject)
      let more = findings.count - names.count
      if findings.count > 1 {
        joined.message =
          "\(text): \(names.joined(separator: ", "))"
          + (more > 0 ? " and \(Quantity.grouped(more)) more." : ".")
      }
      if leftOut > 0 {
        joined.message += " \(Quantity.grouped(leftOut)) more of \(joined.code.rawValue)."
      }
      return joined.lines(indentation: indentation, about: version)
    }
    guard rows.count > 1 else {
      joined.message = "\(text): \(subjects.joined(separator: ", "))."
      return joined.lines(indentation: indentation, about: version)
    }
    joined.message = "\(text):"
    let margin = indentation + 15
    let width = rows.map { TerminalText.width($0.version) }.max() ?? 0
    var lines = joined.lines(indentation: indentation, about: version)
    for row in rows {
      let room = margin + 2 + width + 2
      let texts = TerminalText.wrapped(row.subjects.joined(separator: ", "), indentation: room)
      for (index, text) in texts.enumerated() {
        let name = index == 0 ? row.version : ""
        let gap = String(repeating: " ", count: width - TerminalText.width(name) + 2)
        lines.append(
          StyledText(String(repeating: " ", count: margin + 2)) + "\(name, .strong)"
            + StyledText(gap + text)
        )
      }
    }
    return lines
  }

  /// The number of names that are shown where lines are short.
  private static let shortCount = 1

  /// Returns the subject, with its possible new name.
  private func subject(of finding: Finding) -> String {
    let subject = finding.place.subject ?? ""
    let names = finding.statement.candidates
    guard rest == nil, !names.isEmpty else { return subject }
    let areNew: Finding.Text = names.count > 3 ? "\(names.count) are new" : "\(areNew: names)"
    return "\(subject) (\(areNew))"
  }

  /// A sentence on all of them, without their names.
  private var sentence: String {
    let count = "\(Quantity.grouped(findings.count)) \(noun)"
    return (rest ?? " \(.is) dropped and may have been renamed").sentence(on: count)
  }

  private var noun: String {
    let areEntities = findings.map { $0.place.property == nil }
    if areEntities.allSatisfy({ $0 }) { return "entities" }
    if areEntities.contains(true) { return "entities and properties" }
    switch findings[0].code {
    case .attributeDropped, .attributeAdded: return "attributes"
    case .relationshipDropped, .relationshipAdded: return "relationships"
    default: return "properties"
    }
  }
}

extension [Finding] {
  /// Returns the findings as lines: losses first, what is so of several things as one, and each advice
  /// once.
  ///
  /// - Parameters:
  ///   - version: A version that the reader knows it is about.
  ///   - isShort: Whether only the first of many are named, and no advice is given.
  ///   - isFolded: Whether many additions are only counted.
  package func lines(
    indentation: Int,
    about version: String? = nil,
    isShort: Bool = false,
    isFolded: Bool = false
  ) -> [StyledText] {
    let additions = isFolded ? filter(\.isAddition) : []
    let areCounted = additions.count > Self.additionsNamed
    let joined = (areCounted ? filter { !$0.isAddition } : self).mergedOverVersions
    let groups =
      isShort
      ? FindingGroup.shortened(FindingGroup.groups(joined.map(\.withoutRemedy)))
      : FindingGroup.groups(joined)
    let sharesRenaming = groups.contains { $0.findings[0].isRenamable && $0.findings.count > 1 }
    /// Returns the remedy of a group, where it is shown once for the group.
    func shared(_ group: FindingGroup) -> String? {
      group.findings.count > 1 || isShort || group.findings[0].isRenamable && sharesRenaming
        ? group.remedy : nil
    }
    var lines: [StyledText] = []
    for (index, group) in groups.enumerated() {
      guard let remedy = shared(group) else {
        lines += group.findings[0].lines(indentation: indentation, about: version)
        continue
      }
      if group.findings.count > 1 || isShort {
        lines += group.lines(indentation: indentation, about: version, isShort: isShort)
      } else {
        lines += group.findings[0].withoutRemedy.lines(indentation: indentation, about: version)
      }
      let isLast = index + 1 == groups.count || shared(groups[index + 1]) != remedy
      guard isLast, !isShort, group.findings[0].severity > .note else { continue }
      let margin = indentation + 15
      lines += TerminalText.wrapped(remedy, indentation: margin).map {
        StyledText(String(repeating: " ", count: margin)) + StyledText($0, .faint)
      }
    }
    return areCounted ? lines + Self.counted(additions, indentation: indentation) : lines
  }

  /// The number of additions that are named one by one.
  private static var additionsNamed: Int { 6 }

  private static func counted(_ additions: [Finding], indentation: Int) -> [StyledText] {
    let counts = [
      (FindingCode.entityAdded, "entity", "entities"),
      (.attributeAdded, "attribute", "attributes"),
      (.relationshipAdded, "relationship", "relationships"),
    ].compactMap { code, one, many -> String? in
      let count = additions.count { $0.code == code }
      return count == 0 ? nil : Quantity.count(count, one, many)
    }
    let margin = String(repeating: " ", count: indentation)
    let text = "New: \(counts.joined(separator: ", ")); --verbose names them."
    return [StyledText(margin) + StyledText("note", .faint) + StyledText("           " + text)]
  }

  /// The findings by severity, and of one severity those that lose data first.
  fileprivate var losingFirst: [Finding] {
    enumerated().sorted { lhs, rhs in
      let (one, other) = (lhs.element, rhs.element)
      if one.severity != other.severity { return one.severity > other.severity }
      if one.isDrop != other.isDrop { return one.isDrop }
      return lhs.offset < rhs.offset
    }.map(\.element)
  }
}

extension Finding {
  fileprivate var withoutRemedy: Finding {
    var finding = self
    finding.remedy = ""
    return finding
  }

  /// Returns the remedy for several dropped items.
  ///
  /// - Parameter advice: The advice on one of them, whose framework counts.
  static func renaming(as advice: Text) -> String {
    let name = (advice.mark ?? .coreData).renamingIdentifier
    return
      "If one was renamed, set the \(name) of its new name to the old name, in that version and "
      + "later ones: that keeps the data and changes no version hash."
  }

  /// Whether something is dropped whose values no other thing keeps.
  var isDrop: Bool {
    code.has(.drop) && severity > .note && risk.map { $0 >= .lossy } == true
  }

  /// The lost part of an entity or property that the finding names; nil where it names none.
  var lostName: String? {
    switch code {
    case .becomesUnordered: place.subject.map { "the order of \($0)" }
    case .filteredObjects: place.subject.map { "some objects of \($0)" }
    default: place.subject
    }
  }

  /// Whether it drops something that a Renaming ID would keep; in a mapping only an expression does.
  var isRenamable: Bool { isDrop && advice.mark != nil }

  /// Whether something is only added.
  fileprivate var isAddition: Bool {
    severity == .note && code.has(.addition)
  }
}
