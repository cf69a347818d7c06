package import ObjectModel

/// The reason why a migration did not end with a finished store.
///
/// The original store keeps its content in every case.
public struct MigrationError: Error, Hashable, Sendable {
  /// A reason that a caller may want to branch on.
  public enum Code: String, Hashable, Sendable {
    /// The plan cannot be carried out as it is: a name, a table or a condition forbids it.
    case refused
    /// Another process has the store open or changed it since the plan was made, or another run works
    /// on it.
    case inUse
    /// The run was asked to stop, and can be resumed.
    case interrupted
    /// An unfinished run blocks this one.
    case unfinishedRun
    /// There is nothing to resume or to roll back.
    case nothingToDo
    /// The journal, the plan and the files do not belong together.
    case mismatch
    /// The store, or a file of it, is damaged or not as it should be.
    case damaged
    /// A step failed.
    case failed
    /// The result differs from the plan's.
    case verificationFailed
    /// The output exists already, or cannot be made.
    case cannotCreate
    /// The system refused to read or write, or the disk is full.
    case inputOutput
  }

  /// The reason that applies.
  public var code: Code
  /// A sentence that names the file, entity or property at fault.
  public var message: String
  /// The user's next step.
  public var recovery: String
  /// Whether `resume` can go on from here.
  public var isResumable = false
  /// Whether the process may not make so large a file, which the same process cannot ever.
  package var isOfLimit = false
  /// The code by which `plan` refuses the same store for the same reason; nil where no plan can know it.
  package var refusal: String?

  /// Makes an error with its remedy.
  public init(_ code: Code, _ message: String, recovery: String, isResumable: Bool = false) {
    self.code = code
    self.message = message
    self.recovery = recovery
    self.isResumable = isResumable
  }

  /// The refusal of a run for a fact that a finding reports.
  package init(_ code: Code, _ refusal: FindingCode, _ message: String, recovery: String) {
    self.init(code, message, recovery: recovery)
    self.refusal = refusal.rawValue
  }
}

extension MigrationError: CustomStringConvertible {
  /// The message and the remedy.
  public var description: String { "\(message) \(recovery)" }
}

extension MigrationError: NamingError {
  /// Returns another error where this one repeats a text, or a part of a path.
  package func withoutNames(_ texts: [String], of operation: String) -> any Error {
    repeats(texts, in: message + recovery) ? EvaluationError.unknownText(operation) : self
  }
}
