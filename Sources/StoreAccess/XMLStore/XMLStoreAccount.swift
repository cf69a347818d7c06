/// An account of a conversion of a store of the XML kind.
struct XMLStoreAccount {
  /// The number of objects of each entity number.
  var objects: [Int64: Int] = [:]
  /// The number of values that are not kept as the file has them, by the reason.
  var values: [XMLStoreNote.Kind: Int] = [:]
  /// The number of links that one of their two ends states alone.
  var oneEnded = 0
  /// The number of names of join tables that the model does not settle.
  var guessedNames = 0

  /// The notes.
  var notes: [XMLStoreNote] {
    var counts = values
    counts[.oneEndedLink] = oneEnded
    counts[.guessedName] = guessedNames
    return XMLStoreNote.Kind.allCases.compactMap { kind in
      counts[kind].flatMap { $0 > 0 ? XMLStoreNote(kind: kind, count: $0) : nil }
    }
  }
}

/// A note on a difference between a store of the XML kind and the store of the SQLite kind that is made of it.
package struct XMLStoreNote: Hashable, Sendable {
  /// The difference.
  package enum Kind: Hashable, Sendable, CaseIterable {
    /// Not a number, which SQLite keeps as NULL.
    case notANumber
    /// A decimal number of more digits than SQLite keeps.
    case rounded
    /// A part of a text that looks like an escape, and is none that is known.
    case doubtfulEscape
    /// A link that one of its two ends states alone.
    case oneEndedLink
    /// The name of a join table that the model does not settle.
    case guessedName
  }

  /// The difference.
  package let kind: Kind
  /// The number of values or links.
  package let count: Int

  /// The note in words, without any value.
  package var words: String {
    let isOne = count == 1
    switch kind {
    case .notANumber:
      return (isOne ? "1 number is" : "\(count) numbers are")
        + " not a number (NaN). SQLite keeps that as NULL, also in Core Data's own stores."
    case .rounded:
      return (isOne ? "1 decimal number has" : "\(count) decimal numbers have")
        + " more digits than a store of the SQLite kind keeps, also one of Core Data's own."
    case .doubtfulEscape:
      return (isOne ? "1 text has" : "\(count) texts have")
        + " a \\u with four digits that is no known escape. One of a backslash, or of a character that XML "
        + "cannot have, is read; any other stays as it is written."
    case .oneEndedLink:
      return
        (isOne
        ? "1 link is stated by one of its two ends alone; it is kept."
        : "\(count) links are stated by one of their two ends alone; they are kept.")
    case .guessedName:
      return (isOne ? "the name of 1 join table is" : "the names of \(count) join tables are")
        + " not stated, and the model does not settle them: they are guesses. With a wrong name the app "
        + "fails at its first fetch."
    }
  }

  /// The note as a sentence of its own.
  package var sentence: String { "In the store of the XML kind \(words)" }

  /// The next thing to do.
  package var remedy: String {
    kind == .guessedName
      ? "Accept the guess with --accept-unproven-names, and open a copy of the result with the app before you "
        + "rely on it."
      : "Nothing needs to be done where that is meant."
  }
}
