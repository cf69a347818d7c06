import ObjectModel
import SwiftDataImport
import Testing

/// The part of an app's sources that its policies need.
@Suite(.enabled(if: SourceParser.isAvailable, "this build reads no Swift sources"))
struct PolicySelectionTests {
  static let app = [
    "Migrations/NotePolicy.swift": """
    import UIKit
    import CoreData

    /// A comment.
    @objc(NotePolicyName)
    final class NotePolicy: BasePolicy {
      private let limit = Limits.most

      override func createDestinationInstances(forSource sInstance: NSManagedObject,
          in mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        let note = Note(entity: mapping.entity, insertInto: manager.destinationContext)
        note.heading = (sInstance.value(forKey: #keyPath(Note.title)) as? String)?.shortened(to: limit)
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.predicate = NSPredicate(format: "title == %@", note.heading as CVarArg)
      }

      @objc func width(forImage image: NSData, _ scale: NSNumber) -> NSNumber { 1 }
      @objc(heightOf:) func height(_ image: NSData) -> NSNumber { 1 }
      func helper() {
        print(Bundle(for: AppDelegate.self).bundlePath)
        #if DEBUG
          Debugging.stop()
        #elseif os(iOS)
          helped()
        #endif
      }
    }
    extension NotePolicy { @objc func depth() -> NSNumber { 1 } }
    #if DEBUG
      enum Debugging { static func stop() {} }
    #else
      func helped() {}
    #endif
    """,
    "Migrations/BasePolicy.swift": """
    class BasePolicy: NSEntityMigrationPolicy { override init() { super.init() } }
    extension NSManagedObject { var counter: Int { 1 } }
    final class CountingPolicy: NSEntityMigrationPolicy { func count(_ o: NSManagedObject) { o.counter } }
    final class OtherPolicy: NSEntityMigrationPolicy { let unknown: UIColor = .red }
    """,
    "Model/Note.swift": """
    @objcMembers public class Note: NSManagedObject, Shareable {
      @NSManaged public var title: String?
      @NSManaged var heading: String?
      @NSManaged var color: UIColor
      @NSManaged func addToTags(_ value: NSSet)
      func draw(in view: UIView) { view.draw() }
    }
    enum Limits: Sendable // Not of every image.
    {
      #if ALPHA
        static let most = 2
      #else
        static let most = 3
      #endif
      static let screen = UIScreen.main.bounds
    }
    """,
    "App/AppDelegate.swift": "class AppDelegate { let window: UIWindow? = nil }",
    "Helpers/String.swift": """
    extension NSManagedObjectContext { var counter: Int { persistentStoreCoordinator } }
    extension String {
      func shortened(to length: Int) -> String { String(prefix(length)) }
      func sized(in font: UIFont) -> CGSize { .zero }
    }
    """,
  ]

  private func selection(_ wanted: Set<String>?) -> PolicySelection {
    PolicySelection(
      Self.app.sorted { $0.key < $1.key }.map {
        SourceText(name: $0.key, bytes: Array($0.value.utf8))
      },
      wanted: wanted
    )
  }

  private func text(_ selection: PolicySelection, without excluded: Set<String> = []) -> String {
    selection.files.map { $0.text(without: excluded) }.joined()
  }

  @Test func `the policies that are wanted are found by both of their names`() {
    #expect(selection(["NotePolicy"]).policies.map(\.className) == ["NotePolicy"])
    let named = selection(["NotePolicyName"]).policies
    #expect(named.map(\.objectiveCName) == ["NotePolicyName"])
    #expect(named.map(\.line) == [5])
    let all = selection(nil).policies.map(\.className)
    #expect(all == ["BasePolicy", "CountingPolicy", "NotePolicy", "OtherPolicy"])
  }

  @Test(arguments: [
    "class BasePolicy", "enum Limits", "static let most", "extension String", "func shortened",
    "class Note: NSManagedObject", "var heading: String?",
  ])
  func `what a policy uses comes along`(part: String) {
    #expect(text(selection(["NotePolicy"])).contains(part))
  }

  @Test(arguments: [
    "UI", "Shareable", "draw", "screen", "OtherPolicy", "sized", "addToTags", "@objc",
    "enum Debugging", "static let most = 2", "AppDelegate",
  ])
  func `what it does not use stays behind`(part: String) {
    #expect(!text(selection(["NotePolicy"])).contains(part))
  }

