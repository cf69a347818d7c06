import ObjectModel
import Testing

/// Advice keeps apart from its words what readers ask of it.
struct AdviceTests {
  private let renaming: Finding.Advice =
    "Set its \(mark: .swiftData) to \"a\", in \(.editedVersion) and all later ones"

  @Test func `advice names the version to edit as the reader does`() {
    #expect(
      renaming.text == "Set its originalName to \"a\", in this version and all later ones"
    )
    #expect(renaming.text(editing: "v2").hasSuffix("in v2 and all later ones"))
  }

  @Test func `advice is known by its values and not by its words`() {
    #expect(renaming.mark == .swiftData)
    #expect(Finding.Advice("Read originalName in an expression.").mark == nil)
    #expect(Finding.Advice.giveDefault(.coreData).givesDefault)
    let longer: Finding.Advice = "\(.giveDefault(.coreData)) Or accept it."
    #expect(longer.givesDefault)
    #expect(!Finding.Advice("Give it a default.").givesDefault)
  }

  @Test func `advice keeps its values where more is said`() {
    let more: Finding.Advice = "\(renaming). \("If the loss is meant"), accept it."
    #expect(more.mark == .swiftData)
    #expect(
      more.text(editing: "v2").hasSuffix(
        "in v2 and all later ones. If the loss is meant, accept it."
      )
    )
  }

  @Test func `words are replaced across the parts of a literal`() {
    let version = "v1"
    let advice: Finding.Advice = "Give it a mapping model from \(version) to v9."
    let other = advice.mapWords { $0.replacing("from v1 to ", with: "from v2 to ") }
    #expect(other == "Give it a mapping model from v2 to v9.")
  }

  @Test func `findings of equal advice are equal`() {
    var finding = Finding(.attributeDropped, .warning, message: "a is dropped.", remedy: "")
    finding.advice = renaming
    var other = finding
    other.remedy = renaming.text
    #expect(finding == other)
    #expect(Set([finding, other]).count == 1)
  }
}
