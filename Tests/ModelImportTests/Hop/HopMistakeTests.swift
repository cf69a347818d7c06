import ModelImport
import ObjectModel
import Testing

struct HopMistakeTests {
  @Test(arguments: [
    ("entity: x", "3: There is no key `entity` in the file. The keys are from, to, notes,"),
    ("entities:\n  - sorce: Note", "4: There is no key `sorce` in an entity."),
    ("entities:\n  - source: Notes", "4: The destination version has no entity Notes. Is Note"),
    ("entities:\n  - {source: Tag}", "4: The source version has no entity Tag. Known are Draft,"),
    (
      "entities:\n  - {source: Note, attributes: {name: 1}}",
      "4: Note has no property name. Known are"
    ),
    (
      "entities:\n  - source: Note\n    attributes:\n      title: $source.titel",
      "6: title reads $source.titel, which Note does not have."
    ),
    (
      "entities:\n  - source: Note\n    attributes:\n      title: untitled",
      "6: title reads untitled, which belongs to no object. Write $source.untitled, or quote it"
    ),
    (
      "entities:\n  - source: Note\n    attributes:\n      title: $piece",
      "6: title reads $piece, which has no value here."
    ),
    (
      "entities:\n  - source: Note\n    attributes:\n      title: \"(1 +\"",
      "6: The expression of title cannot be read (column"
    ),
    ("entities:\n  - source: Note\n    where: a ==", "5: The condition cannot be read (column"),
    ("entities:\n  - source: Note\n    where: titel == 1", "5: The condition names titel, which"),
    (
      "entities:\n  - source: Note",
      "4: Note.year is of the type integer32, and year in the source of the type string"
    ),
    ("", "1: Note.year is of the type integer32"),
    (
      "entities:\n  - {source: Note, attributes: {year: null}}\n  - {source: Note, attributes: "
        + "{year: null}}",
      "5: Two entity mappings are called NoteToNote. Give one"
    ),
    (
      "entities:\n  - source: Note\n    attributes: {year: null}\n    relationships:\n"
        + "      tags: {mapping: Nothing}",
      "7: No entity mapping is called Nothing."
    ),
    (
      "entities:\n  - source: Note\n    destination: Tag\n    deduplicate: [nam]",
      "6: Tag has no attribute nam to tell its objects apart by. Is name meant?"
    ),
    ("entities:\n  - {source: Note, destination: Tag, split: {text: a}}", "4: A split needs a"),
    ("entities:\n  - source: Note\n  - drop: Note", "5: Note is dropped here, and another entry"),
    ("entities:\n  - {drop: Draft, source: Note}", "4: Nothing else can stand beside `drop`."),
    ("entities:\n  - {destination: Tag, where: a == 1}", "4: `where` stands at Tag, of which no"),
    ("others: keep", "3: `others` must be carry or drop."),
    ("from: v1", "`from` stands twice"),
    ("notes: &a [x]", "3: Hop files have no anchors."),
    ("notes: [", "This is not YAML"),
  ])
  func `a mistake is told with its line and what to do`(body: String, message: String) throws {
    let error = try #require(try HopFile().error(body))
    #expect(error.hasPrefix("v1-to-v2.hop.yml:"))
    #expect(error.contains(message), "\(error)")
  }

  @Test func `versions that nobody knows are named with those that are known`() throws {
    let file = try HopFile()
    func error(_ text: String) -> String {
      do {
        _ = try MappingImporter.importMapping(hop: text, file: "a.hop.yml", models: file.models)
        return ""
      } catch { return "\(error)" }
    }
    #expect(error("from: v0\nto: v2") == "a.hop.yml:1: No version is called v0. Known are v1, v2.")
    #expect(error("to: v2").contains("does not say from which version"))
    #expect(error("from: v1\nto: v1").contains("have the same hashes"))
    #expect(error("").contains("The file is empty."))
    #expect(error("- a").contains("`the file` must be keys and values."))
  }

  @Test(arguments: [
    String(repeating: "[", count: 20_000), String(repeating: "- ", count: 20_000),
    "notes: " + String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
    String(repeating: "#", count: 2 << 20), "a: b: c", "\u{0}", "? [a]\n: b",
  ])
  func `hostile files are refused`(text: String) throws {
    let models = try HopFile().models
    #expect(throws: ModelImportError.self) {
      try MappingImporter.importMapping(hop: text, file: "a.hop.yml", models: models)
    }
  }
}