  @Test(arguments: [
    // A key path is its text, and a cast to what Linux lacks one to any value.
    "sInstance.value(forKey: \"title\")", "note.heading as Any",
    // The class of a bundle only names it.
    "print(Bundle.main.bundlePath)",
    // A property of the model is read and written by its key.
    "var heading: String? { get { managedValue(forKey: \"heading\") }",
    // An initializer that is called without a name of the class is a required one.
    "required init() { super.init() }",
    // Methods answer to the selectors by which mapping models know them.
    "case \"widthForImage::\", \"widthWithForImage::\": return self.width(forImage: "
      + "try argument(arguments, 0), try argument(arguments, 1))",
    "case \"depth\": return self.depth()", "func depth() -> NSNumber",
    "public override func answer",
    // What runs is what ships, on the system that it ships for.
    "static let most = 3", "enum Limits: Sendable // Not of every image.\n{",
    "#if WAYSTONE_DEBUG", "#elseif os(Linux)", "func helped()",
    "case \"heightOf:\": return self.height(try argument(arguments, 0))",
    "#sourceLocation(file: \"Migrations/NotePolicy.swift\", line: 9)",
  ])
  func `what Linux lacks is written in another way`(part: String) {
    #expect(text(selection(["NotePolicy"])).contains(part))
  }

  @Test func `a policy that is left out takes with it what only it uses`() {
    let all = selection(nil)
    #expect(text(all).contains("UIColor"))
    let rest = text(all, without: ["OtherPolicy"])
    #expect(!rest.contains("UIColor"))
    #expect(rest.contains("class NotePolicy"))
    #expect(all.policies(needing: "Migrations/BasePolicy.swift", line: 4) == ["OtherPolicy"])
    #expect(all.policies(needing: "Model/Note.swift", line: 3) == ["NotePolicy"])
    #expect(all.policies(needing: "Model/Note.swift", line: 99).isEmpty)
  }

  @Test func `of extensions of everybody's types those in the same file are meant`() {
    let text = text(selection(["CountingPolicy"]))
    #expect(text.contains("extension NSManagedObject"))
    #expect(!text.contains("persistentStoreCoordinator"))
  }

  @Test func `names that no source declares are told`() {
    let missing = selection(["OtherPolicy"]).missingNames
    #expect(missing.contains("UIColor"))
    #expect(!missing.contains("OtherPolicy"))
  }

  @Test func `a file that cannot be parsed is told of`() {
    let deep = String(repeating: "[", count: 200)
    let text = SourceText(name: "Deep.swift", bytes: Array("let a = \(deep)".utf8))
    let selection = PolicySelection([text], wanted: nil)
    #expect(selection.leftOut.map(\.place.file) == ["Deep.swift"])
  }

  /// Sources in which several files have private declarations of one name, and types conform in extensions.
  private static let modules = [
    "Engine/KeyPolicy.swift": """
    import Shared
    import Engine
    fileprivate let domain = "engine"
    final class KeyPolicy: NSEntityMigrationPolicy {
      private enum Charts { static let height = 1 }
      override func createDestinationInstances(forSource sInstance: NSManagedObject,
          in mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        let object = try initialize(sInstance, domain)
        let key = Key(hex: "00")
        object.setValue(key?.raw.hexed(), forKey: "key")
        let marker: Shared.Marker? = Shared.Marker(Shared.wordless.count)
        let os = ProcessInfo.processInfo.operatingSystemVersion
        print(os.majorVersion, Charts.height, Shade.most, Engine.Paired(), Bundle(for: Self.self).appVersion)
        let part: Shared.Marker.Part? = nil
        if let error = object as? DecodingError { print(error.errorDescription, Locale.current.named) }
      }
    }
    """,
    "Shared/Utils.swift": """
    public extension NSEntityMigrationPolicy {
      func initialize(_ object: NSManagedObject, _ domain: String) throws -> NSManagedObject { object }
      func unused() -> UIColor { .red }
    }
    public struct Marker {
      public struct Part {
        public let first: Int
        @available(iOS 17, *)
        public private(set) var second = 0
      }
      public init(_ number: Int) {}
    }
    public let wordless = ""
    enum Shade { static let most = 1 }
    extension Bundle { var appVersion: String { "1" } }
    extension DecodingError: LocalizedError { public var errorDescription: String? { "x" } }
    public protocol Named { var named: String { get } }
    extension Locale: Named { public var named: String { "x" } }
    """,
    "Shared/Twins.swift": "struct Paired {}",
    "Engine/Twins.swift": "struct Paired {}",
    "App/Charts.swift": "import Charts\nimport Shade\nimport os",
    "Engine/Key.swift": """
    public final class Key: NSObject, NSCopying, Comparable, Coded {
      let raw: Data
      init?(hex: String) { guard let data = Data(hexed: hex) else { return nil }; raw = data }
      init?(coded: Int) { nil }
      func drawn() -> UIColor { .blue }
    }
    extension Key { func copy(with zone: NSZone? = nil) -> Any { self } }
    extension Key { static func < (one: Key, other: Key) -> Bool { one.raw.count < other.raw.count } }
    protocol Coded { init?(coded: Int); var code: Int { get } }
    extension Key { var code: Int { 1 } }
    """,
    "Engine/Data.swift": """
    extension Data {
      init?(hexed: String) { self.init() }
      init?(unused: UIColor) { nil }
      func hexed() -> String { "engine" }
    }
    """,
    "App/Options.swift": """
    protocol Shown { var shown: Text { get } }
    extension Data: Shown {}
    extension String: Shown { var shown: Text { Text(self) } }
    """,
    "Shared/Manager.swift": """
    fileprivate let domain = "shared"
    fileprivate extension Data { func hexed() -> String { "shared" } }
    """,
  ]

