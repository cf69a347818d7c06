internal import Foundation
internal import MigrationPlanning
internal import StoreAccess
internal import StoreMigration
internal import Waystone

extension MigrationCertificate {
  /// Reads a certificate.
  ///
  /// - Throws: ``CommandError``, `badFile` where it is none.
  init(reading path: String, shownAs shown: String) throws(CommandError) {
    let bytes = try InputFile.bytes(of: path, shownAs: shown, limit: Self.greatestSize)
    let read = try? JSONDecoder().decode(Self.self, from: Data(bytes))
    guard let read, read.schema == Self.schema else {
      throw CommandError(
        .badFile,
        "\(shown) is not a certificate of a migration.",
        recovery: "Name the file that `waystone migrate --certificate` wrote."
      )
    }
    self = read
  }

  /// Whether a store is what either end of the migration was.
  func check(of digest: LogicalDigest) -> VerificationReport.Check {
    let entities = digest.entities
    if let end = end(digest) {
      return VerificationReport.Check(
        "certificate",
        "the store is the \(end) of the certified migration",
        count: Int64(entities.count)
      )
    }
    var check = VerificationReport.Check(
      "certificate",
      "the store is the source or the result of the certified migration",
      count: Int64(entities.count)
    )
    for name in result.differences(from: digest) {
      check.details.append(.init(entity: name, "its objects are not those that were certified"))
    }
    check.failures = Int64(max(1, check.details.count))
    return check
  }
}
