import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct ModelDifferenceTests {
  private func difference(_ old: String, _ new: String) throws -> ModelDifference {
    ModelDifference(from: try ModelSketch.model(old), to: try ModelSketch.model(new))
  }

  /// The changes in a few words, as `changed Note.title optional no>yes #`, where `#` marks those
  /// that the hash sees and `(…)` those that only follow from another name.
  private func words(_ difference: ModelDifference) -> [String] {
    difference.changes.map { change in
      let place = [change.entityName, change.name].compactMap { $0 }.joined(separator: ".")
      let values = [change.old, change.new].map { $0 ?? "" }.joined(separator: ">")
      let parts = [
        change.action.rawValue, place, change.aspect?.rawValue, values == ">" ? nil : values,
        change.changesHash ? "#" : nil,
      ]
      let text = parts.compactMap { $0 }.joined(separator: " ")
      return change.isConsequence ? "(\(text))" : text
    }
  }

  @Test func `a version does not differ from itself`() throws {
    let text = "Note { title: String = a; owner -> Person.notes } Person { notes ->> Note.owner }"
    let same = try difference(text, text)
    #expect(same.isEmpty && !same.changesHashes)
  }

  @Test func `what an attribute declares is compared piece by piece`() throws {
    let found = try difference(
      "Note { a: Int16; b: String?; c: Binary; d: String = x; e: String }",
      "Note { a: Int32; b: String; c: Binary external; d: String = y; e: String transient }"
    )
    #expect(
      words(found) == [
        "changed Note.a type integer16>integer32 #", "changed Note.b optional yes>no #",
        "changed Note.c externalStorage no>yes #",
        #"changed Note.d defaultValue "x">"y""#, "changed Note.e transient no>yes #",
      ]
    )
    #expect(found.rehashedEntityNames == ["Note"])
  }

  @Test func `a default alone is a change that no store can see`() throws {
    let found = try difference("Note { d: String = x }", "Note { d: String = y }")
    #expect(found.changes.map(\.changesHash) == [false])
    #expect(!found.changesHashes)
  }

  @Test func `a rename by identifier carries its consequences`() throws {
    let found = try difference(
      "Note { owner -> Person.notes } Person { notes ->> Note.owner } Child : Person { }",
      "Note { owner -> Human.memos } Human was Person { memos ->> Note.owner was notes }"
        + " Child : Human { }"
    )
    #expect(
      words(found) == [
        "(moved Child superentity Person>Human #)",
        "renamed Human Person>Human #",
        "(changed Human renamingIdentifier >Person)",
        "renamed Human.memos notes>memos #",
        "(changed Human.memos renamingIdentifier >notes)",
        "(changed Note.owner destination Person>Human #)",
        "(changed Note.owner inverse notes>memos #)",
      ]
    )
  }

  @Test func `a rename without identifier is a suspicion beside removal and addition`() throws {
    let found = try difference(
      "Note { pinned: Boolean; text: String }",
      "Note { isPinned: Boolean; number: Int16 }"
    )
    #expect(
      words(found) == [
        "added Note.isPinned #", "added Note.number #", "removed Note.pinned #",
        "removed Note.text #", "suspectedRename Note.isPinned pinned>isPinned #",
      ]
    )
    let suspicion = try #require(found.changes.last)
    #expect(try #require(suspicion.similarity) > 0.8)
  }

  @Test func `an entity that holds the same is suspected under its new name`() throws {
    let found = try difference(
      "Car { wheels: Int16; color: String; owner: String }",
      "Automobile { wheels: Int16; color: String; owner: String }"
    )
    #expect(
      words(found) == [
        "added Automobile #", "suspectedRename Automobile Car>Automobile #", "removed Car #",
      ]
    )
  }

  @Test func `a property that an ancestor takes over has moved`() throws {
    let up = try difference(
      "Item { } Note : Item { title: String } Photo : Item { title: String }",
      "Item { title: String } Note : Item { } Photo : Item { }"
    )
    #expect(words(up) == ["moved Note.title Note>Item #", "moved Photo.title Photo>Item #"])
    let down = try difference(
      "Item { title: String? } Note : Item { } Photo : Item { }",
      "Item { } Note : Item { title: String } Photo : Item { title: String? }"
    )
    #expect(
      words(down) == [
        "moved Note.title Item>Note #", "changed Note.title optional yes>no #",
        "moved Photo.title Item>Photo #",
      ]
    )
    let orphaned = try difference(
      "Item { title: String } Note : Item { }",
      "Note { title: String }"
    )
    #expect(
      words(orphaned) == [
        "removed Item #", "moved Note superentity Item> #", "moved Note.title Item>Note #",
      ]
    )
  }

  @Test func `an entity with another parent has moved`() throws {
    let found = try difference(
      "Item { } Note { title: String }",
      "Item { } Note : Item { title: String }"
    )
    #expect(words(found) == ["moved Note superentity >Item #"])
  }

  @Test func `relationships differ in count, order, inverse and rule`() throws {
    let found = try difference(
      "A { b -> B.a } B { a -> A.b; c ->> B }",
      "A { b ->> B.a } B { a -> A.b; c ->> B ordered max 3 }"
    )
    #expect(
      words(found) == [
        "changed A.b cardinality to-one>to-many #", "changed B.c ordered no>yes #",
        "changed B.c maxCount >3 #",
      ]
    )
  }

  @Test func `an attribute that becomes a relationship is of another kind`() throws {
    let found = try difference("A { b: String }", "A { b -> A }")
    #expect(words(found) == ["changed A.b kind attribute>relationship #"])
  }

  @Test func `constraints in another order are no change of the hash`() throws {
    let found = try difference(
      "A { b: String; c: String; unique b; unique c }",
      "A { b: String; c: String; unique c; unique b }"
    )
    #expect(found.changes.map(\.aspect) == [.uniquenessConstraints])
    #expect(found.changes.map(\.changesHash) == [false])
  }
}
