import ObjectModel
import Testing

/// The example messages of NIST's Secure Hash Standard validation.
@Suite struct SHA2Tests {
  private static let medium = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
  private static let long =
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
    + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"
  private static let million = String(repeating: "a", count: 1_000_000)

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (medium, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    (long, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
    (million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func `SHA-256 gives NIST's values`(message: String, hash: String) {
    for usesInstructions in [false, SHA256.hasInstructions] {
      var sha = SHA256(usesInstructions: usesInstructions)
      sha.update(message.utf8)
      #expect(Hexadecimal.string(sha.finalize()) == hash)
    }
  }

  @Test(arguments: [
    (
      "",
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
    ),
    (
      "abc",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (
      long,
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
        + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
    ),
    (
      million,
      "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
        + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
    ),
  ])
  func `SHA-512 gives NIST's values`(message: String, hash: String) {
    #expect(Hexadecimal.string(SHA512.hash(Array(message.utf8))) == hash)
  }

  @Test(arguments: [1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 300])
  func `bytes fed piece by piece hash as the whole`(length: Int) {
    let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for piece in [1, 7, 64] {
      var short = SHA256(usesInstructions: false)
      var long = SHA512()
      for start in stride(from: 0, to: length, by: piece) {
        short.update(message[start..<min(start + piece, length)])
        long.update(message[start..<min(start + piece, length)])
      }
      #expect(short.finalize() == SHA256.hash(message))
      #expect(long.finalize() == SHA512.hash(message))
    }
  }
}
