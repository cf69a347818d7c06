import Foundation
import MigrationTestSupport
import Testing

extension FollowedAdviceTests {
  /// Advice about steps that lose data, fail, or break a rule of CloudKit's, and about the lock.
  static let ofSteps: [Advice] = [
    Advice(
      code: "WS301",
      words: "accept it with a reason in waystone.yml",
      old: note(text("title")) + tag(text("x")),
      new: note(text("title")),
      edit: .printedAcceptance
    ),
    Advice(
      code: "WS209",
      words: #"set the Renaming ID of Label to "Tag""#,
      old: note(text("title")) + tag(text("x")),
      new: note(text("title")) + #"<entity name="Label" syncable="YES">\#(text("x"))</entity>"#,
      edit: .version(#"name="Label""#, #"name="Label" elementID="Tag""#)
    ),
    Advice(
      code: "WS303",
      words: #"set the Renaming ID of Other to "Tag""#,
      old: note(link("tags", "Tag", inverse: "notes"))
        + tag(link("notes", "Note", inverse: "tags")),
      new: note(link("tags", "Other", inverse: "notes"))
        + #"<entity name="Other" syncable="YES">\#(link("notes", "Note", inverse: "tags"))</entity>"#,
      edit: .version(#"<entity name="Other""#, #"<entity name="Other" elementID="Tag""#)
    ),
    Advice(
      code: "WS310",
      words: "keep the type",
      old: note(attribute("n", "Integer 64")),
      new: note(attribute("n", "Integer 16")),
      edit: .version("Integer 16", "Integer 64")
    ),
    Advice(
      code: "WS310",
      words: "If all rows fit, accept it with a reason in waystone.yml",
      old: note(attribute("n", "Double")),
      new: note(attribute("n", "Integer 32")),
      edit: .printedAcceptance
    ),
    Advice(
      code: "WS314",
      words: "If all rows fit, accept it with a reason in waystone.yml",
      old: note(text("title")),
      new: note(text("title") + unique("title")),
      edit: .printedAcceptance
    ),
    Advice(
      code: "WS315",
      words: "keep the bounds",
      old: note(link("tag", "Tag", isToMany: false, inverse: "notes"))
        + tag(link("notes", "Note", inverse: "tag")),
      new: note(
        link("tag", "Tag", isToMany: false, inverse: "notes").replacing(
          #"optional="YES""#,
          with: ""
        )
      ) + tag(link("notes", "Note", inverse: "tag")),
      edit: .version(#"name="tag" "#, #"name="tag" optional="YES" "#)
    ),
    Advice(
      code: "WS317",
      words: "If all rows fit, accept it with a reason in waystone.yml",
      old: note(link("tags", "Tag", inverse: "notes"))
        + tag(link("notes", "Note", inverse: "tags")),
      new: note(link("tags", "Tag", isToMany: false, inverse: "notes"))
        + tag(link("notes", "Note", inverse: "tags")),
      edit: .printedAcceptance
    ),
    Advice(
      code: "WS319",
      words: "If the loss is meant, accept it with a reason in waystone.yml",
      old: note(
        link("tags", "Tag", inverse: "notes").replacing("toMany=", with: #"ordered="YES" toMany="#)
      ) + tag(link("notes", "Note", inverse: "tags")),
      new: note(link("tags", "Tag", inverse: "notes"))
        + tag(link("notes", "Note", inverse: "tags")),
      edit: .printedAcceptance
    ),
    Advice(
      code: "WS326",
      words: "keep it persistent",
      old: note(text("title") + text("x")),
      new: note(text("title") + text("x", #"transient="YES""#)),
      edit: .version(#"transient="YES""#, "")
    ),
    Advice(
      code: "WS331",
      words: "If all rows fit, accept it with a reason in waystone.yml",
      old: note(attribute("d", "Transformable", #"valueTransformerName="A""#)),
      new: note(attribute("d", "Transformable", #"valueTransformerName="B""#)),
      edit: .printedAcceptance
    ),
    Advice(
      code: "WS707",
      words: "keep it concrete",
      old: note(text("title")),
      new: note(text("title")).replacing(#"syncable="YES""#, with: #"isAbstract="YES""#),
      edit: .version(#"isAbstract="YES""#, "")
    ),
    Advice(
      code: "WS707",
      words: "Make it optional, or give it a default in the model",
      old: note(text("title")),
      new: note(text("title") + #"<attribute name="x" attributeType="String"/>"#),
      edit: .version(#"name="x""#, #"name="x" optional="YES""#)
    ),
    Advice(
      code: "WS707",
      words: "Make it optional, or give it a default in the model",
      old: note(text("title")),
      new: note(text("title") + #"<attribute name="x" attributeType="String"/>"#),
      edit: .version(#"name="x""#, #"name="x" defaultValueString="none""#)
    ),
    Advice(
      code: "WS215",
      words: "give each relationship an inverse of its own",
      old: note(text("title")),
      new: note(text("title") + link("tag", "Tag", inverse: "x"))
        + tag(link("notes", "Note", inverse: "tag")),
      edit: .version(#"inverseName="x""#, #"inverseName="notes""#)
    ),
    Advice(
      code: "WS109",
      words: "Rename one of them.",
      old: note(text("title")),
      new: note(text("title") + text("x") + text("x", #"defaultValueString="2""#)),
      edit: .version(
        #"name="x" optional="YES" attributeType="String" default"#,
        #"name="y" default"#
      )
    ),
    Advice(
      code: "WS710",
      words: "Run `waystone lock`",
      old: note(text("title")),
      new: note(text("title") + text("x")),
      edit: .command(["lock"])
    ),
    Advice(
      code: "WS901",
      words: "Remove the constraint",
      old: note(text("title")),
      new: note(text("title") + text("x") + unique("x")),
      edit: .version(unique("x"), ""),
      settings: "cloudKit: true"
    ),
    Advice(
      code: "WS906",
      words: "Make it optional, or give it a default value",
      old: note(text("title")),
      new: note(text("title") + #"<attribute name="x" attributeType="String"/>"#),
      edit: .version(#"name="x""#, #"name="x" optional="YES""#),
      settings: "cloudKit: true"
    ),
  ]

  private static func note(_ contents: String) -> String { Advice.note(contents) }
  private static func tag(_ contents: String) -> String { Advice.tag(contents) }
  private static func text(_ name: String, _ more: String = "") -> String {
    Advice.text(name, more)
  }

  private static func link(
    _ name: String,
    _ entity: String,
    isToMany: Bool = true,
    inverse: String? = nil
  ) -> String {
    Advice.link(name, entity, isToMany: isToMany, inverse: inverse)
  }

  private static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    #"<attribute name="\#(name)" optional="YES" attributeType="\#(type)" \#(more)/>"#
  }

  private static func unique(_ name: String) -> String {
    #"<uniquenessConstraints><uniquenessConstraint><constraint value="\#(name)"/>"#
      + "</uniquenessConstraint></uniquenessConstraints>"
  }

  @Test func `a current version that waystone.yml names is no longer unknown`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      let mark = "\(folder)/ModelArchive/Library.xcdatamodeld/.xccurrentversion"
      try FileManager.default.removeItem(atPath: mark)
      let before = project.run("check", "--verbose")
      #expect(before.output.contains(" WS104 "), "\(before.output)")
      #expect(before.words.contains("Or write `current: v10` in waystone.yml"), "\(before.output)")
      try project.configure("models: ModelArchive\ncurrent: v10\n")
      let after = project.run("check", "--verbose")
      #expect(!after.output.contains(" WS104 "), "\(after.output)")
    }
  }
}
