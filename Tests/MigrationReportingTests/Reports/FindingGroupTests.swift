import MigrationReporting
import ObjectModel
import Testing

/// Findings on several things are reported once, losses first.
struct FindingGroupTests {
  private func finding(
    _ code: FindingCode,
    _ subject: (entity: String, property: String?),
    _ rest: Finding.Text,
    _ severity: Finding.Severity = .error,
    risk: Risk? = .lossy,
    at version: String = "v2",
    remedy: Finding.Text? = nil
  ) -> Finding {
    let name = subject.property.map { "\(subject.entity).\($0)" } ?? subject.entity
    return Finding(
      code,
      severity,
      risk: risk,
      at: Finding.Place(version: version, entity: subject.entity, property: subject.property),
      message: "\(subject: name) \(rest)",
      advice: remedy ?? (code.has(.drop) ? "Set its \(mark: .coreData)." : "Keep it.")
    )
  }

  private func text(_ lines: [StyledText]) -> [String] {
    lines.map { $0.string(isColored: false) }
  }

  @Test func `what several versions drop is one finding with a row for each version`() {
    let lines = text(
      [
        finding(.attributeDropped, ("Note", "a"), "\(.is) dropped."),
        finding(.attributeDropped, ("Note", "b"), "\(.is) dropped."),
        finding(.attributeDropped, ("Tag", "c"), "\(.is) dropped.", at: "v10"),
      ].lines(indentation: 0)
    )
    #expect(lines[0] == "error   WS302  3 attributes are dropped:")
    #expect(lines[1] == "                 v2   Note.a, Note.b")
    #expect(lines[2] == "                 v10  Tag.c")
    #expect(lines[3].contains("If one was renamed, set the Renaming ID of its new name"))
    #expect(lines.count { $0.contains("Renaming ID") } == 1)
  }

  @Test func `what several versions meet on the way to one is told once, with advice for each`() {
    let versions = ["v2", "v3"].map { (version: String) -> Finding in
      Finding(
        .appLosesSilently,
        .error,
        at: Finding.Place(version: version, entity: "Note"),
        message: "\(subject: "Note") loses all its objects in the app.",
        advice: "Give it \(mappingModelFrom: version) to v9."
      )
    }
    let lines = text(versions.lines(indentation: 0))
    #expect(lines.count == 2, "\(lines)")
    #expect(lines[0].contains("v2, v3: Note loses all its objects"))
    #expect(lines[1].contains("Give it a mapping model from each of these versions to v9."))
    #expect(text([versions[0]].lines(indentation: 0))[1].contains("from v2 to v9"))
  }

