public import ObjectModel

/// The reason why a call of the library has no result, the only type of error that it throws.
///
/// A migration that fails leaves the original store with its content.
public struct WaystoneError: Error, Hashable, Sendable {
  /// A reason that a caller may want to branch on.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// An argument that does not fit the others.
    case badArgument
    /// A name that no version has.
    case unknownVersion
    /// A name that several versions have.
    case ambiguousVersion
    /// A store of no archived version.
    case unknownStoreVersion
    /// `waystone.yml` cannot be used.
    case badConfiguration
    /// A file or folder does not exist or cannot be read.
    case missingFile
    /// A file is damaged, or not what it should be.
    case badFile
    /// A file cannot be made where it should be.
    case cannotCreate
    /// A check failed, or a condition is not met.
    case refused
    /// Standard output takes no more.
    case cannotWrite
    /// The graph has no path to the version, or none that the options allow.
    case noPath
    /// The plan cannot be run as it is: the store's rows, a name or a missing policy forbids it.
    case blocked
    /// Another process has the store open, or changed it meanwhile.
    case inUse
    /// The run was asked to stop, and can be resumed.
    case interrupted
    /// An unfinished run must be resumed or thrown away first.
    case unfinishedRun
    /// There is nothing to resume or to roll back.
    case nothingToDo
    /// The journal, the plan and the files do not belong together.
    case mismatch
    /// A hop of the run failed.
    case failed
    /// The result is not what the plan promises.
    case verificationFailed
    /// The system refused to read or write, or the disk is full.
    case inputOutput
  }

  /// The code of the error.
  public var code: Code
  /// The sentence that names the cause: a file, version, entity or property, never a value.
  public var message: String
  /// The advice for the user.
  public var recovery: String
  /// Whether ``Run`` can go on from here.
  public var isResumable = false
  /// Whether the process may not make so large a file, which the same process cannot ever.
  package var isOfLimit = false
  /// The code of the refusal that it is, as ``Refusal/code``; nil where no plan can know the reason.
  package private(set) var refusal: String?
  /// The findings for which the operation is refused, where findings are the reason.
  public var findings: [Finding] = []
  /// The name of the reason in the layer that found it, more specific than the code.
  package var reason: String

  /// Makes an error with advice on what to do next.
  public init(_ code: Code, _ message: String, recovery: String) {
    self.code = code
    self.message = message
    self.recovery = recovery
    reason = code.rawValue
  }

  /// Whether a run cannot be resumed since models, plan, store or checkpoint are not those that it began with.
  package var isOfOutdatedRun: Bool {
    switch code {
    case .mismatch, .badArgument, .unknownVersion, .noPath, .unknownStoreVersion: true
    default: false
    }
  }

  /// Makes it a refusal, whose code is its reason.
  mutating func take(refusal code: String?) {
    guard let code else { return }
    (refusal, reason) = (code, code)
  }
}

extension WaystoneError: CustomStringConvertible {
  /// The message and what to do next.
  public var description: String { "\(message) \(recovery)" }
}
