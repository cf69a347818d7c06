internal import Files

/// The files and folders that a batch keeps beside its ledger while it runs.
struct BatchFiles {
  let ledger: String

  /// The folder of certificates that are not in the ledger yet.
  var certificates: String { ledger + ".certificates" }
  /// The ending of the name of the folder of fetched stores, appended to the ledger's name.
  static let fetchedEnding = ".fetched"
  /// The folder of stores that were taken out of archives and backups.
  var fetched: String { ledger + Self.fetchedEnding }

  /// Returns the path at which the certificate of a store is written before the ledger takes it.
  func certificate(_ store: Int64) -> String { "\(certificates)/\(store).json" }

  /// Returns the path of the ledger that a certificate was written beside; nil for one that no batch wrote.
  static func ledger(ofCertificate path: String) -> String? {
    path.wholeMatch(of: /(.+)\.certificates\/[0-9]+\.json/).map { String($0.1) }
  }

  /// Returns the folder of a store that was taken out of an archive.
  func folder(_ store: Int64) -> String { "\(fetched)/\(store)" }

  /// Makes both folders.
  func prepare() throws {
    try FileSystem.ensureFolder(certificates)
    try FileSystem.ensureFolder(fetched)
  }

  /// Returns the bytes of a store's certificate; nil where there is none.
  func takenCertificate(_ store: Int64) throws -> [UInt8]? {
    let path = certificate(store)
    guard try FileSystem.exists(path) else { return nil }
    let file = try OpenFile(plainFile: path, limit: 256 << 20)
    return try file.read(count: Int(file.status().size), at: 0)
  }

  /// The numbers of the stores that have a certificate here.
  var certified: [Int64] {
    get throws {
      guard try FileSystem.exists(certificates) else { return [] }
      return try Folder(certificates).names().compactMap { name in
        name.hasSuffix(".json") ? Int64(name.dropLast(5)) : nil
      }
    }
  }

  /// Removes what was kept of a store whose end the ledger has.
  func forget(_ store: Int64) throws {
    try FileSystem.remove(certificate(store))
    try forgetFetched(store)
  }

  /// Removes what was taken of a store out of an archive.
  func forgetFetched(_ store: Int64) throws {
    guard try FileSystem.exists(folder(store)) else { return }
    try Folder(folder(store)).removeContents()
    try FileSystem.removeFolder(folder(store))
  }

  /// Removes the files fetched from archives by a dispatcher that was killed; no other dispatcher may run.
  func removeFetched() throws {
    if try FileSystem.exists(fetched) { try Folder(fetched).removeContents() }
  }

  /// Removes the folders where they are empty.
  func tidy() {
    try? FileSystem.removeFolder(fetched)
    try? FileSystem.removeFolder(certificates)
  }
}
