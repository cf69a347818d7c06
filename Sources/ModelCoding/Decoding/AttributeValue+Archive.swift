import ObjectModel
import PropertyLists

extension AttributeValue {
  /// Creates the value from an archived one, by its class; nil for other classes.
  init?(_ archived: ArchivedValue) {
    switch archived {
    case .plain(.boolean(let flag)): self = .boolean(flag)
    case .plain(.integer(let number)): self = .integer(number)
    case .plain(.real(let number)): self = .real(number)
    case .plain(.data(let bytes)): self = .binary(bytes)
    default:
      if let text = archived.string {
        self = .string(text)
      } else if let seconds = archived.date {
        self = .date(seconds)
      } else if let bytes = archived.data {
        self = .binary(bytes)
      } else if let bytes = archived.uuid {
        self = .uuid(bytes)
      } else if let text = archived.url {
        self = .uri(text)
      } else if let number = archived.decimal {
        self = .decimal(number.description)
      } else {
        return nil
      }
    }
  }

  /// The value as the attribute's type means it; nil where it does not fit the type.
  ///
  /// Archives keep truth values as 0 and 1 or as booleans, and whole doubles as whole numbers.
  init?(_ archived: ArchivedValue, type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64:
      let number =
        archived.integer ?? archived.real.flatMap { Int64(exactly: $0) }
        ?? archived.boolean.map { $0 ? 1 : 0 }
      guard let number else { return nil }
      self = .integer(number)
    case .double, .float:
      guard let number = archived.real else { return nil }
      self = .real(number)
    case .boolean:
      guard let flag = archived.boolean else { return nil }
      self = .boolean(flag)
    case .decimal:
      guard
        let text = archived.decimal?.description ?? archived.integer.map({ String($0) })
          ?? archived.real.map({ String($0) })
      else { return nil }
      self = .decimal(text)
    case .date:
      guard let seconds = archived.date else { return nil }
      self = .date(seconds)
    case .uri:
      guard let text = archived.url ?? archived.string else { return nil }
      self = .uri(text)
    case .string:
      guard let text = archived.string else { return nil }
      self = .string(text)
    case .binary:
      guard let bytes = archived.data else { return nil }
      self = .binary(bytes)
    case .uuid:
      guard let bytes = archived.uuid else { return nil }
      self = .uuid(bytes)
    case .transformable where archived.object?.isKind(of: "NSArray") == true:
      guard archived.elements?.isEmpty == true else { return nil }
      self = EmptyCollection.array.value
    case .transformable where archived.object?.isKind(of: "NSDictionary") == true:
      guard archived.pairs?.isEmpty == true else { return nil }
      self = EmptyCollection.dictionary.value
    case .undefined, .transformable, .objectID, .composite: self.init(archived)
    }
  }
}

extension KeyedArchiveWriter {
  /// Adds a value in the form that its class archives.
  ///
  /// - Throws: `ModelCodingError` where decimal text is no number that fits.
  mutating func add(_ value: AttributeValue) throws(ModelCodingError) -> Reference {
    switch value {
    case .integer(let number): return scalar(.integer(number))
    case .real(let number): return scalar(.real(number))
    case .boolean(let flag): return scalar(.boolean(flag))
    case .string(let text): return string(text)
    case .binary(let bytes): return scalar(.data(bytes))
    case .date(let seconds): return date(seconds)
    case .uuid(let bytes): return uuid(bytes)
    case .uri(let text): return url(text)
    case .decimal(let text):
      guard let number = DecimalNumber(text) else {
        throw .unsupported("A decimal number of the model has more than 38 digits, or is none.")
      }
      return decimal(number)
    }
  }
}

extension AttributeType {
  /// The class of the values of an attribute that names none; nil where there is no such class.
  var valueClassName: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .undefined, .transformable, .objectID, .composite: nil
    }
  }
}
