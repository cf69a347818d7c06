import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreAccess
import StoreGeneration
import Testing

/// A model whose third version asks much of its rows, and stores of the first two.
///
/// From v1 to v2 `title` becomes `heading` and an entity comes; from v2 to v3 `heading` becomes
/// required, `isbn` unique and `pages` smaller, and `note`, which may hold nothing, goes.
struct ShelvedBooks {
  let folder: String
  let models: String

  /// Writes the model into a folder.
  init(in folder: String) throws {
    self.folder = folder
    models = try SketchedModel.write(
      [
        ("v1", Self.book("title", pages: "Integer 32")),
        ("v2", Self.book("heading", #"elementID="title""#, pages: "Integer 32") + Self.shelf),
        (
          "v3",
          Self.book(
            "heading",
            #"elementID="title""#,
            pages: "Integer 16",
            isLast: true
          ) + Self.shelf
        ),
      ],
      into: folder,
      model: "Shelves"
    )
  }

  private static let shelf =
    #"<entity name="Shelf"><attribute name="label" optional="YES" attributeType="String"/></entity>"#

  private static func book(
    _ title: String,
    _ more: String = "",
    pages: String,
    isLast: Bool = false
  ) -> String {
    """
    <entity name="Book">
    <attribute name="isbn" optional="YES" attributeType="String"/>
    \(isLast ? "" : #"<attribute name="note" optional="YES" attributeType="String"/>"#)
    <attribute name="pages" optional="YES" attributeType="\(pages)"/>
    <attribute name="\(title)" \(isLast ? "" : #"optional="YES""#) attributeType="String" \(more)/>
    \(isLast ? Self.constraint : "")
    </entity>
    """
  }

  private static let constraint = """
    <uniquenessConstraints><uniquenessConstraint><constraint value="isbn"/>\
    </uniquenessConstraint></uniquenessConstraints>
    """

  /// Writes a store of 60 books that are all as v3 wants them, changed by some SQL.
  ///
  /// - Returns: The store's path.
  func store(_ version: String = "v2", _ name: String, changed sql: String = "") throws -> String {
    let archive = try ArchiveLoader.load(models)
    let model = try #require(archive.versions.first { $0.name == version }).model
    let path = "\(folder)/\(name).sqlite"
    try StoreGenerator(model: model, rows: version == "v1" ? 60 : 120, seed: 3).write(to: path)
    let connection = try AppDatabase(path)
    let title = version == "v1" ? "ZTITLE" : "ZHEADING"
    try connection.execute(
      """
      UPDATE ZBOOK SET ZISBN = 'i' || Z_PK, ZPAGES = Z_PK, ZNOTE = NULL, \(title) = 't' || Z_PK;
      """ + sql.replacing("TITLE", with: title)
    )
    try connection.checkpointTruncating()
    return path
  }

  /// Three books without a title, two groups of equal numbers, four that are too thick, and two
  /// with a note.
  static let faults = """
    UPDATE ZBOOK SET TITLE = NULL WHERE Z_PK IN (4, 9, 17);
    UPDATE ZBOOK SET ZISBN = 'a' WHERE Z_PK IN (1, 2);
    UPDATE ZBOOK SET ZISBN = 'b' WHERE Z_PK IN (20, 21, 22);
    UPDATE ZBOOK SET ZPAGES = 70000 WHERE Z_PK IN (31, 32, 33, 34);
    UPDATE ZBOOK SET ZNOTE = 'secret' WHERE Z_PK IN (50, 51);
    """
}
