package import ObjectModel

/// The part of an app's sources that its migration policies need, made ready for Linux.
package struct PolicySelection: Sendable {
  /// A policy that was found.
  package struct Policy: Hashable, Sendable {
    /// The name of the class.
    package var className: String
    /// The name under which `@objc(Name)` registers it; nil for its own.
    package var objectiveCName: String?
    /// The file that declares it.
    package var file: String
    /// The line of it.
    package var line: Int
  }

  /// A declaration of an original file, or a member of one.
  package struct Piece: Hashable, Sendable {
    /// The name that it declares.
    package var name: String
    /// Whether it extends what the name means rather than declares it.
    package var isExtension = false
    /// The lines in the original.
    package var lines: ClosedRange<Int>
    /// The policies that need it, by their class names.
    package var policies: Set<String>
    /// The text, or that before the members.
    package var head: String
    /// The members that are needed.
    package var members: [Piece] = []
    /// The text behind the members.
    package var tail = ""
  }

  /// A file of the selection.
  package struct File: Hashable, Sendable {
    /// The original's name.
    package var name: String
    /// The pieces, in their order.
    package var pieces: [Piece]

    /// Returns the text without the declarations that only excluded policies need, with directives that lead
    /// compilers to the lines of the original.
    package func text(without excluded: Set<String>) -> String {
      var text = "import CoreData\n"
      for piece in pieces where !piece.policies.isSubset(of: excluded) {
        text += piece.head
        for member in piece.members where !member.policies.isSubset(of: excluded) {
          text += member.head
        }
        text += piece.tail
      }
      return text
    }
  }

  /// A type or a constant that several files declare, of which one is taken.
  package struct Choice: Hashable, Encodable, Sendable {
    /// The name.
    package var name: String
    /// The file whose declaration is taken.
    package var file: String
    /// The other files that declare it.
    package var others: [String]
  }

  /// The policies, sorted by their names.
  package var policies: [Policy] = []
  /// The files.
  package var files: [File] = []
  /// The subclasses of `NSManagedObject` among the declarations, with the names that models mention.
  package var managedObjectClasses: [String: String] = [:]
  /// The declarations that were chosen among several of one name, sorted by it: the nearest to the file that uses
  /// it.
  package var choices: [Choice] = []
  /// The reasons why files were not read.
  package var leftOut: [Finding] = []
  /// The names that the selection uses and that no source declares.
  package var missingNames: Set<String> = []

  /// The names that the selection declares.
  package var declaredNames: Set<String> {
    Set(files.flatMap(\.pieces).filter { !$0.isExtension }.map(\.name))
  }

  /// Returns a file's name as directives for compilers have it.
  package static func shown(_ name: String) -> String {
    name.filter { $0 != "\"" && $0 != "\\" && !$0.isNewline }
  }

  /// Returns the policies that need a line of an original file.
  package func policies(needing file: String, line: Int) -> Set<String> {
    var users: Set<String> = []
    let pieces = files.filter { Self.shown($0.name) == file }.flatMap(\.pieces)
    for piece in pieces where piece.lines.contains(line) {
      let members = piece.members.filter { $0.lines.contains(line) }
      users.formUnion(members.isEmpty ? piece.policies : Set(members.flatMap(\.policies)))
    }
    return users
  }

  /// Returns whether only excluded policies need a type.
  package func isOnly(_ name: String, in excluded: Set<String>) -> Bool {
    files.flatMap(\.pieces).allSatisfy { $0.name != name || $0.policies.isSubset(of: excluded) }
  }

  /// Selects the declarations that policies need.
  ///
  /// - Parameters:
  ///   - texts: The app's sources.
  ///   - wanted: The class names that mapping models mention, modules left out; nil for all policies.
  /// - Complexity: O(*n*) in the bytes for each round of names; there are few rounds.
  package init(_ texts: [SourceText], wanted: Set<String>?) {
    leftOut = texts.compactMap { SourceParser.gap(in: $0) }
    #if SwiftData
      let scan = PolicyScan(texts.filter { SourceParser.gap(in: $0) == nil })
      let found = scan.policies.filter { item in
        guard let wanted else { return true }
        return wanted.contains(item.name)
          || wanted.contains(PolicyWriter.objectiveCName(item) ?? "")
      }
      let writer = PolicyWriter(scan, found)
      policies = found.map { item in
        Policy(
          className: item.name,
          objectiveCName: PolicyWriter.objectiveCName(item),
          file: scan.files[item.file],
          line: item.lines.lowerBound
        )
      }.sorted { $0.className < $1.className }
      files = writer.files()
      managedObjectClasses = writer.managedObjectClasses
      missingNames = writer.missingNames
      choices = writer.choices
    #endif
  }
}
