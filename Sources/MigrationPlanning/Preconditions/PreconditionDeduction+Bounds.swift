import ObjectModel

extension PreconditionDeduction {
  /// Whether validation accepts the values that are carried, where each object is held against its model
  /// once it is made.
  func boundsPreconditions() -> [Precondition] {
    var gathered = Gathered()
    for row in rows where !row.isOpaque {
      for attribute in destination.attributes(of: row.destination) {
        guard let value = row.resolution.attributes[attribute.name], value.isOfStoredValue,
          value.unchanged.carriedProperty != nil, !row.resolution.derived.contains(attribute.name)
        else { continue }
        for bound in attribute.bounds {
          gathered.add(
            bound.code,
            row.destination,
            attribute.name,
            .within(bound),
            row.subject([value])
          )
        }
      }
    }
    return gathered.sorted
  }
}

extension AttributeDescription {
  /// What validation asks of its values.
  fileprivate var bounds: [Precondition.Bound] {
    switch attributeType {
    case .string:
      [
        validation.minimum?.length.map { .shortest($0) },
        validation.maximum?.length.map { .longest($0) },
        validation.regularExpression.map { .pattern($0) },
      ].compactMap(\.self)
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date:
      [
        validation.minimum?.ordered.map { .least($0) },
        validation.maximum?.ordered.map { .greatest($0) },
      ].compactMap(\.self)
    case .boolean, .uri, .uuid, .binary, .transformable, .undefined, .objectID, .composite: []
    }
  }
}

extension AttributeValue {
  /// The value, where numbers can be held against it.
  fileprivate var ordered: AttributeValue? {
    switch self {
    case .integer: self
    case .real(let number), .date(let number): number.isNaN ? nil : self
    case .decimal(let digits): Double(digits).map { .real($0) }
    case .string, .uri, .boolean, .uuid, .binary: nil
    }
  }

  /// The value as a number of UTF-16 units.
  fileprivate var length: Int64? {
    switch self {
    case .integer(let number): Swift.max(0, number)
    case .real(let number) where number.isFinite:
      Int64(Swift.min(Swift.max(number.rounded(.up), 0), 0x1p31))
    default: nil
    }
  }
}
