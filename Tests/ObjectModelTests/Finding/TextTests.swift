import ObjectModel
import Testing

/// A finding's text keeps apart from its words what readers ask of it.
struct TextTests {
  private let renaming: Finding.Text =
    "Set its \(mark: .swiftData) to \"a\", in \(.editedVersion) and all later ones"
  private let dropped: Finding.Text =
    "\(subject: "Note.a") \(.is) dropped with \(.its) rows; \(areNew: ["b", "c", "d"])."
  private let advised: Finding.Text =
    "Give \(mappingModelFrom: "v1") to v9, or try `plan \(argument: "v1")` on a store of \(version: "v1")."

  @Test func `advice names the version to edit as the reader does`() {
    #expect(
      renaming.text == "Set its originalName to \"a\", in this version and all later ones"
    )
    #expect(renaming.editing("v2").text.hasSuffix("in v2 and all later ones"))
  }

  @Test func `advice is known by its values and not by its words`() {
    #expect(renaming.mark == .swiftData)
    #expect(Finding.Text("Read originalName in an expression.").mark == nil)
    #expect(Finding.Text.giveValue(.coreData, .string).givesDefault)
    let longer: Finding.Text = "\(.giveValue(.coreData, .string)) Or accept it."
    #expect(longer.givesDefault)
    let mapping: Finding.Text = "Or \(mapping: "write a mapping")."
    #expect(mapping.givesMapping && !longer.givesMapping)
    #expect(!Finding.Text("Give it a default.").givesDefault)
  }

  @Test func `a text keeps its values where more is said`() {
    let more: Finding.Text = "\(renaming). \("If the loss is meant"), accept it."
    #expect(more.mark == .swiftData)
    #expect(
      more.editing("v2").text.hasSuffix(
        "in v2 and all later ones. If the loss is meant, accept it."
      )
    )
    #expect(Finding.Text([dropped, renaming]).candidates == ["b", "c", "d"])
  }

  @Test func `a sentence agrees with the number of its things`() throws {
    #expect(dropped.text == "Note.a is dropped with its rows; b, c and d are new.")
    let place = Finding.Place(entity: "Note", property: "a")
    let rest = try #require(dropped.predicate(at: place))
    #expect(
      rest.sentence(on: "2 attributes")
        == "2 attributes are dropped with their rows; b, c and d are new"
    )
    #expect(dropped.begins(with: place))
    #expect(dropped.predicate(at: Finding.Place(entity: "Note")) == nil)
  }

  @Test func `a sentence whose verb is plain words is of each of several things`() throws {
    let text: Finding.Text = "\(subject: "Note") keeps \(.its) rows."
    let rest = try #require(text.predicate(at: Finding.Place(entity: "Note")))
    #expect(rest.sentence(on: "2 entities") == "Each of 2 entities keeps its rows")
    let named: Finding.Text = "\(subject: "Note"), an entity, is new."
    #expect(named.predicate(at: Finding.Place(entity: "Note")) == nil)
  }

  @Test func `a version is another one, or several, where it is a value`() {
    #expect(
      advised.naming("v1", as: .version("v 2")).text
        == "Give a mapping model from v 2 to v9, or try `plan 'v 2'` on a store of v 2."
    )
    #expect(
      advised.naming("v1", as: .versions("these versions", models: 2, areShared: true)).text
        == "Give 2 mapping models, one from each of these versions (versions with the same hashes share one), "
        + "to v9, or try `plan VERSION` on a store of these versions."
    )
    #expect(advised.naming("v", as: .version("w")) == advised)
    let label: Finding.Text = "\(version: "v1", label: "v1 (= v0)") is v1."
    #expect(label.naming("v1", as: .versions("each")).text == "each is v1.")
    #expect(label.words(around: "v1") == ["", " is v1."])
  }

  @Test func `a text that goes on after a colon begins small, and a name or code does not`() {
    #expect(Finding.Text("Keep it.").clause.text == "keep it.")
    #expect(Finding.Text.giveValue(.coreData, .string).clause.text.hasPrefix("give it a default"))
    #expect(Finding.Text("WS405 says so.").clause.text == "WS405 says so.")
    #expect(dropped.clause.text == dropped.text)
  }

  @Test func `findings of equal texts are equal`() {
    var finding = Finding(.attributeDropped, .warning, message: "a is dropped.", remedy: "")
    finding.advice = renaming
    var other = finding
    other.remedy = renaming.text
    #expect(finding == other)
    #expect(Set([finding, other]).count == 1)
  }
}
