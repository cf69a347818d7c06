import ModelImport
import ObjectModel

/// Small models as Xcode writes them.
enum Sample {
  /// The text of a model around some elements.
  static func xml(_ body: String, attributes: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
    userDefinedModelVersionIdentifier="7"\(attributes)>
    \(body)
    </model>
    """
  }

  /// Returns the reader's result for some elements; line 3 is the first of them.
  static func read(_ body: String, attributes: String = "") throws -> ImportedModel {
    try ModelImporter.importModel(
      contents: Array(xml(body, attributes: attributes).utf8),
      file: "contents"
    )
  }

  /// The only entity's attribute, from the attributes of its element.
  static func attribute(_ text: String) throws -> (AttributeDescription?, [Finding]) {
    let imported = try read("<entity name=\"E\"><attribute name=\"a\" \(text)/></entity>")
    return (imported.model["E"]?.attributes.first, imported.findings)
  }

  /// The error that reading throws, or nil.
  static func error(_ bytes: [UInt8]) -> ModelImportError? {
    do {
      _ = try ModelImporter.importModel(contents: bytes, file: "contents")
      return nil
    } catch { return error }
  }

  /// The error that reading some elements throws, or nil.
  static func error(_ body: String) -> ModelImportError? { error(Array(xml(body).utf8)) }
}
