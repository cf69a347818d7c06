import ObjectModel
import Testing

@Suite struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `the vectors of RFC 4648 hold both ways`(plain: String, coded: String) {
    #expect(Base64.string(Array(plain.utf8)) == coded)
    #expect(Base64.bytes(coded) == Array(plain.utf8))
  }

  @Test func `every byte survives`() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(Base64.bytes(Base64.string(bytes)) == bytes)
    #expect(Hexadecimal.bytes(Hexadecimal.string(bytes)) == bytes)
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "Zm8", "Zm9v=", "Zg==Zg==", "Zm9*", "====", "Zg==="])
  func `text that is not base64 has no bytes`(text: String) { #expect(Base64.bytes(text) == nil) }

  @Test(arguments: ["0", "0g", "é1"])
  func `text that is not hexadecimal has no bytes`(text: String) {
    #expect(Hexadecimal.bytes(text) == nil)
  }
}
