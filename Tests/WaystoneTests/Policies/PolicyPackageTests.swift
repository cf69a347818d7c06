import Files
import Foundation
import MigrationTestSupport
import ObjectModel
import SwiftDataImport
import Testing
import Waystone

/// The package with an app's policies, as it is written.
@Suite(.enabled(if: SourceParser.isAvailable, "this build reads no Swift sources"))
struct PolicyPackageTests {
  private static func package(_ models: [VersionedModel] = []) -> PolicyPackage {
    let text = """
      class NotePolicy: NSEntityMigrationPolicy {
        func make(_ note: Note) {}
      }
      """
    let selection = PolicySelection(
      [SourceText(name: "NotePolicy.swift", bytes: Array(text.utf8))],
      wanted: nil
    )
    return PolicyPackage(selection, models: models, dependency: .folder("/nowhere"))
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func `it is written into a new or an empty folder, and over itself`() throws {
    try TemporaryFolder.with { folder in
      try Self.package().write(to: folder, without: [])
      let main = "\(folder)/Sources/waystone-policies/main.swift"
      #expect(try Self.text(main).contains("registry.register(NotePolicy.self)"))
      try Self.package().write(to: folder, without: ["NotePolicy"])
      #expect(try !Self.text(main).contains("NotePolicy"))
    }
  }

  @Test func `it is written over nothing else`() throws {
    try TemporaryFolder.with { folder in
      try AtomicFile.write("mine", to: "\(folder)/mine.txt")
      #expect(throws: WaystoneError.self) { try Self.package().write(to: folder, without: []) }
      #expect(try FileSystem.names(inFolder: folder) == ["mine.txt"])
    }
  }

  @Test(arguments: ["Sources", "Sources/waystone-policies", ".made-by-waystone"])
  func `it is not written through a link of a stranger's folder`(link: String) throws {
    try TemporaryFolder.with { folder in
      let (victim, output) = ("\(folder)/victim", "\(folder)/output")
      try FileSystem.ensureFolders(victim)
      try AtomicFile.write("mine", to: "\(victim)/mine.swift")
      try FileSystem.ensureFolders(FileSystem.folder(of: "\(output)/\(link)"))
      if !link.hasPrefix(".") { try AtomicFile.write("", to: "\(output)/.made-by-waystone") }
      try FileManager.default.createSymbolicLink(
        atPath: "\(output)/\(link)",
        withDestinationPath: victim
      )
      #expect(throws: WaystoneError.self) { try Self.package().write(to: output, without: []) }
      #expect(try FileSystem.names(inFolder: victim) == ["mine.swift"])
    }
  }

  @Test func `names of a model never become code`() throws {
    var note = EntityDescription(name: "Note")
    note.managedObjectClassName = "Note"
    note.attributes = ["title", "x\") } }; evil(); //"].map {
      AttributeDescription(name: $0, attributeType: .string)
    }
    let model = try ManagedObjectModel(entities: [note])
    let version = ModelVersion(modelName: "M", name: "v1", model: model)
    try TemporaryFolder.with { folder in
      try Self.package([VersionedModel(name: "M", versions: [version])])
        .write(to: folder, without: [])
      let generated = try Self.text("\(folder)/Sources/waystone-policies/Generated.swift")
      #expect(generated.contains("var `title`: String?"))
      #expect(!generated.contains("evil"))
      let main = try Self.text("\(folder)/Sources/waystone-policies/main.swift")
      #expect(main.contains("ManagedObjectClasses.register(Note.self)"))
    }
  }

  @Test func `a build that fails at no line is told by its errors, else by its end`() {
    let progress = (1...30).map { "Updating \($0)" }
    let error = "<unknown>:0: error: missing required module"
    #expect(PolicyBuild.reasons(in: [error, error] + progress) == [error])
    #expect(PolicyBuild.reasons(in: progress) == Array(progress.suffix(20)))
  }

  @Test func `errors of the compiler are read with the app's file and line`() {
    let complaints = PolicyBuild.complaints(in: [
      "[3/4] Compiling", "App/My Policy.swift:12:5: error: cannot find 'UIColor' in scope",
      "App/My Policy.swift:12:5: error: cannot find 'UIColor' in scope", "error: fatalError",
      "warning: App.swift:1:1: warning: unused",
    ])
    #expect(complaints.map(\.file) == ["App/My Policy.swift"])
    #expect(complaints.map(\.line) == [12])
    #expect(complaints.map(\.message) == ["cannot find 'UIColor' in scope"])
  }
}
