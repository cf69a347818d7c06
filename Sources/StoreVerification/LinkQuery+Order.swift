import ObjectModel
import StoreAccess

extension LinkQuery {
  /// Counts members of an ordered list without a place, and members whose place is another's too.
  func checkOrder(
    _ connection: borrowing SQLiteConnection,
    _ check: inout VerificationReport.Check
  ) throws(SQLiteError) {
    // A table is read by itself: its index on the owner would only lead to each row one by one, and the
    // places be sorted anyhow.
    let groups =
      "SELECT owner, owner_order AS p, COUNT(*) AS n FROM (\(sql)) GROUP BY owner, owner_order"
    let row = try connection.counts(
      "SELECT COALESCE(SUM(n), 0), COALESCE(SUM(CASE WHEN p IS NULL THEN n ELSE n - 1 END), 0) "
        + "FROM (\(groups))"
    )
    check.count += row[0]
    let count = row[1]
    guard count > 0 else { return }
    let owners = try StoreVerifier.keys(
      connection,
      "SELECT DISTINCT owner FROM (\(groups)) WHERE n > 1 OR p IS NULL LIMIT 5"
    )
    check.fail(
      .init(
        entity: entity,
        property: relationship,
        "\(count) members have no place or that of another",
        count: count,
        primaryKeys: owners
      )
    )
  }
}
