import ObjectModel

/// The bits of an archived fetch request's `NSFetchRequestFlags`.
///
/// Measured on compiled models whose sources set them; which of 2 and 8 is which follows from the
/// order of the fields in Apple's public header.
struct FetchRequestFlags: OptionSet {
  let rawValue: Int64

  static let distinctResults = FetchRequestFlags(rawValue: 1)
  static let subentities = FetchRequestFlags(rawValue: 2)
  static let propertyValues = FetchRequestFlags(rawValue: 4)
  static let faults = FetchRequestFlags(rawValue: 8)
  static let pendingChanges = FetchRequestFlags(rawValue: 16)

  /// Returns the flags of a request that does not state any.
  static func standard(for resultType: FetchRequestTemplate.ResultType) -> FetchRequestFlags {
    switch resultType {
    case .dictionaries: [.subentities, .propertyValues, .faults]
    case .managedObjectIDs: [.subentities, .faults, .pendingChanges]
    case .managedObjects, .count: [.subentities, .propertyValues, .faults, .pendingChanges]
    }
  }

  /// Writes the flags that differ from the standard to the request.
  func write(to request: inout FetchRequestTemplate) {
    let standard = Self.standard(for: request.resultType)
    func value(_ flag: FetchRequestFlags) -> Bool? {
      contains(flag) == standard.contains(flag) ? nil : contains(flag)
    }
    request.returnsDistinctResults = value(.distinctResults)
    request.includesSubentities = value(.subentities)
    request.includesPropertyValues = value(.propertyValues)
    request.returnsObjectsAsFaults = value(.faults)
    request.includesPendingChanges = value(.pendingChanges)
  }

  /// Creates the flags that the request states, with the standard for the others.
  init(_ request: FetchRequestTemplate) {
    var flags = Self.standard(for: request.resultType)
    let said: [(Bool?, FetchRequestFlags)] = [
      (request.returnsDistinctResults, .distinctResults),
      (request.includesSubentities, .subentities),
      (request.includesPropertyValues, .propertyValues),
      (request.returnsObjectsAsFaults, .faults),
      (request.includesPendingChanges, .pendingChanges),
    ]
    for (value, flag) in said {
      if value == true { flags.insert(flag) } else if value == false { flags.remove(flag) }
    }
    self = flags
  }

  init(rawValue: Int64) { self.rawValue = rawValue }
}
