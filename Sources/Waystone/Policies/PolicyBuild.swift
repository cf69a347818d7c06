internal import Files
private import Foundation
internal import SwiftDataImport

/// A build of a package of policies, round by round: what does not compile is left out.
package struct PolicyBuild: Sendable {
  /// An error of the compiler, at its place in the app's sources.
  package struct Complaint: Hashable, Encodable, Sendable {
    /// The file, as the app has it.
    package var file: String
    /// The line of it.
    package var line: Int
    /// The compiler's words.
    package var message: String
  }

  /// The errors by the class names of the policies that they keep from being built.
  package private(set) var complaints: [String: [Complaint]] = [:]
  /// The absolute path of the program; nil where none was built.
  package private(set) var program: String?
  /// The last lines of a build that failed for another reason than the app's sources.
  package private(set) var failure: [String] = []

  /// The most rounds: each leaves out at least one policy.
  private static let mostRounds = 20

  /// Writes a package and builds it.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the package.
  ///   - options: Further arguments of `swift build`.
  ///   - swift: The absolute path of the `swift` command.
  ///   - environment: The environment of the build.
  ///   - onRound: Called before each round with the number of policies in it.
  /// - Throws: ``WaystoneError``, or `FileError`.
  package init(
    _ package: PolicyPackage,
    in folder: String,
    options: [String],
    swift: String,
    environment: [String: String],
    onRound: (Int) -> Void
  ) throws {
    let selection = package.selection
    for _ in 0..<Self.mostRounds {
      let excluded = Set(complaints.keys)
      let left = selection.policies.count { !excluded.contains($0.className) }
      guard left > 0 else { return }
      try package.write(to: folder, without: excluded)
      onRound(left)
      let (output, isBuilt) = try Self.run(
        ["build", "--package-path", folder, "--product", PolicyPackage.product] + options,
        swift,
        environment
      )
      if isBuilt {
        let (path, _) = try Self.run(
          ["build", "--package-path", folder, "--show-bin-path"] + options,
          swift,
          environment
        )
        guard let folder = path.last else { return }
        let built = "\(folder)/\(PolicyPackage.product)"
        // The built program is asked, as a build may have succeeded for another product.
        let (said, _) = try Self.run(["--version", "--verbose"], built, environment)
        let names = said.first { $0.hasPrefix("policies ") }?.dropFirst("policies ".count)
          .split(separator: ", ").map(String.init)
        let wanted = selection.policies.map(\.className).filter { !excluded.contains($0) }
        guard Set(wanted).isSubset(of: names ?? []) else {
          failure = ["\(built) does not have the policies that were built into it."]
          return
        }
        program = built
        return
      }
      guard take(Self.complaints(in: output), selection) else {
        failure = Self.reasons(in: output)
        return
      }
    }
    failure = ["After \(Self.mostRounds) builds there still are errors."]
  }

  /// Notes errors for the policies whose lines they are at; returns whether there was one.
  private mutating func take(_ found: [Complaint], _ selection: PolicySelection) -> Bool {
    var isTaken = false
    for complaint in found {
      for policy in selection.policies(needing: complaint.file, line: complaint.line) {
        guard complaints[policy]?.contains(complaint) != true else { continue }
        complaints[policy, default: []].append(complaint)
        isTaken = true
      }
    }
    return isTaken
  }

  /// Returns the lines that state why a build failed: its errors, each once, or the last ones where none is.
  package static func reasons(in output: [String]) -> [String] {
    var seen: Set<String> = []
    let errors = output.filter { $0.contains("error: ") && seen.insert($0).inserted }
    return errors.isEmpty ? output.suffix(20) : Array(errors.prefix(20))
  }

  /// Returns the errors in the compiler's output, each once.
  package static func complaints(in output: [String]) -> [Complaint] {
    var seen: Set<Complaint> = []
    return output.compactMap { line -> Complaint? in
      guard let mark = line.range(of: ": error: ") else { return nil }
      var parts = line[..<mark.lowerBound].split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count >= 3, Int(parts.removeLast()) != nil, let number = Int(parts.removeLast())
      else { return nil }
      let complaint = Complaint(
        file: parts.joined(separator: ":"),
        line: number,
        message: String(line[mark.upperBound...])
      )
      return seen.insert(complaint).inserted ? complaint : nil
    }
  }

  private static func run(
    _ arguments: [String],
    _ swift: String,
    _ environment: [String: String]
  ) throws -> (lines: [String], isDone: Bool) {
    var child = try ChildProcess(
      swift,
      arguments,
      environment: environment,
      isGuarded: true
    )
    var output: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = try child.read(into: &bytes)
      if count == 0 { break }
      // No compiler prints more about a few files.
      if output.count < 64 << 20 { output += bytes[..<count] }
    }
    let ending = try child.wait()
    let text = String(decoding: output, as: UTF8.self) + child.complaint
    return (
      text.split(separator: "\n").map(String.init), ending == .exited(0)
    )
  }
}
