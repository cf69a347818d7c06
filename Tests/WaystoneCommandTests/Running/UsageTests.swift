import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite struct UsageTests {
  @Test func `without arguments it teaches`() {
    let run = CommandRun()
    #expect(run.status == .success)
    #expect(run.output.contains("waystone migrate Store.sqlite --to v4"))
    #expect(run.errors.isEmpty)
  }

  @Test func `help and version are results, not errors`() {
    for arguments in [["--help"], ["--version"], ["help", "versions"], ["versions", "-h"]] {
      let run = CommandRun(arguments)
      #expect(run.status == .success, "\(arguments)")
      #expect(!run.output.isEmpty && run.errors.isEmpty, "\(arguments)")
    }
    #expect(CommandRun("--version").output == "\(WaystoneProgram.version)\n")
    let parts = CommandRun("--version", "--verbose")
    #expect(parts.status == .success)
    let lines = parts.output.split(separator: "\n").map {
      $0.split(separator: " ").map { String($0) }
    }
    #expect(lines.map(\.first) == ["waystone", "commit", "SQLite", "libxml2", "Swift"])
    for line in lines where line[0] != "commit" {
      #expect(line[1].wholeMatch(of: /[0-9]+(\.[0-9]+){1,2}/) != nil, "\(line)")
    }
  }

  @Test(arguments: [
    ["vers"], ["versions", "--nope"], ["versions", "--format", "yaml"], ["versions", "extra"],
    ["versions", "-q", "-v"], ["versions", "--models"],
  ])
  func `wrong usage is status 2`(arguments: [String]) {
    let run = CommandRun(arguments)
    #expect(run.status == .usage)
    #expect(run.errors.hasPrefix("error: "))
    #expect(run.output.isEmpty)
  }

  @Test func `wrong usage is told to programs too`() throws {
    let run = CommandRun("versions", "--nope", "--format", "json")
    let json = try run.json()
    #expect(json["schema"] as? String == "waystone.error/1")
    #expect(json["exit"] as? Int == 2)
    #expect(run.errors.hasPrefix("error: "))
  }

  @Test func `the numbers of exit statuses never change`() {
    #expect(CommandStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 65, 66, 73, 74])
  }

  @Test func `a full standard output is an input-output error`() {
    let console = Console(
      writeBytes: { _ in false },
      writeError: { _ in },
      workingDirectory: "/"
    )
    #expect(WaystoneProgram.run(["--version"], on: console) == .inputOutput)
  }

  @Test func `completions come for each shell`() {
    for shell in ["bash", "zsh", "fish"] {
      let run = CommandRun("--generate-completion-script", shell)
      #expect(run.status == .success)
      #expect(run.output.contains("versions"))
    }
  }

  @Test func `the process ends with the same status`() throws {
    let wrong = try ProcessRun("versions", "--nope")
    #expect(wrong.status == 2)
    #expect(wrong.errors.hasPrefix("error: "))
    let right = try ProcessRun("--version")
    #expect(right.status == 0)
    #expect(right.output == "\(WaystoneProgram.version)\n")
  }

  @Test func `an argument that is not UTF-8 is shown with its bytes escaped`() {
    let text = WaystoneProgram.notUTF8(Array("caf".utf8) + [0xe9, 0x0a] + Array(".sqlite".utf8))
    #expect(text.contains("“caf\\xE9\\x0A.sqlite” is not UTF-8"), "\(text)")
  }
}
