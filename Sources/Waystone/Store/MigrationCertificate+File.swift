internal import Foundation
package import StoreMigration

extension MigrationCertificate {
  /// Reads a certificate.
  ///
  /// - Throws: ``WaystoneError``, `badFile` where it is none.
  package init(reading path: String, shownAs shown: String) throws(WaystoneError) {
    let bytes = try InputFile.bytes(of: path, shownAs: shown, limit: Self.greatestSize)
    let read = try? JSONDecoder().decode(Self.self, from: Data(bytes))
    guard let read, read.schema == Self.schema else {
      throw WaystoneError(
        .badFile,
        "\(shown) is not a certificate of a migration.",
        recovery: "Name the file that `waystone migrate --certificate` wrote."
      )
    }
    self = read
  }
}
