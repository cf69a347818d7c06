import ModelCoding
package import ObjectModel
import PropertyLists
import XMLParsing

/// The reason why a model or a folder of models cannot be read.
package struct ModelImportError: Error, Hashable, Sendable {
  /// A reason that a caller may want to branch on.
  package enum Code: Hashable, Sendable {
    /// There is no file or folder at the path.
    case missing
    /// The system does not let the file or folder be read.
    case unreadable
    /// The bytes are not well-formed XML.
    case notXML
    /// The XML declares entities or a document type of its own, which no model does.
    case hostileXML
    /// The file is larger, or nested deeper, than any model.
    case tooLarge
    /// The file or folder is no model in a form that can be read.
    case notAModel
    /// A value without which the model's version hashes would be wrong.
    case badValue
    /// A property list or keyed archive that is damaged.
    case damagedArchive
    /// The parts of the model do not fit together.
    case inconsistentModel(ModelError.Code)
    /// A folder that contains itself through a symbolic link.
    case folderLoop
    /// The model has a part that Xcode's model format has no words for.
    case unsayable
    /// A file or folder cannot be created.
    case cannotCreate
    /// The disk is full, or failed while something was written.
    case inputOutput
    /// A hop file is for a model that is not among those at hand.
    case otherModel
    /// A hop file is for versions that no model at hand has.
    case unknownVersion
    /// A hop file is for a version that cannot be read.
    case unreadableVersion
    /// A version that the project leaves out.
    case ignoredVersion
  }

  /// The reason that applies.
  package var code: Code
  /// The file or folder at fault.
  package var file: String
  /// The line in the file, from 1, where it is known.
  package var line: Int?
  /// The XML element at fault, where it is one.
  package var element: String?
  /// A sentence that states the fault, without the place.
  package var message: String
  /// The user's next step.
  package var recovery: String

  /// An error at a place.
  init(
    _ code: Code,
    file: String,
    line: Int? = nil,
    element: String? = nil,
    message: String,
    recovery: String
  ) {
    self.code = code
    self.file = file
    self.line = line
    self.element = element
    self.message = message
    self.recovery = recovery
  }
}

extension ModelImportError {
  /// Makes the error of a property list, at its file.
  init(_ error: PropertyListError, file: String) {
    self.init(.damagedArchive, file: file, message: error.message, recovery: error.recovery)
  }

  /// Makes the error of XML, at its file.
  init(_ error: XMLError, file: String) {
    let (code, recovery): (Code, String) =
      switch error.code {
      case .notWellFormed: (.notXML, "Restore it from version control.")
      case .hostile: (.hostileXML, "Do not trust this file; restore it from version control.")
      case .tooLarge: (.tooLarge, "Models are far smaller; check that this is one.")
      case .tooMany: (.tooLarge, "Models have far less; check that this is one.")
      case .badPropertyList:
        (
          .damagedArchive, "Restore the file from version control, or build the app again."
        )
      }
    self.init(
      code,
      file: file,
      line: error.line,
      element: error.element,
      message: error.message,
      recovery: recovery
    )
  }

  /// Makes the error of a compiled model, at its file.
  init(_ error: ModelCodingError, file: String) {
    let code: Code =
      switch error.code {
      case .notAModel: .notAModel
      case .tooLarge: .tooLarge
      case .damagedArchive, .damagedCompression, .inconsistentModel, .unsupported: .damagedArchive
      }
    self.init(code, file: file, message: error.message, recovery: error.recovery)
  }
}

extension ModelImportError: CustomStringConvertible {
  /// `file:line: message recovery`, as editors and terminals make it a link.
  package var description: String {
    "\(file):\(line.map { "\($0):" } ?? "") \(message) \(recovery)"
  }
}
