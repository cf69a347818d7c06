import MigrationTestSupport
import StoreAccess
import Testing
import Waystone

/// Composite attributes: hop files, checks and the lock.
@Suite struct CompositeTests {
  /// Two plain numbers become a composite, which gets another element.
  private static let versions = [
    "Shop { name: String?; x: Double?; y: Double? }",
    "Shop { name: String?; location: Composite? of Place } composite Place { x: Double?; y: Double? }",
    "Shop { name: String?; spot: Composite? of Place } "
      + "composite Place { x: Double?; y: Double?; height: Double? }",
  ]

  @Test func `a composite is made, filtered, taken whole and by its elements`() throws {
    try SketchedProject.with(Self.versions) { project in
      try project.write(
        """
        from: v1
        to: v2
        entities:
          - source: Shop
            where: name != nil
            attributes:
              location.x: $source.x
              location.y: TERNARY($source.x == nil, nil, $source.y)
        """,
        to: "v1-v2.hop.yml"
      )
      try project.write(
        """
        from: v2
        to: v3
        entities:
          - source: Shop
            where: location != nil AND location.x > 0
            attributes:
              spot: TERNARY(location.y < 0, nil, $source.location)
              name: TERNARY($source.location.y == nil, "x alone", $source.name)
              spot.height: $source.location.x + 1
        """,
        to: "v2-v3.hop.yml"
      )
      let store = try project.store(
        "v1",
        rows: 6,
        """
        UPDATE ZSHOP SET ZNAME = 'n' || Z_PK, ZX = Z_PK, ZY = Z_PK * 2;
        UPDATE ZSHOP SET ZNAME = NULL WHERE Z_PK = 1;
        UPDATE ZSHOP SET ZY = -1 WHERE Z_PK = 2;
        UPDATE ZSHOP SET ZX = NULL WHERE Z_PK = 3;
        UPDATE ZSHOP SET ZX = -4 WHERE Z_PK = 4;
        UPDATE ZSHOP SET ZY = NULL WHERE Z_PK = 5;
        """
      )
      let outcome = try project.migrate(store, to: "o.sqlite") {
        $0.planning.acceptLoss = .any
        $0.planning.acceptUnknown = true
        $0.settings.acceptsChangedValues = true
      }
      #expect(outcome.verification.passed)
      let rows = try AppDatabase("\(project.folder)/o.sqlite")
        .rows("SELECT ZNAME, ZX, ZY, ZHEIGHT FROM ZSHOP ORDER BY Z_PK")
      #expect(
        rows == [
          [.text("n2"), .null, .null, .real(3)],
          [.text("x alone"), .real(5), .null, .real(6)],
          [.text("n6"), .real(6), .real(12), .real(7)],
        ]
      )
    }
  }

  @Test(arguments: [
    ("location.z: $source.x", "has no property location.z"),
    ("location: $source.place", "reads $source.place, which Shop does not have"),
    ("location.x: $source.name", "its value is a string"),
  ])
  func `a mistake is named at its element`(line: String, words: String) throws {
    try SketchedProject.with(Self.versions) { project in
      try project.hop("[{source: Shop, attributes: {\(line)}}]")
      var found = ""
      do {
        found = try project.check().failures.map(\.message).joined(separator: "\n")
      } catch let error as WaystoneError { found = error.message }
      #expect(found.contains(words), "\(found)")
    }
  }

  @Test func `an edit of a locked version names the element`() throws {
    try SketchedProject.with(Array(Self.versions.prefix(2)), locked: 2) { project in
      try project.redraw("v2", Self.versions[1].replacing("y: Double", with: "z: Double"))
      let edited = try project.check().failures.of(.shippedVersionRehashed)
      #expect(
        Set(edited.compactMap(\.place.property)).isSuperset(of: ["location.y", "location.z"])
      )
    }
  }
}
