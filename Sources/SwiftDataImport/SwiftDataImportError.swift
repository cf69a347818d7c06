/// The reason why sources cannot be read at all.
package struct SwiftDataImportError: Error, Hashable, Sendable {
  /// A reason that a caller may want to branch on.
  package enum Code: Hashable, Sendable {
    /// This build of Waystone reads no Swift sources.
    case unavailable
    /// There are more files, or bytes, than any app has.
    case tooMuch
    /// The system has no thread left.
    case noThreads
  }

  /// The reason for the error.
  package var code: Code
  /// A sentence that describes the error.
  package var message: String
  /// The remedy for the user.
  package var recovery: String

  /// Returns the error that this build reads no Swift sources, with the name of one that may declare a model; nil
  /// where none may.
  package static func refusal(of texts: [SourceText]) -> SwiftDataImportError? {
    let names = texts.filter(\.mentionsModels).map(\.name).sorted()
    guard let first = names.first else { return nil }
    var error = unavailable
    error.message =
      "This build of Waystone reads no Swift sources, and @Model is in \(first)"
      + (names.count > 1 ? " and in \(names.count - 1) more." : ".")
    return error
  }

  static let unavailable = SwiftDataImportError(
    code: .unavailable,
    message: "This build of Waystone reads no Swift sources.",
    recovery: "Build it with the package trait SwiftData, which is on by default."
  )

  static let noThreads = SwiftDataImportError(
    code: .noThreads,
    message: "The system has no memory or threads to read Swift sources.",
    recovery: "Close other programs, and try again."
  )

  static func tooMuch(files: Int, bytes: Int) -> SwiftDataImportError {
    SwiftDataImportError(
      code: .tooMuch,
      message: "There are \(files) Swift files of \(bytes >> 20) MiB, more than"
        + " \(SourceLimits.fileCount) or \(SourceLimits.totalSize >> 20) MiB.",
      recovery: "Name the folder that holds the app's models."
    )
  }
}

extension SwiftDataImportError: CustomStringConvertible {
  /// The message and the remedy.
  package var description: String { "\(message) \(recovery)" }
}
