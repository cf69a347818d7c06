import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

@testable import Waystone

/// The program with the app's own policies, which the verbs run for a project.
@Suite final class ProjectPoliciesTests {
  private let folder =
    FileManager.default.temporaryDirectory.path + "/waystone-\(UUID().uuidString)"
  private let configuration: Configuration
  private var environment: [String: String] { ["HOME": "\(folder)/home", "PATH": "/usr/bin:/bin"] }
  private var program: String { "\(folder)/program" }

  /// A project whose policies were built: the program says with which arguments it runs.
  init() throws {
    let path = folder
    try FileManager.default.createDirectory(
      atPath: "\(path)/App",
      withIntermediateDirectories: true
    )
    try SketchedModel.write(
      [("v1", #"<entity name="Note" syncable="YES"/>"#)],
      into: "\(path)/Models"
    )
    try Self.write("models: Models\npolicies: App\n", to: "\(path)/waystone.yml")
    try Self.write("class P: NSEntityMigrationPolicy {}\n", to: "\(path)/App/P.swift")
    try Self.write("#!/bin/sh\necho ran: \"$@\"\nexit 4\n", to: "\(path)/program")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: "\(path)/program"
    )
    configuration = try #require(try Configuration.find(from: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private static func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func record(version: String = WaystoneProgram.version) throws {
    let built = try BuiltPolicies(
      program,
      of: PolicySources(of: configuration),
      package: "/waystone",
      version: version
    )
    #expect(try built.write(for: configuration, environment))
  }

  private func run(_ words: String...) throws -> ProcessRun {
    try ProcessRun(words, in: folder, environment: environment)
  }

  @Test func `verbs that migrate run the program that was built, and no other verb does`() throws {
    #expect(try run("coverage").status != 4)
    try record()
    let verbs = [
      ["plan", "a b", "--to", "v1"], ["migrate", "a b", "--to", "v1"], ["explain", "v1", "v1"],
      ["resume", "a b"], ["finish", "a b"], ["coverage", "--run"],
      ["batch", ".", "--dry-run"],
    ]
    for words in verbs {
      let ran = try ProcessRun(words, in: folder, environment: environment)
      #expect(ran.status == 4, "\(words): \(ran.errors)")
      #expect(ran.output == "ran: \(words.joined(separator: " "))\n")
    }
    for verb in ["check", "versions", "graph", "lock"] {
      #expect(try !run(verb).output.contains("ran:"), "\(verb)")
    }
    // Models that are named are not the project's.
    #expect(try !run("coverage", "--models", "Models").output.contains("ran:"))
  }

  @Test(
    arguments: ["sources", "new file", "program", "writable", "gone", "version", "record"]
  )
  func `a program that is not the one that was built is not run, and that is said`(
    _ change: String
  ) throws {
    try record(version: change == "version" ? "0.0.1" : WaystoneProgram.version)
    let files = FileManager.default
    switch change {
    case "sources": try Self.write("class Q: P {}\n", to: "\(folder)/App/P.swift")
    case "new file": try Self.write("class Q: P {}\n", to: "\(folder)/App/Q.swift")
    case "program": try Self.write("#!/bin/sh\necho other\n", to: program)
    case "writable": try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: program)
    case "gone": try files.removeItem(atPath: program)
    case "record":
      let records = "\(folder)/home/.local/state/waystone/policies"
      let name = try #require(try files.contentsOfDirectory(atPath: records).first)
      try files.setAttributes([.posixPermissions: 0o666], ofItemAtPath: "\(records)/\(name)")
    default: break
    }
    let ran = try run("coverage")
    #expect(ran.output.contains("Library  1 version") == (change != "record"), "\(ran.output)")
    #expect(ran.errors.contains(change == "record" ? "Remove it" : "not run"), "\(ran.errors)")
  }

  @Test func `nothing in the project itself names a program`() throws {
    try record()
    // The same project elsewhere, as after a clone, with all that it holds.
    try TemporaryFolder.with { copy in
      try FileManager.default.copyItem(atPath: folder, toPath: "\(copy)/app")
      let ran = try ProcessRun(["coverage"], in: "\(copy)/app", environment: environment)
      #expect(ran.status == 0 && ran.errors.isEmpty, "\(ran.errors)")
    }
  }

  @Test func `policies needs sources, and says where Waystone's own are missing`() throws {
    let missing = CommandRun(["policies"], in: folder, environment: environment)
    #expect(missing.status == .usage && missing.errors.contains("--package PLACE"))
    try record()
    let unnamed = CommandRun(["policies"], in: "/", environment: environment)
    #expect(unnamed.status == .usage && unnamed.errors.contains("`policies:` in waystone.yml"))
    // The place of the last build counts.
    let written = CommandRun(["policies", "--no-build"], in: folder, environment: environment)
    #expect(written.status == .success, "\(written.errors)")
    let manifest = try String(
      contentsOfFile: "\(folder)/.waystone/policies/Package.swift",
      encoding: .utf8
    )
    #expect(manifest.contains(#"path: "/waystone""#))
  }
}
