extension StorePlace {
  /// Returns the start of the JSON text of each place in an archive, without the files.
  static func start(ofMembersIn archive: String) -> String {
    let whole = try? LedgerJSON.text(StorePlace.member(archive: archive, files: [:]))
    // `{"member":{"archive":"…","files":{}}}`
    return whole.map { String($0.dropLast(4)) } ?? ""
  }
}

extension StorePlace {
  /// Whether it is a file by itself, which can be migrated where it is.
  var isFile: Bool { if case .file = self { true } else { false } }
}
