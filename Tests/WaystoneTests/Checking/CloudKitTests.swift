import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// The rules of models whose stores CloudKit mirrors, and what a deployed schema forbids.
@Suite struct CloudKitTests {
  // MARK: Models of Xcode

  /// A model in which each rule is kept.
  private static let clean = """
    <entity name="Book" syncable="YES">
    <attribute name="title" optional="YES" attributeType="String"/>
    <attribute name="year" attributeType="Integer 16" defaultValueString="0"/>
    <relationship name="notes" optional="YES" toMany="YES" deletionRule="Cascade" \
    destinationEntity="Note" inverseName="book" inverseEntity="Note"/>
    </entity>
    <entity name="Note" syncable="YES">
    <attribute name="text" optional="YES" attributeType="String"/>
    <relationship name="book" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Book" inverseName="notes" inverseEntity="Book"/>
    </entity>
    """

  private static func model(_ entities: String, marked: Bool = true) -> String {
    let text = SketchedModel.contents(entities)
    return marked
      ? text.replacing(" userDefined", with: #" usedWithCloudKit="YES" userDefined"#) : text
  }

  /// The CloudKit findings of `check` as "severity code place".
  private func findings(
    _ versions: [(name: String, contents: String)],
    configuration: String = "",
    source: String? = nil,
    locked: String? = nil
  ) throws -> [String] {
    try TemporaryFolder.with { folder in
      let project = SketchedProject(folder: folder)
      try SketchedModel.write(files: versions, into: folder)
      try project.configure(configuration)
      if let source { try project.write(source, to: "App/Stack.swift") }
      if let locked { try project.lock([locked]) }
      return try Self.found(project)
    }
  }

  private static func found(_ project: SketchedProject) throws -> [String] {
    try project.check().allFindings.filter { $0.code.rawValue.hasPrefix("WS9") }.map { finding in
      "\(finding.severity) \(finding.code.rawValue) \(finding.place.subject ?? "")"
    }.sorted()
  }

  @Test func `a model that keeps the rules has no finding`() throws {
    #expect(try findings([("v1", Self.model(Self.clean))]).isEmpty)
  }

  @Test(arguments: [
    (
      "WS901 Book.title", "</entity>",
      """
      <uniquenessConstraints><uniquenessConstraint><constraint value="title"/></uniquenessConstraint>\
      </uniquenessConstraints></entity>
      """
    ),
    ("WS902 Note.book", #""book" optional="YES""#, #""book""#),
    ("WS902 Book.notes", #""notes" optional="YES""#, #""notes""#),
    ("WS904 Note.book", "Nullify", "Deny"),
    ("WS905 Book.notes", #"toMany="YES""#, #"toMany="YES" ordered="YES""#),
    ("WS906 Book.year", #" defaultValueString="0""#, ""),
    ("WS907 Book.title", #"attributeType="String""#, #"attributeType="Undefined""#),
    ("WS907 Book.title", #"attributeType="String""#, #"attributeType="ObjectID""#),
  ]) func `each rule that a model breaks is an error at its place`(
    _ finding: String,
    _ old: String,
    _ new: String
  ) throws {
    let range = try #require(Self.clean.firstRange(of: old))
    let broken = Self.clean.replacingCharacters(in: range, with: new)
    #expect(try findings([("v1", Self.model(broken))]) == ["error \(finding)"])
    // Where nothing says that CloudKit mirrors the store, no rule of it holds.
    #expect(try findings([("v1", Self.model(broken, marked: false))]).isEmpty)
    let denied = try findings([("v1", Self.model(broken))], configuration: "cloudKit: false\n")
    #expect(denied.isEmpty)
    let named = "cloudKit: true\n"
    #expect(
      try findings([("v1", Self.model(broken, marked: false))], configuration: named)
        == ["error \(finding)"]
    )
  }

  @Test func `a relationship without inverse is told once, by the rule of CloudKit`() throws {
    let broken = Self.clean.replacing(#" inverseName="book" inverseEntity="Note""#, with: "")
      .replacing(#" inverseName="notes" inverseEntity="Book""#, with: "")
    #expect(
      try findings([("v1", Self.model(broken))]) == [
        "error WS903 Book.notes", "error WS903 Note.book",
      ]
    )
    try TemporaryFolder.with { folder in
      try SketchedModel.write(files: [("v1", Self.model(broken))], into: folder)
      #expect(try !SketchedProject(folder: folder).check().allFindings.has(.missingInverse))
    }
  }

  @Test func `a transient attribute has no field`() throws {
    let transient = Self.clean.replacing(
      "</entity>\n<entity",
      with: #"<attribute name="cache" transient="YES"/></entity>"# + "\n<entity"
    )
    #expect(transient != Self.clean)
    #expect(try findings([("v1", Self.model(transient))]).isEmpty)
  }

  @Test func `marked configurations alone are mirrored, each as a store of its own`() throws {
    let local = Self.clean.replacing(#" defaultValueString="0""#, with: "")
    func contents(_ members: String...) -> String {
      let members = members.map { #"<memberEntity name="\#($0)"/>"# }.joined()
      return Self.model(
        local
          + #"<configuration name="Cloud" usedWithCloudKit="YES">\#(members)</configuration>"#,
        marked: false
      )
    }
    #expect(try findings([("v1", contents("Note"))]) == ["error WS908 Note.book"])
    #expect(try findings([("v1", contents("Book", "Note"))]) == ["error WS906 Book.year"])
  }

  @Test(arguments: [
    (#"let container = NSPersistentCloudKitContainer(name: "Library")"#, ["error WS906 Book.year"]),
    ("let container = NSPersistentCloudKitContainer(name: name)", ["error WS906 Book.year"]),
    (#"let container = NSPersistentCloudKitContainer(name: "Other")"#, []),
    (
      #"let container = NSPersistentContainer(name: "Library") // no NSPersistentCloudKitContainer"#,
      []
    ),
    ("/* NSPersistentCloudKitContainer() */ let url = \"https://a.b\"", []),
  ]) func `the app's sources show that CloudKit mirrors a model`(
    _ source: String,
    _ expected: [String]
  ) throws {
    let broken = Self.clean.replacing(#" defaultValueString="0""#, with: "")
    let found = try findings([("v1", Self.model(broken, marked: false))], source: source)
    #expect(found == expected)
  }

  @Test func `a broken rule is accepted with a reason`() throws {
    let broken = Self.clean.replacing("Nullify", with: "Deny")
    try TemporaryFolder.with { folder in
      let project = SketchedProject(folder: folder)
      try SketchedModel.write(files: [("v1", Self.model(broken))], into: folder)
      try project.expectFailures(["error WS904 v1 Note.book"])
      try project.accept("code: WS904, place: Note.book, version: v1")
      try project.expectFailures([])
    }
  }

  // MARK: Deployed schemas

  /// The second version after a locked first one, with another text in its entities.
  private func step(_ old: String, _ new: String) throws -> [String] {
    let changed = Self.clean.replacing(old, with: new)
    try #require(changed != Self.clean)
    return try findings(
      [("v1", Self.model(Self.clean)), ("v2", Self.model(changed))],
      locked: "v1"
    )
  }

  @Test func `a deployed schema only grows`() throws {
    let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
    #expect(try step(title, "") == ["warning WS911 Book.title"])
    #expect(
      try step(
        title,
        title.replacing("title", with: "heading").replacing("/>", with: #" elementID="title"/>"#)
      )
        == ["warning WS912 Book.heading"]
    )
    #expect(
      try step(title, title.replacing("String", with: "Integer 64"))
        == ["error WS913 Book.title"]
    )
    #expect(
      try step(title, title.replacing("/>", with: #" allowsCloudEncryption="YES"/>"#))
        == ["error WS913 Book.title"]
    )
    // All whole numbers are one type of CloudKit's.
    #expect(try step(#""Integer 16""#, #""Integer 64""#).isEmpty)
    #expect(
      try step(title, title + #"<attribute name="more" optional="YES" attributeType="Date"/>"#)
        .isEmpty
    )
    #expect(try step(#""Note""#, #""Memo""#) == ["warning WS911 Note"])
    #expect(
      try step(
        #"<entity name="Note" syncable="YES">"#,
        #"<entity name="Note" syncable="YES"><attribute name="more" optional="YES" attributeType="Date"/>"#
      ).isEmpty
    )
  }

  @Test func `a renamed entity is a new record type`() throws {
    let renamed = Self.clean.replacing(#""Note""#, with: #""Memo""#)
      .replacing(#"<entity name="Memo""#, with: #"<entity name="Memo" elementID="Note""#)
    let found = try findings(
      [("v1", Self.model(Self.clean)), ("v2", Self.model(renamed))],
      locked: "v1"
    )
    #expect(found == ["error WS912 Memo"])
  }

  @Test func `a field that an older version deployed keeps its type`() throws {
    let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
    let without = Self.clean.replacing(title, with: "")
    let back = Self.clean.replacing(title, with: title.replacing("String", with: "Date"))
    try TemporaryFolder.with { folder in
      let project = SketchedProject(folder: folder)
      let files = [Self.clean, without, back].map { Self.model($0) }.enumerated()
      try SketchedModel.write(files: files.map { ("v\($0 + 1)", $1) }, into: folder)
      try project.lock(["v1", "v2"])
      let retyped = try project.check().failures.of(.recordFieldRetyped)
      #expect(retyped.briefs == ["error WS913 v3 Book.title"])
    }
  }

  @Test func `a locked version that breaks a rule is a note, for the next one`() throws {
    let broken = Self.clean.replacing("Nullify", with: "Deny")
    #expect(
      try findings([("v1", Self.model(broken))], locked: "v1") == ["note WS904 Note.book"]
    )
  }

  // MARK: SwiftData

  private static let container = """
    import SwiftData
    let store = try ModelContainer(for: Trip.self,
      configurations: ModelConfiguration(cloudKitDatabase: .private("iCloud.app")))
    """

  private func swiftFindings(_ models: String, _ container: String = container) throws -> [String] {
    try TemporaryFolder.with { folder in
      let project = SketchedProject(folder: folder)
      try project.write("import SwiftData\n\(models)", to: "App/Models.swift")
      try project.write(container, to: "App/Stack.swift")
      try project.write("models: App\n", to: "waystone.yml")
      return try Self.found(project)
    }
  }

  private static let trips = """
    @Model class Trip {
      var id: UUID = UUID()
      var name: String = ""
      var start: Date = Date.now
      var kind: Kind = Kind.short
      @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop]? = []
      init() {}
    }
    @Model class Stop {
      var note: String?
      var trip: Trip?
      init() {}
    }
    enum Kind: String, Codable { case short, long }
    """

  @Test func `a SwiftData model that keeps the rules has no finding`() throws {
    #expect(try swiftFindings(Self.trips).isEmpty)
  }

  @Test(arguments: [
    ("WS901 Trip.id", "var id", "@Attribute(.unique) var id"),
    ("WS901 Trip.name", "init() {}", "#Unique<Trip>([\\.name])\n init() {}"),
    ("WS902 Trip.stops", "[Stop]? = []", "[Stop] = []"),
    ("WS904 Trip.stops", ".cascade", ".deny"),
    ("WS906 Trip.name", #"name: String = """#, "name: String"),
  ]) func `each rule that a SwiftData model breaks is an error at its place`(
    _ finding: String,
    _ old: String,
    _ new: String
  ) throws {
    let range = try #require(Self.trips.firstRange(of: old))
    let broken = Self.trips.replacingCharacters(in: range, with: new)
    #expect(try swiftFindings(broken) == ["error \(finding)"])
    let local = Self.container.replacing(#".private("iCloud.app")"#, with: ".none")
    #expect(try swiftFindings(broken, local).isEmpty)
  }

  @Test func `a SwiftData relationship without inverse is an error`() throws {
    let broken = Self.trips.replacing("  var trip: Trip?\n", with: "")
      .replacing(#"(deleteRule: .cascade, inverse: \Stop.trip)"#, with: "(deleteRule: .cascade)")
    #expect(try swiftFindings(broken) == ["error WS903 Trip.stops"])
  }

  // MARK: Public models

  @Test(
    .enabled(if: Corpus.root != nil),
    arguments: [
      "passepartoutvpn+passepartout/app-apple/Package/Sources/CommonLegacyV2/Profiles.xcdatamodeld",
      "fatbobman+BlogCodes/SyncManager/SyncManager/Model.xcdatamodeld",
      "delawaremathguy+ShoppingList14/ShoppingList/CoreData Related/ShoppingList.xcdatamodeld",
    ]
  ) func `public models of apps that CloudKit mirrors keep its rules`(_ path: String) throws {
    let path = "\(try #require(Corpus.root))/\(path)"
    let found = try Project(at: URL(filePath: path)).check().allFindings
      .filter { $0.code.rawValue.hasPrefix("WS9") }
      .map { "\($0.code.rawValue) \($0.place.entity ?? "")" }
    // One of them replaced its entities, as its history shows.
    let isReplaced = path.contains("ShoppingList14")
    #expect(Set(found) == (isReplaced ? ["WS911 Location", "WS911 ShoppingItem"] : []))
  }
}
