import ObjectModel

/// The bytes by which two plans are told apart, and their digest.
///
/// Every text and list is preceded by its length, so that no two plans spell the same bytes.
struct PlanFingerprint {
  /// The part of the tool's version that changes when plans are to be made anew.
  static let toolVersion = "waystone-plan-1"

  private var hash = SHA256()

  /// The digest of a plan as 64 hexadecimal digits.
  static func text(source: VersionNode, destination: VersionNode, hops: [Hop]) -> String {
    var fingerprint = PlanFingerprint()
    fingerprint.add(toolVersion)
    fingerprint.add(source.hashes)
    fingerprint.add(destination.hashes)
    fingerprint.add(count: hops.count)
    for hop in hops {
      fingerprint.add(hop.kind.rawValue)
      fingerprint.add(hop.source.hashes)
      fingerprint.add(hop.destination.hashes)
      fingerprint.add(hop.mapping)
    }
    return Hexadecimal.string(fingerprint.hash.finalize())
  }

  private mutating func add(count: Int) {
    withUnsafeBytes(of: UInt64(truncatingIfNeeded: count).littleEndian) { hash.update(Array($0)) }
  }

  private mutating func add(_ text: String?) {
    guard let text else { return add(count: -1) }
    add(count: text.utf8.count)
    hash.update(text.utf8)
  }

  private mutating func add(_ hashes: [String: VersionHash]) {
    add(count: hashes.count)
    for name in hashes.keys.sorted(by: ByteOrder.precedes) {
      add(name)
      hash.update(hashes[name]?.bytes ?? [])
    }
  }

  private mutating func add(_ userInfo: [String: String]) {
    add(count: userInfo.count)
    for key in userInfo.keys.sorted(by: ByteOrder.precedes) {
      add(key)
      add(userInfo[key])
    }
  }

  private mutating func add(_ mapping: MappingModel) {
    add(count: mapping.entityMappings.count)
    for entity in mapping.entityMappings {
      add(entity.name)
      add(count: entity.mappingType.rawValue)
      add(entity.sourceEntityName)
      add(entity.sourceEntityVersionHash?.description)
      add(entity.destinationEntityName)
      add(entity.destinationEntityVersionHash?.description)
      add(entity.entityMigrationPolicyClassName)
      add(entity.userInfo)
      for properties in [entity.attributeMappings, entity.relationshipMappings] {
        add(count: properties.count)
        for property in properties {
          add(property.name)
          add(property.userInfo)
          add(count: property.valueExpression == nil ? 0 : 1)
          if let expression = property.valueExpression { add(expression) }
        }
      }
    }
  }

  private mutating func add(_ expression: Expression) {
    switch expression {
    case .constant(let value):
      add("constant")
      add(value)
    case .evaluatedObject: add("self")
    case .variable(let name):
      add("variable")
      add(name)
    case .keyPath(let operand, let path):
      add("path")
      add(operand)
      add(count: path.count)
      for name in path { add(name) }
    case .function(let target, let selector, let arguments):
      add("function")
      add(target)
      add(selector)
      add(count: arguments.count)
      for argument in arguments { add(argument) }
    }
  }

  private mutating func add(_ value: AttributeValue?) {
    switch value {
    case nil: add("nil")
    case .integer(let integer):
      add("integer")
      add("\(integer)")
    case .real(let real):
      add("real")
      add("\(real.bitPattern)")
    case .decimal(let digits):
      add("decimal")
      add(digits)
    case .string(let text):
      add("string")
      add(text)
    case .boolean(let flag):
      add("boolean")
      add(flag ? "YES" : "NO")
    case .date(let seconds):
      add("date")
      add("\(seconds.bitPattern)")
    case .binary(let bytes):
      add("binary")
      add(Hexadecimal.string(bytes))
    case .uuid(let bytes):
      add("uuid")
      add(Hexadecimal.string(bytes))
    case .uri(let text):
      add("uri")
      add(text)
    }
  }
}
