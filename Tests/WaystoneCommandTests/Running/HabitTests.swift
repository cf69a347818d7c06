import Files
import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Expectations of users of a command that they did not read about.
@Suite struct HabitTests {
  private static let models = "\(SampleArchive.root)/Letters.xcdatamodeld"

  @Test(arguments: ["html", "json", "xml", "sarif", "md", "mmd", "dot", "txt"])
  func `the end of a file's name tells the format, and our reports are written over`(
    end: String
  ) throws {
    try TemporaryFolder.with { folder in
      let arguments = ["coverage", "--models", Self.models, "-o", "report.\(end)"]
      let first = CommandRun(arguments, in: folder)
      #expect(first.status == .answerIsNo && first.output.contains("is written"), "\(first)")
      let text = try String(contentsOfFile: "\(folder)/report.\(end)", encoding: .utf8)
      let named = ["xml": "junit", "md": "markdown", "mmd": "mermaid", "txt": "text"][end] ?? end
      let other = CommandRun(
        ["coverage", "--models", Self.models, "--format", named, "-o", "other"],
        in: folder
      )
      #expect(other.status == .answerIsNo)
      #expect(try text == String(contentsOfFile: "\(folder)/other", encoding: .utf8))
      let again = CommandRun(arguments, in: folder)
      #expect(again.status == .answerIsNo, "\(again.errors)")
      // What is no report of ours stays as it is, and so does what quotes one.
      for notes in ["my notes", "my notes\n\(text)\nthe end\n"] {
        try TemporaryFolder.write(Array(notes.utf8), to: "\(folder)/report.\(end)")
        let refused = CommandRun(arguments, in: folder)
        #expect(refused.status == .cannotCreate && refused.errors.contains("did not write it"))
        #expect(try String(contentsOfFile: "\(folder)/report.\(end)", encoding: .utf8) == notes)
      }
    }
  }

  @Test(arguments: ["html", "json", "mmd", "dot", "txt"])
  func `a graph is written to a file whose end tells the format`(end: String) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      let file = "versions.\(end)"
      for _ in 1...2 {
        let run = project.run("graph", "--models", "ModelArchive", "--output", file)
        #expect(run.status == .success, "\(run.errors)")
      }
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      #expect(text.contains("v10"))
      #expect(!text.contains("<h2>The app would</h2>"))
    }
  }

  @Test func `a check is written to a file, too`() throws {
    try TemporaryFolder.with { folder in
      let run = CommandRun("check", "--models", SampleArchive.root, "-o", "check.sarif", in: folder)
      #expect(run.output.contains("check.sarif is written"), "\(run.output)\(run.errors)")
      let text = try String(contentsOfFile: "\(folder)/check.sarif", encoding: .utf8)
      #expect(text.contains("\"version\": \"2.1.0\""))
    }
  }

  @Test func `a folder and a configuration can be named`() throws {
    try TemporaryFolder.with { folder in
      try FileSystem.ensureFolder("\(folder)/project")
      try TemporaryFolder.write(
        Array("models: \(Self.models)\ncurrent: v2\n".utf8),
        to: "\(folder)/project/other.yml"
      )
      let run = CommandRun("versions", "-C", "project", "--config", "other.yml", in: folder)
      #expect(run.status == .success && run.output.contains("v2"), "\(run.errors)")
      let missing = CommandRun("versions", "-C", "nowhere", in: folder)
      #expect(missing.status == .missingInput && missing.errors.contains("no folder nowhere"))
      let both = CommandRun("versions", "--config", "a.yml", "--models", "b", in: folder)
      #expect(both.status == .usage)
    }
  }

  @Test func `a dry run says what a run would, and writes nothing`() throws {
    try TemporaryFolder.with { folder in
      let made = CommandRun("generate", "v1", "-o", "S.sqlite", "--models", Self.models, in: folder)
      try #require(made.status == .success)
      let before = try FileSystem.names(inFolder: folder)
      let arguments = ["migrate", "S.sqlite", "--to", "v4", "--models", Self.models, "--dry-run"]
      let run = CommandRun(arguments, in: folder)
      #expect(run.status == .success && run.output.contains("v3"), "\(run.errors)")
      let unknown = CommandRun(["migrate", "S.sqlite", "--to", "v9", "--dry-run"], in: folder)
      #expect(unknown.status != .success)
      #expect(try FileSystem.names(inFolder: folder) == before)
    }
  }

  @Test func `a mistyped verb is answered with the one that was meant`() {
    let run = CommandRun("migrat", "S.sqlite")
    #expect(run.status == .usage && run.errors.contains("Did you mean `waystone migrate`?"))
    #expect(!CommandRun("xyzzy").errors.contains("Did you mean"))
  }

  @Test(arguments: ["exit-codes", "findings", "hop-files"])
  func `help has topics besides the verbs`(topic: String) {
    let run = CommandRun("help", topic)
    #expect(run.status == .success && run.output.count > 300, "\(run.errors)")
  }

  @Test func `each exit code is explained`() {
    let output = CommandRun("help", "exit-codes").output
    for status in CommandStatus.allCases { #expect(output.contains("\(status.rawValue)  ")) }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completions and the manual page are printed or installed`(shell: String) throws {
    try TemporaryFolder.with { folder in
      let printed = CommandRun("completions", shell, in: folder)
      #expect(printed.status == .success && printed.output.contains("coverage"))
      let installed = CommandRun(
        ["completions", shell, "--install"],
        in: folder,
        environment: ["HOME": folder]
      )
      #expect(installed.status == .success, "\(installed.errors)")
      let page = try String(
        contentsOfFile: "\(folder)/.local/share/man/man1/waystone.1",
        encoding: .utf8
      )
      for verb in WaystoneProgram.verbs { #expect(page.contains("waystone \(verb)")) }
      #expect(page.hasPrefix(".TH WAYSTONE 1"))
    }
  }
}