  @Test func `members of extensions come along where a policy, a call or a protocol needs them`() {
    let texts = Self.modules.sorted { $0.key < $1.key }
      .map { SourceText(name: $0.key, bytes: Array($0.value.utf8)) }
    let text = PolicySelection(texts, wanted: ["KeyPolicy"]).files.map { $0.text(without: []) }
      .joined()
    for part in [
      "func initialize(", "init?(hexed:", "func copy(with", "static func <", "var code: Int { 1 }",
      #""engine" }"#, #"let domain = "engine""#, "let marker: Marker? = Marker(wordless.count)",
      "struct Marker", "let wordless",
      // What stands first in a line goes without the line.
      "let first: Int\n", "private(set) var second",
      // A name that something else has, or that two modules declare, stays.
      "print(os.majorVersion, Charts.height, Shade.most, Engine.Paired(), Bundle.main.appVersion)",
      "var appVersion",
      // Foundation's types conform by public members alone.
      "public var errorDescription", "\nvar named: String { \"x\" }",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    for part in ["unused", "drawn", "Shown", "Text", #""shared""#, "Shared.", "public struct"] {
      #expect(!text.contains(part), "\(part)")
    }
  }

  /// Two modules with an extension each that is the same, and a type each that is not.
  private static let twins = [
    "App/Policies.swift": """
    final class AppPolicy: NSEntityMigrationPolicy { func a(_ t: [Int]) { t[safe: 1]; Size().app() } }
    """,
    "App/Utils/Twin.swift": """
    extension Collection { subscript(safe index: Index) -> Element? { nil } }
    struct Size { func app() {} }
    extension Size { override var hash: Int { 1 } }
    """,
    "Engine/Policies.swift": """
    final class EnginePolicy: NSEntityMigrationPolicy { func a(_ t: [Int]) { t[safe: 1]; Size().engine() } }
    """,
    "Engine/Utils/Twin.swift": """
    public extension Collection {
      // Another comment.
      public subscript(safe index: Index) -> Element? { nil }
    }
    class Size { func engine() {} }
    extension Size { override var hash: Int { 2 } }
    """,
  ]

  @Test(arguments: [("AppPolicy", "app", "struct"), ("EnginePolicy", "engine", "class")])
  func `of declarations of one name that of the nearest folder is meant`(
    _ example: (policy: String, method: String, kind: String)
  ) {
    let texts = Self.twins.sorted { $0.key < $1.key }
      .map { SourceText(name: $0.key, bytes: Array($0.value.utf8)) }
    let text = PolicySelection(texts, wanted: [example.policy]).files
      .map { $0.text(without: []) }.joined()
    #expect(text.contains("\(example.kind) Size") && text.contains("func \(example.method)()"))
    let selection = PolicySelection(texts, wanted: nil)
    #expect(
      selection.choices.map { [$0.name, $0.file] + $0.others } == [
        ["Size", "App/Utils/Twin.swift", "Engine/Utils/Twin.swift"],
        ["Size", "Engine/Utils/Twin.swift", "App/Utils/Twin.swift"],
      ]
    )
    let all = selection.files.map { $0.text(without: []) }.joined()
    #expect(all.ranges(of: "subscript(safe").count == 1)
  }
}
