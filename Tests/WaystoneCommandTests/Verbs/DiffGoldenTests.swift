import MigrationTestSupport
import Testing
import WaystoneCommand

/// Differences between the samples' versions, as people and programs get them.
@Suite struct DiffGoldenTests {
  private func run(_ model: String, _ old: String, _ new: String, _ more: String...) -> CommandRun {
    let models = "\(SampleArchive.root)/\(model).xcdatamodeld"
    return CommandRun(["diff", old, new, "--models", models] + more)
  }

  @Test(arguments: ["Notes", "Letters"], [1, 2, 3])
  func `consecutive versions of the samples`(model: String, number: Int) throws {
    let (old, new) = ("v\(number)", "v\(number + 1)")
    let text = run(model, old, new, "--verbose")
    #expect(text.status == .success, "\(text.errors)")
    let mismatch = Golden.mismatch(text.output, "diff-\(model)-\(new).txt")
    #expect(mismatch == nil)
  }

  @Test func `a long difference for a pull request`() {
    let mismatch = Golden.mismatch(
      run("Letters", "v1", "v4", "--format", "markdown").output,
      "diff-Letters-v1-v4.md"
    )
    #expect(mismatch == nil)
  }

  @Test func `a difference for programs`() {
    let mismatch = Golden.mismatch(
      run("Notes", "v3", "v4", "--format", "json").output,
      "diff-Notes-v3-v4.json"
    )
    #expect(mismatch == nil)
  }

  @Test func `what only follows from another name is hidden, not lost`() {
    let brief = run("Letters", "v1", "v2").output
    #expect(brief.contains("--verbose shows them"))
    #expect(!brief.contains("renaming identifier"))
  }

  @Test func `an entity with another name counts once`() throws {
    try TemporaryFolder.with { folder in
      let book = SketchedModel.book([("title", "")])
      let renamed = book.replacing(#"name="Book""#, with: #"name="Volume" elementID="Book""#)
      try SketchedModel.write([("v1", book), ("v2", renamed)], into: "\(folder)/ModelArchive")
      let text = CommandRun("diff", "v1", "v2", in: folder).words
      #expect(text.contains("1 entity has another hash"), "\(text)")
    }
  }

  @Test func `Markdown and terminals get no characters that act`() throws {
    try TemporaryFolder.with { folder in
      let entities = { (name: String) in
        SketchedModel.book([("title", ""), (name, "")])
      }
      try SketchedModel.write(
        [("v1", SketchedModel.book([("title", "")])), ("v2", entities("a*b`&lt;i&gt;"))],
        into: "\(folder)/ModelArchive"
      )
      let markdown = CommandRun("diff", "v1", "v2", "--format", "markdown", in: folder)
      #expect(markdown.output.contains("- added attribute a\\*b\\`&lt;i&gt;"))
    }
  }

  @Test func `names that mean nothing are wrong usage`() throws {
    #expect(run("Notes", "v1", "v99").status == .usage)
  }
}
