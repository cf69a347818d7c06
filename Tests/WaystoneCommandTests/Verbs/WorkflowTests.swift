import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand
import Yams

/// The workflows that `init` writes, whose scripts are run as they stand.
@Suite(.enabled(if: WorkflowTools.areThere, "curl, sha256sum and xz are needed"))
struct WorkflowTests {
  /// A script of a step, under the name of the step.
  typealias Script = (name: String, text: String)

  private func yaml(_ path: String) throws -> Node {
    try #require(try Yams.compose(yaml: String(contentsOfFile: path, encoding: .utf8)))
  }

  /// The scripts of the steps for GitHub, in their order.
  private func steps(in folder: String) throws -> [Script] {
    let root = try yaml("\(folder)/.github/workflows/waystone.yml")
    return try scripts(root["jobs"]?["models"]?["steps"])
  }

  private func scripts(_ steps: Node?) throws -> [Script] {
    try #require(steps?.sequence).compactMap { step in
      step["run"]?.string.map { (step["name"]?.string ?? "", $0) }
    }
  }

  /// The variables of a job, by name.
  private func variables(_ node: Node?) throws -> [String: String] {
    try #require(node?.mapping).reduce(into: [:]) { result, pair in
      if let name = pair.key.string { result[name] = pair.value.string }
    }
  }

  /// Makes a release whose program is the one that was built with the tests.
  private func makeRelease(in folder: String) throws -> String {
    let name = "waystone-\(WaystoneProgram.version)-linux-x86_64"
    let program = ProcessRun.executable("waystone").path
    try SketchedModel.write(
      "#!/bin/sh\nexec '\(program)' \"$@\"\n",
      to: "\(folder)/release/\(name)/bin/waystone"
    )
    let made = try run(
      """
      cd release && chmod +x \(name)/bin/waystone && tar -cJf \(name).tar.xz \(name)
      rm -r \(name) && sha256sum * > ../sums && mv ../sums SHA256SUMS
      """,
      in: folder
    )
    try #require(made)
    return "file://\(folder)/release"
  }

  /// Whether a script succeeds, run as a runner does.
  private func run(
    _ script: String,
    in folder: String,
    variables: [String: String] = [:]
  ) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-e", "-c", script]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = ["PATH": "/usr/bin:/bin"].merging(variables) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Makes a `gh` that has no comment until one is posted, and notes what it is asked to write.
  private func makeGitHub(in folder: String) throws {
    try SketchedModel.write(
      """
      #!/bin/sh
      case "$*" in
        *--paginate*) [ ! -f "$ASKED/asked" ] || echo 7 ;;
        *) echo "$@" >> "$ASKED/asked" ;;
      esac

      """,
      to: "\(folder)/gh"
    )
    try #require(try run("chmod +x gh", in: folder))
  }

  /// Runs the scripts of all steps for GitHub, and returns the names of those that failed.
  private func failures(
    in folder: String,
    changing changes: [String: String] = [:]
  ) throws -> [String] {
    var variables = try variables(yaml("\(folder)/.github/workflows/waystone.yml")["env"])
    variables.merge(changes) { $1 }
    variables["RUNNER_TEMP"] = "\(folder)/temporary"
    variables["GITHUB_PATH"] = "\(folder)/path"
    variables["GITHUB_STEP_SUMMARY"] = "\(folder)/summary.md"
    variables["GITHUB_REPOSITORY"] = "team/app"
    variables["PULL"] = "12"
    variables["ASKED"] = folder
    let tools = "\(folder)/tools"
    try makeGitHub(in: tools)
    variables["PATH"] = "\(tools):/usr/bin:/bin"
    var failed: [String] = []
    for script in try steps(in: folder) {
      if let added = try? String(contentsOfFile: "\(folder)/path", encoding: .utf8) {
        let folders = added.split(separator: "\n").joined(separator: ":")
        variables["PATH"] = "\(folders):\(tools):/usr/bin:/bin"
      }
      if try !run(script.text, in: folder, variables: variables) {
        failed.append(script.name)
        // The steps after it ask whether it succeeded.
        if script.name == "Install Waystone" { break }
      }
    }
    return failed
  }

  private static let lossy = [
    ("v1", SketchedModel.book([("title", ""), ("color", "")])),
    ("v2", SketchedModel.book([("title", "")])),
  ]

  @Test func `the commands of its steps are those of this program`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: folder)
      #expect(CommandRun("init", in: folder).status == .success)
      let lines = try steps(in: folder).flatMap { $0.text.split(separator: "\n") }
      let words = lines.map { $0.split(separator: " ").prefix { $0 != "||" }.map { String($0) } }
      let commands = words.filter { $0.first == "waystone" }
      #expect(Set(commands.map { $0[1] }) == ["check", "heads", "coverage"])
      for command in commands {
        #expect(WaystoneProgram.accepts(Array(command.dropFirst())), "\(command)")
      }
      #expect(!WaystoneProgram.accepts(["check", "--fly"]))
    }
  }

  @Test func `its steps install a release, and turn green once the loss is locked`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.lossy, into: folder)
      let release = try makeRelease(in: folder)
      #expect(CommandRun("init", "--release-url", release, in: folder).status == .success)
      let red = try failures(in: folder)
      #expect(red.contains("Check models, mappings and the lock"), "\(red)")
      let files = ["check.sarif", "check.xml", "coverage.html", "coverage.sarif", "coverage.xml"]
      for file in files {
        let size = TemporaryFolder.bytes(of: "\(folder)/waystone-results/\(file)")?.count ?? 0
        #expect(size > 300, "\(file)")
      }
      let comment = try String(
        contentsOfFile: "\(folder)/waystone-results/comment.md",
        encoding: .utf8
      )
      #expect(comment.hasPrefix("<!-- waystone -->") && comment.contains("WS302"), "\(comment)")
      #expect(CommandRun("lock", "--all", in: folder).status == .success)
      #expect(try failures(in: folder) == [])
      // The second run writes the comment of the first anew.
      let asked = try String(contentsOfFile: "\(folder)/asked", encoding: .utf8)
      let places = asked.split(separator: "\n").map { $0.split(separator: " ")[2...3] }
      #expect(
        places.map { $0.joined(separator: " ") } == [
          "POST repos/team/app/issues/12/comments", "PATCH repos/team/app/issues/comments/7",
        ]
      )
    }
  }

  @Test func `the action has the steps of the workflow, and its release`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: folder)
      #expect(CommandRun("init", in: folder).status == .success)
      let action = try yaml(SampleArchive.root + "/../Scripts/action/action.yml")
      let steps = try scripts(action["runs"]?["steps"])
      let workflow = try self.steps(in: folder)
      #expect(steps.map(\.name) == workflow.map(\.name))
      for (step, other) in zip(steps, workflow) {
        let message = "Scripts/action: set the input url to"
        #expect(
          step.text.replacing(message, with: ".github/workflows/waystone.yml: set WAYSTONE_URL to")
            == other.text
        )
      }
      #expect(action["inputs"]?["version"]?["default"]?.string == WaystoneProgram.version)
    }
  }

  @Test func `an archive of another digest is not run`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: folder)
      let release = try makeRelease(in: folder)
      #expect(CommandRun("init", "--release-url", release, in: folder).status == .success)
      let pin = String(repeating: "0", count: 64)
      #expect(try failures(in: folder, changing: ["WAYSTONE_SHA256": pin]) == ["Install Waystone"])
      #expect(try failures(in: folder) == [])
      let sums = "\(folder)/release/SHA256SUMS"
      try SketchedModel.write(pin + "  x.tar.xz\n", to: sums)
      #expect(try failures(in: folder) == ["Install Waystone"])
    }
  }

  @Test func `without an address the workflow fails, and init says what to fill in`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: folder)
      let run = CommandRun("init", in: folder)
      #expect(run.words.contains("Set WAYSTONE_URL in .github/workflows/waystone.yml"))
      #expect(try failures(in: folder) == ["Install Waystone"])
    }
  }

  @Test func `GitLab's job installs a release, and turns green once the loss is locked`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.lossy, into: folder)
      let release = try makeRelease(in: folder)
      let begun = CommandRun("init", "--ci", "gitlab", "--release-url", release, in: folder)
      #expect(begun.status == .success, "\(begun.errors)")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/.github"))
      let included = try yaml("\(folder)/.gitlab-ci.yml")["include"]?[0]?["local"]?.string
      let job = try #require(yaml("\(folder)\(included ?? "")")["waystone"])
      let scripts = ["before_script", "script"]
        .flatMap { key in job[key]?.sequence?.compactMap(\.string) ?? [] }
      var variables = try variables(job["variables"])
      variables["CI_PROJECT_DIR"] = folder
      func isGreen() throws -> Bool {
        try run(scripts.joined(separator: "\n"), in: folder, variables: variables)
      }
      #expect(scripts.count == 2)
      #expect(try !isGreen())
      #expect(TemporaryFolder.names(in: "\(folder)/waystone-results").count == 5)
      #expect(CommandRun("lock", "--all", in: folder).status == .success)
      #expect(try isGreen())
    }
  }

  @Test func `a .gitlab-ci.yml that is there is kept, and init says what it has to include`() throws
  {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: folder)
      try SketchedModel.write("stages: [test]\n", to: "\(folder)/.gitlab-ci.yml")
      let run = CommandRun("init", in: folder)
      #expect(run.words.contains("`include: [{local: /.gitlab/waystone.yml}]`"), "\(run.output)")
      let kept = try String(contentsOfFile: "\(folder)/.gitlab-ci.yml", encoding: .utf8)
      #expect(kept == "stages: [test]\n")
    }
  }

  @Test func `no workflow is written where none is wanted`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: folder)
      #expect(CommandRun("init", "--ci", "none", in: folder).status == .success)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/.github"))
      #expect(CommandRun("init", "--ci", "none", in: folder).errors.contains("exists already"))
    }
  }

  @Test(arguments: ["example.com/w", "https://a b", "javascript:x"])
  func `what is no address is refused`(address: String) throws {
    try TemporaryFolder.with { folder in
      let run = CommandRun("init", "--release-url", address, in: folder)
      #expect(run.status == .usage)
      #expect(TemporaryFolder.names(in: folder).isEmpty)
    }
  }
}

/// The programs that the workflows' scripts call.
private enum WorkflowTools {
  static var areThere: Bool {
    ["curl", "sha256sum", "xz"].allSatisfy { name in
      ["/usr/bin", "/bin"].contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
      }
    }
  }
}
