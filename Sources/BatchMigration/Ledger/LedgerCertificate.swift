internal import ModelCoding
internal import Waystone

/// A certificate as a ledger keeps it: JSON as a DEFLATE stream (RFC 1951).
enum LedgerCertificate {
  /// More than any plan's certificate has.
  private static let limit = 256 << 20

  /// Compresses a certificate's JSON.
  static func packed(_ json: [UInt8]) throws -> [UInt8] {
    do throws(ModelCodingError) {
      return try RawDeflate.deflate(json)
    } catch {
      throw WaystoneError(
        .inputOutput,
        "There is not enough memory to compress a certificate.",
        recovery: "Close other programs and try again."
      )
    }
  }

  /// Decompresses a certificate's JSON; nil where the bytes are no such stream.
  static func json(_ bytes: [UInt8]) -> [UInt8]? {
    try? RawDeflate.inflate(bytes, maximumSize: limit)
  }
}
