import PropertyLists
import Testing

@Suite struct `Decimal numbers` {
  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("0e9", "0"), ("12.50", "12.50"), ("0.0", "0.0"), ("-0.0", "0.0"),
    ("+7", "7"), ("1e3", "1000"), ("-0.001", "-0.001"),
    (".5", "0.5"), ("100", "100"), ("25E-1", "2.5"),
    ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
  ])
  func `text is read and written plainly`(text: String, plain: String) {
    #expect(DecimalNumber(text)?.description == plain)
  }

  @Test(arguments: [
    "", "-", ".", "e5", "1e", "1e200", "1.2.3", "12a", "1e-129", "é",
    "340282366920938463463374607431768211456",
  ])
  func `what is no decimal number that fits is refused`(text: String) {
    #expect(DecimalNumber(text) == nil)
  }
}
