import Testing

@testable import Waystone

@Suite struct BlobNameTests {
  @Test func `the content of a file has the name that git gives it`() {
    let sha1 = String(repeating: "0", count: 40)
    #expect(BlobName.name(of: [], like: sha1) == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
    #expect(
      BlobName.name(of: Array("hello\n".utf8), like: sha1)
        == "ce013625030ba8dba906f756967f9e9ca394464a"
    )
  }

  /// Lengths around those at which a hash begins another block; the sums are of Python's hashlib.
  @Test(arguments: [
    (40, "4cf1f3e81546a8a80f42f9ee78f871d6274e5159"),
    (64, "a3ffb025ec36ac68d8dd737de6c566691397c1f3"),
  ])
  func `contents of all lengths have right names`(digits: Int, sum: String) {
    let like = String(repeating: "0", count: digits)
    let names = (0..<200).map { length in
      BlobName.name(of: (0..<length).map { UInt8(($0 * 7 + length) % 256) }, like: like)
    }
    let all = Array(names.joined().utf8)
    #expect(BlobName.name(of: all, like: String(repeating: "0", count: 40)) == sum)
  }
}
