import MigrationReporting
import Testing

@Suite struct QuantityTests {
  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
    (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func `digits stand in groups of three`(number: Int, text: String) {
    #expect(Quantity.grouped(number) == text)
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1950, "2.0 kB"), (9949, "9.9 kB"),
    (9950, "10 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (4_200_000_000, "4.2 GB"),
    (Int.max, "9223 PB"), (Int.min, "-9223 PB"),
  ])
  func `bytes have two digits that matter`(bytes: Int, text: String) {
    #expect(Quantity.bytes(bytes) == text)
  }

  @Test(arguments: [
    (0, "0.0 s"), (9.94, "9.9 s"), (12.4, "12 s"), (185, "3 min 5 s"), (7440, "2 h 4 min"),
    (-1, "?"), (Double.nan, "?"), (Double.infinity, "?"),
  ])
  func `durations have their two largest units`(seconds: Double, text: String) {
    #expect(Quantity.seconds(seconds) == text)
  }

  @Test func `a noun follows its number`() {
    #expect(Quantity.count(1, "hop") == "1 hop")
    #expect(Quantity.count(0, "hop") == "0 hops")
    #expect(Quantity.count(2000, "hash", "hashes") == "2,000 hashes")
  }
}
