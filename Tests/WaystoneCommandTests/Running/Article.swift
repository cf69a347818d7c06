import Foundation
import MigrationTestSupport
import Testing

/// An article of the documentation, whose commands tests run as they stand.
struct Article {
  /// The package's folder.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  private let path: String

  /// An article by its path in the package.
  init(_ path: String) { self.path = path }

  /// A command of an article, with what it is to print.
  private struct Command {
    var line: String
    var output: [String] = []
  }

  private var text: String {
    get throws { try String(contentsOf: Self.root.appending(path: path), encoding: .utf8) }
  }

  /// The languages that the blocks are marked with, which is empty for one that is not marked.
  var languages: [String] {
    get throws {
      try text.split(separator: "\n").filter { $0.hasPrefix("```") }.enumerated()
        .filter { $0.offset.isMultiple(of: 2) }.map { String($0.element.dropFirst(3)) }
    }
  }

  /// The spans of code in its sentences.
  var spans: [String] {
    get throws {
      let sentences = try text.split(separator: "```", omittingEmptySubsequences: false)
        .enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
      return sentences.flatMap { part in
        part.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
      }
    }
  }

  /// The lines of the blocks in a language, block by block.
  func blocks(_ language: String) throws -> [[String]] {
    let text = try self.text
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
  static func matches(_ lines: [String], _ expected: [String]) -> Bool {
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

  /// Runs a line in a shell, to which `$?` is how the line before it ended.
  static func run(
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

  /// Runs all commands of the article, and demands that each prints what it says.
  ///
  /// - Returns: How many there are.
  func runCommands(in folder: String) throws -> Int {
    var status: Int32 = 0
    var count = 0
    for block in try blocks("console") {
      let commands = Self.commands(block)
      #expect(block.first?.hasPrefix("$ ") == true)
      for (index, command) in commands.enumerated() {
        let (ended, lines) = try Self.run(command.line, in: folder, after: status)
        let shown = lines.joined(separator: "\n")
        #expect(Self.matches(lines, command.output), "\(command.line) prints:\n\(shown)")
        // A status that is not shown is 0.
        let isShown = index + 1 < commands.count && commands[index + 1].line == "echo $?"
        #expect(ended == 0 || isShown, "\(command.line) ends with \(ended)")
        status = ended
        count += 1
      }
    }
    return count
  }
}