  @Test func `what the app does with stores of several versions as a whole is told once`() {
    func findings(_ code: FindingCode) -> [Finding] {
      ["v2", "v3"].map { (version: String) -> Finding in
        Finding(
          code,
          .error,
          at: Finding.Place(version: version),
          message: "Unknown from \(version: version) to v9.",
          advice: "Try the app on a store of \(version: version) first."
        )
      }
    }
    let lines = text(findings(.appOutcomeUnknown).lines(indentation: 0))
    #expect(lines.count == 2, "\(lines)")
    #expect(
      lines[0].contains(
        "v2, v3: Unknown from each of these versions to v9."
      )
    )
    #expect(lines[1].contains("Try the app on a store of each of these versions first."))
    // Other findings without a subject are of one version each.
    #expect(text(findings(.unreadableVersion).lines(indentation: 0)).count == 4)
  }

  @Test func `in short a number counts what the sentence is about, and others apart`() {
    let lines = text(
      [
        finding(.typeNarrowed, ("Note", "a"), "\(.changes) from integer64 to decimal."),
        finding(.typeNarrowed, ("Note", "b"), "\(.changes) from integer64 to decimal."),
        finding(.typeNarrowed, ("Tag", "c"), "\(.changes) from integer64 to double."),
      ].lines(indentation: 0, isShort: true)
    )
    #expect(
      lines.joined(separator: " ").split(separator: " ").joined(separator: " ").hasSuffix(
        "2 properties change from integer64 to decimal: Note.a and 1 more. 1 more of WS310."
      ),
      "\(lines)"
    )
  }

  @Test func `advice that losses share stands once, below the last of them`() {
    let lines = text(
      [
        finding(
          .relationshipAdded,
          ("Note", "tag"),
          "\(.is) new and required.",
          .warning,
          risk: .additive
        ),
        finding(.attributeDropped, ("Note", "a"), "\(.is) dropped.", .warning),
        finding(.attributeDropped, ("Note", "b"), "\(.is) dropped.", .warning),
        finding(.entityDropped, ("Tag", nil), "\(.is) dropped with all \(.its) rows.", .warning),
      ].lines(indentation: 0, about: "v2")
    )
    #expect(lines[0] == "warning WS302  2 attributes are dropped: Note.a, Note.b.")
    #expect(lines[1].contains("WS301  Tag is dropped with all its rows."))
    #expect(lines[2].contains("If one was renamed"))
    #expect(lines.last == "               Keep it.")
  }

  @Test func `what is said of several things is said of each where one alone could be meant`() {
    let unique = ["a", "b"].map {
      finding(.uniquenessAdded, ("Note", $0), "\(.must) be unique.", .warning, risk: .conditional)
    }
    #expect(
      text(unique.lines(indentation: 0)) == [
        "warning WS314  v2: 2 properties must each be unique: Note.a, Note.b.",
        "               For each: keep it.",
      ]
    )
    let renamed = ["v2", "v3"].map { version in
      finding(
        .inverseChanged,
        ("Note", version),
        "\(.takes) the links of tag.",
        .warning,
        risk: .exact,
        at: version,
        remedy: "Set its \(mark: .coreData) in \(.editedVersion)."
      )
    }
    let lines = text(renamed.lines(indentation: 0))
    #expect(lines.first == "warning WS329  2 properties each take the links of tag:")
    #expect(lines.last == "               For each: set its Renaming ID in that version.")
    let entities = ["A", "B"].map {
      finding(.entityAdded, ($0, nil), "\(.is) \(.newEntity).", .note, risk: .additive)
    }
    #expect(
      text(entities.lines(indentation: 0)) == ["note    WS304  v2: 2 entities are new: A, B."]
    )
  }

  @Test func `no Renaming ID is advised for what a mapping drops`() {
    let dropped = ["a", "b"].map {
      finding(
        .relationshipDropped,
        ("Note", $0),
        "\(.is) dropped: the mapping does not read \(.it).",
        .warning,
        remedy: "If its links must stay, read it in an expression."
      )
    }
    let lines = text(dropped.lines(indentation: 0))
    #expect(
      lines.first?.contains("2 relationships are dropped: the mapping does not read them") == true
    )
    #expect(
      lines.last == "               For each: if its links must stay, read it in an expression."
    )
  }

  @Test func `findings with different effects or advice are told one by one`() {
    let lines = text(
      [
        finding(.becomesToOne, ("Note", "a"), "becomes a to-one.", .warning, risk: .conditional),
        finding(
          .becomesToOne,
          ("Note", "b"),
          "becomes a to-one.",
          .warning,
          risk: .conditional,
          remedy: "Keep b."
        ),
      ].lines(indentation: 0)
    )
    #expect(!lines.contains { $0.contains("Each of") })
    #expect(lines.contains("               Keep b."))
  }

  @Test func `short lines count what they do not name`() {
    let findings =
      ["a", "b", "c"].map { finding(.attributeDropped, ("Note", $0), "\(.is) dropped.") }
      + [
        finding(.becomesToOne, ("Note", "x"), "\(.becomes) to-one.", risk: nil),
        finding(.becomesToOne, ("Note", "y"), "becomes to-one, ordered.", risk: nil),
      ]
    #expect(
      text(findings.lines(indentation: 0, isShort: true)) == [
        "error   WS302  v2: 3 attributes are dropped: Note.a and 2 more.",
        "error   WS317  v2: Note.x becomes to-one. 1 more of WS317.",
      ]
    )
  }

  @Test func `many additions are a count unless all are asked for`() {
    let additions = (1...7).map {
      finding(.attributeAdded, ("Note", "a\($0)"), "\(.is) new.", .note, risk: .additive)
    }
    let folded = text(additions.lines(indentation: 0, isFolded: true))
    #expect(folded == ["note           New: 7 attributes; --verbose names them."])
    let all = text(additions.lines(indentation: 0))
    #expect(all.joined().contains("7 attributes are new: Note.a1, Note.a2"))
  }

  @Test func `a loss is told before a longer list of other errors, and warnings after both`() {
    let lines = text(
      [
        finding(.becomesToOne, ("Note", "x"), "becomes a to-one.", .warning, risk: .conditional),
        finding(.typeConverted, ("Note", "y"), "cannot be converted.", .error, risk: nil),
        finding(.attributeDropped, ("Note", "z"), "\(.is) dropped."),
      ].lines(indentation: 0)
    )
    let order = ["Note.z", "Note.y", "Note.x"].map { name in
      lines.firstIndex { $0.contains("\(name) ") }
    }
    #expect(order.compactMap { $0 } == order.compactMap { $0 }.sorted())
    #expect(order.allSatisfy { $0 != nil })
  }
}
