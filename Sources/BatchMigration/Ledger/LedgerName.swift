internal import Files
internal import ObjectModel

/// A ledger as the user names it on a command line.
package struct LedgerName: Hashable, Sendable {
  /// The name of a ledger where the user names no other.
  package static let ordinary = "batch.waystone.sqlite"

  /// The path, as the user would write it.
  package let path: String

  /// The name of the ledger at a path.
  package init(_ path: String) { self.path = path }

  /// The arguments that name the ledger to the verbs of `waystone batch`: its output tree, or `--ledger`;
  /// empty for the ledger that they take by default.
  package var words: String {
    guard FileSystem.name(of: path) == Self.ordinary else { return "--ledger \(path.shellWord)" }
    let tree = path.dropLast(Self.ordinary.count + 1)
    guard !tree.isEmpty else { return path.hasPrefix("/") ? "/" : "" }
    return tree.hasPrefix("-") ? "--ledger \(path.shellWord)" : String(tree).shellWord
  }

  /// Returns a command of `waystone batch` on the ledger, in backquotes.
  ///
  /// - Parameter options: The text after the ledger's name.
  package func command(_ verb: String, _ options: String = "") -> String {
    let parts = ["waystone batch", verb, words, options].filter { !$0.isEmpty }
    return "`\(parts.joined(separator: " "))`"
  }

  /// Returns the number of parts of a batch, from the name of the ledger of one of them; nil for any other
  /// name.
  package static func partCount(_ name: String) -> Int? {
    name.wholeMatch(of: /batch-[0-9]+-of-([0-9]+)\.waystone\.sqlite/).flatMap { Int($0.1) }
  }

  /// Returns advice with its commands changed to name this ledger.
  ///
  /// Workers do not know the ledger, nor a new ledger its final place: their advice has the verb alone.
  package func advice(_ text: String) -> String {
    guard !words.isEmpty else { return text }
    return ["retry", "rollback", "verify"].reduce(text) { text, verb in
      text.replacing("`waystone batch \(verb)", with: "`waystone batch \(verb) \(words)")
    }
  }
}
