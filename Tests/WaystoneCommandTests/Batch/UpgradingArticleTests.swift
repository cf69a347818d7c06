import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// The article on upgrading an archive, whose commands are run as they stand, from its top to its end.
@Suite struct UpgradingArticleTests {
  /// A command of the article, with what it is to print.
  private struct Command {
    var line: String
    var output: [String] = []
  }

  private static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/Waystone/Waystone.docc/UpgradingAnArchive.md")

  /// The lines of the blocks in a language, block by block.
  private static func blocks(_ language: String) throws -> [[String]] {
    let text = try String(contentsOf: path, encoding: .utf8)
    var blocks: [[String]] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```\(language)"
        if isInside { blocks.append([]) }
      } else if isInside {
        blocks[blocks.count - 1].append(String(line))
      }
    }
    return blocks
  }

  /// The commands of a block: a line that begins with `$` is one, what follows is what it prints.
  private static func commands(_ block: [String]) -> [Command] {
    block.reduce(into: []) { commands, line in
      if line.hasPrefix("$ ") {
        commands.append(Command(line: String(line.dropFirst(2))))
      } else if !commands.isEmpty {
        commands[commands.count - 1].output.append(line)
      }
    }
  }

  /// Whether lines are those expected, but for the spaces between words.
  ///
  /// An ellipsis stands for some text; one that is a line of its own, for some lines.
  private static func matches(_ lines: [String], _ expected: [String]) -> Bool {
    func words(_ line: String) -> String {
      line.split(separator: " ").joined(separator: " ")
    }
    guard let first = expected.first else { return lines.isEmpty }
    let rest = Array(expected.dropFirst())
    if first == "…" {
      return (0...lines.count).contains { matches(Array(lines.dropFirst($0)), rest) }
    }
    guard let line = lines.first else { return false }
    var found = words(line)[...]
    let pieces = words(first).components(separatedBy: "…")
    for (index, piece) in pieces.enumerated() {
      let isLast = index == pieces.count - 1
      if index == 0 {
        guard found.hasPrefix(piece), !isLast || found.count == piece.count else { return false }
        found = found.dropFirst(piece.count)
      } else if isLast {
        guard found.hasSuffix(piece) else { return false }
      } else {
        guard let place = found.range(of: piece) else { return false }
        found = found[place.upperBound...]
      }
    }
    return matches(Array(lines.dropFirst()), rest)
  }

  /// The folder of which the article speaks.
  private static func prepare(_ folder: String) throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder + "/Models", withIntermediateDirectories: false)
    for name in ["Letters.xcdatamodeld", "Library.xcdatamodeld", "People.xcdatamodeld"] {
      try manager.copyItem(
        atPath: "\(SampleArchive.root)/\(name)",
        toPath: "\(folder)/Models/\(name)"
      )
    }
    for name in ["Library.v1-v2.hop.yml", "People.v1-v2.hop.yml"] {
      try manager.copyItem(
        atPath: "\(SampleArchive.root)/\(name)",
        toPath: "\(folder)/Models/\(name)"
      )
    }
    let configuration = try #require(try blocks("yaml").first).joined(separator: "\n")
    try TemporaryFolder.write(Array(configuration.utf8), to: folder + "/waystone.yml")
    for (path, version) in [
      ("old/anna/Letters.sqlite", "Letters/v1"), ("old/ben/Letters.sqlite", "Letters/v2"),
      ("old/ben/People.sqlite", "People/v1"), ("old/carla/Library.sqlite", "Library/v1"),
      ("old/dora/Letters.sqlite", "Letters/v4"), ("old/erik/Letters.sqlite", "Letters/v3"),
      ("phone/Letters.sqlite", "Letters/v1"), ("backup/erik.sqlite", "Letters/v3"),
    ] {
      let parent = URL(filePath: "\(folder)/\(path)").deletingLastPathComponent()
      try manager.createDirectory(at: parent, withIntermediateDirectories: true)
      let made = CommandRun(
        "generate",
        version,
        "--rows",
        "40",
        "--seed",
        "1",
        "-o",
        path,
        in: folder
      )
      try #require(made.status == .success, "\(made.errors)")
    }
    let damaged = folder + "/old/erik/Letters.sqlite"
    let bytes = try #require(TemporaryFolder.bytes(of: damaged))
    try TemporaryFolder.write(Array(bytes.prefix(20_000)), to: damaged)
    try TemporaryFolder.write(Array("no store\n".utf8), to: folder + "/old/notes.txt")
    let packed = try run("bsdtar -acf backup.zip phone && rm -r phone", in: folder, after: 0)
    try #require(packed.status == 0, "\(packed.lines)")
  }

  /// Runs a line in a shell, to which `$?` is how the line before it ended.
  private static func run(
    _ line: String,
    in folder: String,
    after status: Int32
  ) throws -> (status: Int32, lines: [String]) {
    let program = ProcessRun.executable("waystone").deletingLastPathComponent().path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "(exit \(status)); \(line)"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = ["PATH": "\(program):/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    while lines.last == "" { lines.removeLast() }
    return (process.terminationStatus, lines)
  }

  @Test(.enabled(if: hasArchiver, "needs bsdtar: install libarchive-tools"))
  func `its commands print what it says, from the top to the end`() throws {
    let folder = try ScratchFolder()
    try Self.prepare(folder.path)
    var status: Int32 = 0
    var count = 0
    for block in try Self.blocks("console") {
      let commands = Self.commands(block)
      #expect(block.first?.hasPrefix("$ ") == true)
      for (index, command) in commands.enumerated() {
        let (ended, lines) = try Self.run(command.line, in: folder.path, after: status)
        let shown = lines.joined(separator: "\n")
        #expect(Self.matches(lines, command.output), "\(command.line) prints:\n\(shown)")
        // A status that is not shown is 0.
        let isShown = index + 1 < commands.count && commands[index + 1].line == "echo $?"
        #expect(ended == 0 || isShown, "\(command.line) ends with \(ended)")
        status = ended
        count += 1
      }
    }
    #expect(count > 20)
    let html = try String(contentsOfFile: folder.path + "/report.html", encoding: .utf8)
    #expect(html.contains("old/erik/Letters.sqlite"))
  }

  @Test func `the commands that need a cluster are commands of this program`() throws {
    let scripts = Self.path.appending(path: "../../../../Scripts").standardizedFileURL.path
    let lines = try Self.blocks("sh").flatMap { $0 }
    #expect(lines.count == 2)
    for line in lines {
      let words = line.split(separator: " ").map { String($0) }
      let place = try #require(words.firstIndex(of: "Scripts/batch-task"))
      let arguments = words[(place + 1)...].prefix { $0 != ":::" }
      #expect(
        WaystoneProgram.accepts(["batch", "run", "--shard", "auto/8"] + arguments),
        "\(line)"
      )
    }
    #expect(FileManager.default.isExecutableFile(atPath: scripts + "/batch-task"))
  }

  @Test func `a text that differs in a word is not taken for what the article says`() {
    let said = ["7 stores, 1.5 s", "", "done"]
    #expect(Self.matches(said, ["7  stores, …", "", "done"]))
    #expect(Self.matches(said, ["…", "done"]))
    #expect(Self.matches(said, ["… stores, … s", "…"]))
    #expect(!Self.matches(said, ["8 stores, …", "", "done"]))
    #expect(!Self.matches(said, ["7 stores, …", "", "done", "more"]))
    #expect(!Self.matches(said, ["7 stores", "", "done"]))
    #expect(!Self.matches(said, ["7 stores, … m", "", "done"]))
  }

  private static let hasArchiver = ["/usr/bin/bsdtar", "/bin/bsdtar", "/usr/local/bin/bsdtar"]
    .contains { FileManager.default.isExecutableFile(atPath: $0) }
}
