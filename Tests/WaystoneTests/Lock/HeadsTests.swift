import MigrationTestSupport
import Testing
import Waystone

/// The versions that claim to be the next one.
@Suite struct HeadsTests {
  private static let own = "heading: String? was title; isbn: String?"

  private static func book(_ more: String...) -> String {
    "Book { \(([own] + more.map { "\($0): String?" }).joined(separator: "; ")) }"
  }

  /// Lends the body a project of which v1, v2 and v3 are locked.
  private func withLocked(_ body: (SketchedProject) throws -> Void) throws {
    try SketchedProject.with(LockTests.library, locked: 3, body)
  }

  /// The heads with the version that each is based on: `v4 after v3`.
  private func heads(_ project: SketchedProject, of index: Int = 0) throws -> [String] {
    try project.project.heads()[index].heads.map { "\($0.version.name) after \($0.base.name)" }
  }

  @Test func `two versions claim to be next until an order is given`() throws {
    try withLocked { project in
      let number = "Book { \(Self.own); note: Int32?; year: String? }"
      try project.draw([("v4a", Self.book("note")), ("v4b", number)])
      #expect(try heads(project) == ["v4a after v3", "v4b after v3"])
      #expect(try project.project.heads()[0].overlaps == ["Book.note"])
      #expect(try project.check().failures.has(.severalHeads))
      try project.configure("order: [v1, v2, v3, v4a, v4b]")
      #expect(try heads(project).count < 2)
      #expect(try project.project.heads()[0].newVersions.map(\.name) == ["v4a", "v4b"])
      #expect(try !project.check().findings.has(.severalHeads))
    }
  }

  @Test func `the later of two heads is known to drop what the earlier adds`() throws {
    try withLocked { project in
      try project.draw([("v4", Self.book("note")), ("v4b", Self.book("year"))])
      #expect(try project.project.heads()[0].heads.map(\.losses) == [[], ["Book.note"]])
    }
  }

  @Test func `a model of which no version is locked has new ones`() throws {
    try withLocked { project in
      let side = [("s1", "Book { a: String? }"), ("s2", "Book { b: String? }")]
      try project.draw(side, of: "Side")
      #expect(try heads(project, of: 1) == [])
      #expect(try project.project.heads()[1].newVersions.map(\.name) == ["s1", "s2"])
      #expect(try project.check().versions?.newVersions == ["s1", "s2"])
    }
  }

  @Test func `versions that rename one after the other have one head`() throws {
    let versions = [
      ("v1.0.0", "Book { title: String? }"), ("v1.1.0", "Book { heading: String? was title }"),
      ("v1.1.2", "Book { caption: String? was heading }"),
      ("v2.0.0", "Book { label: String? was caption }"),
    ]
    try SketchedProject.with(named: versions, locked: 1) { project in
      #expect(try heads(project) == ["v2.0.0 after v1.0.0"])
      #expect(try !project.check().allFindings.has(.severalHeads))
      try project.lock(["v1.1.0", "v1.1.2"])
      #expect(try heads(project) == ["v2.0.0 after v1.1.2"])
    }
    // Both name what was there before, so that neither had the other.
    let rivals = versions.prefix(2) + [("v1.1.2", "Book { caption: String? was title }")]
    try SketchedProject.with(named: Array(rivals), locked: 1) { project throws in
      #expect(try heads(project) == ["v1.1.0 after v1.0.0", "v1.1.2 after v1.0.0"])
    }
  }

  @Test func `without a lock only shipped versions tell which are new`() throws {
    try SketchedProject.with(LockTests.library) { project in
      #expect(try project.project.heads()[0].isUnknown)
      try project.configure("shipped: [v1, v2]")
      #expect(try heads(project) == ["v3 after v2"])
    }
  }

  @Test func `two locked versions after the same one are heads`() throws {
    try withLocked { project in
      let path = "\(project.folder)/waystone.lock"
      let base = try #require(TemporaryFolder.bytes(of: path))
      let versions = [("v4a", Self.book("note")), ("v4b", Self.book("year"))]
      var locks: [[Substring]] = []
      for version in versions {
        try TemporaryFolder.write(base, to: path)
        try project.draw([version])
        try project.lock([version.0])
        let text = String(decoding: try #require(TemporaryFolder.bytes(of: path)), as: UTF8.self)
        locks.append(text.split(separator: "\n"))
        try project.remove(version: version.0)
      }
      try project.draw(versions)
      // The lines that `merge=union` in .gitattributes makes of the two.
      let union = locks[0] + locks[1].filter { !locks[0].contains($0) }
      try project.write(union.joined(separator: "\n") + "\n", to: "waystone.lock")
      #expect(try heads(project) == ["v4a after v3", "v4b after v3"])
      #expect(try project.check().failures.briefs.contains("error WS705 v4b"))
    }
  }

  @Test func `a conflict in the current version is named`() throws {
    try withLocked { project in
      let claims =
        "<<<<<<< HEAD\n<string>v2.xcdatamodel</string>\n=======\n"
        + "<string>v3.xcdatamodel</string>\n>>>>>>> other\n"
      try project.write(
        #"<plist version="1.0"><dict><key>_XCCurrentVersionName</key>"#
          + "\n\(claims)</dict></plist>",
        to: "Library.xcdatamodeld/.xccurrentversion"
      )
      #expect(try project.project.heads()[0].currentClaims == ["v2", "v3"])
      #expect(try project.check().failures.has(.currentVersionDisputed))
    }
  }

  @Test func `the ends of versions that branched are heads`() throws {
    let versions = ["a": [], "b": ["note"], "c": ["year"], "d": ["note", "year"]]
    let sketches = versions.sorted { $0.key < $1.key }.map { name, more in
      (name, "Book { \(([Self.own] + more.map { "\($0): String?" }).joined(separator: "; ")) }")
    }
    let order = "order: {a: [], b: a, c: a, d: [b, c]}\nshipped: [a, b, c]"
    try SketchedProject.with(named: sketches, locked: 4, configured: order) { project in
      let lock = try LockFile.read("\(project.folder)/waystone.lock", shownAs: "lock")
      #expect(lock?.versions.map(\.after) == [[], ["a"], ["a"], ["b", "c"]])
      #expect(try heads(project).count < 2)
      try project.remove(version: "d")
      try project.configure(order.replacing(", d: [b, c]", with: ""))
      #expect(try heads(project) == ["b after a", "c after a"])
      #expect(try project.check().failures.has(.shippedVersionStranded))
    }
  }
}
