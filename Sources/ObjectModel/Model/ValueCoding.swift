/// The parts of a Swift type that decide how a property's values are encoded, and that no version hash
/// contains: cases with their raw values or payloads, and coding keys.
package struct ValueCoding: Codable, Hashable, Sendable {
  /// The form in which a type encodes its values.
  package enum Form: String, Codable, Hashable, Sendable {
    /// An enumeration by its raw value.
    case rawValues
    /// An enumeration by the name of the case and its payload.
    case cases
    /// A structure by its coding keys.
    case keys
  }

  /// A case of an enumeration, or a stored property of a structure.
  package struct Item: Codable, Hashable, Sendable {
    /// The name in Swift.
    package var name: String
    /// The raw value as Swift spells it, or the coding key.
    package var key: String
    /// The payload of a case, or the type of a property.
    package var detail: String?

    /// A case or property.
    package init(_ name: String, key: String, detail: String? = nil) {
      self.name = name
      self.key = key
      self.detail = detail
    }
  }

  /// The name of the type, without those around it.
  package var type: String
  /// The names of the structures' properties between the property and the value, joined by dots; empty for
  /// the property itself.
  package var path: String
  /// The form in which it encodes its values.
  package var form: Form
  /// Whether the values are within others that the store keeps as bytes, so that no hash has a name of theirs.
  package var isWithinBytes: Bool
  /// The cases or properties.
  package var items: [Item]

  /// The coding of a type at a place.
  package init(_ type: String, at path: String, _ form: Form, isWithinBytes: Bool, _ items: [Item])
  {
    self.type = type
    self.path = path
    self.form = form
    self.isWithinBytes = isWithinBytes
    self.items = items
  }
}

/// A change of a Swift type after which values that were stored before are decoded differently, or not
/// at all.
package struct CodingChange: Hashable, Sendable {
  /// The kind of change.
  package enum Kind: Hashable, Sendable {
    /// A case is gone.
    case caseGone
    /// A case has another raw value.
    case rawValueChanged(to: String)
    /// A case carries other values.
    case payloadChanged(from: String?, to: String?)
    /// A property has another coding key.
    case keyChanged(to: String)
    /// A property, with its coding key, is gone.
    case keyGone
    /// A property is new, and values of before lack it.
    case keyRequired
    /// A property is of another type.
    case typeChanged(from: String, to: String)
  }

  /// The name of the type.
  package var type: String
  /// The path of the value from the property.
  package var path: String
  /// The name of the case or property.
  package var name: String
  /// The raw value or coding key of before.
  package var key: String
  /// The form in which the type encodes its values.
  package var form: ValueCoding.Form
  /// Whether the values are within bytes.
  package var isWithinBytes: Bool
  /// The kind of change.
  package var kind: Kind
  /// The case or property that takes values of before; nil where none does.
  package var takenBy: String?

  /// Whether values of before are no longer decoded.
  package var breaksValues: Bool { kind != .keyGone || takenBy != nil }

  /// The change as a clause.
  package var words: String {
    switch kind {
    case .caseGone: "case `\(name)` of \(type) is gone"
    case .rawValueChanged(let new):
      "case `\(name)` of \(type) has the raw value \(new) instead of \(key)"
    case .payloadChanged(let old, let new):
      "case `\(name)` of \(type) carries \(new ?? "nothing") instead of \(old ?? "nothing")"
    case .keyChanged(let new):
      "property `\(name)` of \(type) has the coding key \(new) instead of \(key)"
    case .keyGone: "property `\(name)` of \(type) is gone"
    case .keyRequired: "property `\(name)` of \(type) is new and required"
    case .typeChanged(let old, let new): "property `\(name)` of \(type) was \(old), is \(new)"
    }
  }

  /// The effect on values that were stored before.
  package var effect: String {
    if let takenBy { return "values stored as \(key) become `\(takenBy)`" }
    return switch kind {
    case .caseGone, .rawValueChanged:
      "rows that hold \(form == .rawValues ? key : "it") no longer decode"
    case .payloadChanged: "rows that hold it no longer decode"
    case .keyChanged, .keyRequired, .typeChanged: "values stored before it no longer decode"
    case .keyGone: "the app drops its values when it saves"
    }
  }
}

extension ValueCoding {
  /// The coding without names of types.
  package var unnamed: ValueCoding {
    var coding = self
    coding.type = ""
    coding.items = items.map { Item($0.name, key: $0.key) }
    return coding
  }

  /// Returns the changes by which values that were stored before are affected, in the order of the items.
  ///
  /// A new case, another name for a raw value, and a new optional property change nothing for them.
  package static func changes(from old: [ValueCoding], to new: [ValueCoding]) -> [CodingChange] {
    old.flatMap { before -> [CodingChange] in
      guard
        let after = new.first(where: { $0.path == before.path && $0.form == before.form })
      else { return [] }
      return before.changes(to: after)
    }
  }

  private func changes(to new: ValueCoding) -> [CodingChange] {
    func change(_ item: Item, _ kind: CodingChange.Kind, takenBy other: Item? = nil) -> CodingChange
    {
      CodingChange(
        type: new.type,
        path: path,
        name: item.name,
        key: item.key,
        form: form,
        isWithinBytes: new.isWithinBytes,
        kind: kind,
        takenBy: other?.name
      )
    }
    var changes = items.compactMap { item -> CodingChange? in
      let sameKey = new.items.first { $0.key == item.key }
      if let sameName = new.items.first(where: { $0.name == item.name }) {
        if sameName.key == item.key { return detail(item, sameName, change) }
        return change(
          item,
          form == .rawValues ? .rawValueChanged(to: sameName.key) : .keyChanged(to: sameName.key),
          takenBy: sameKey
        )
      }
      // Another name for the same value, unless that name was of another one.
      if let sameKey {
        if !items.contains(where: { $0.name == sameKey.name }) {
          return detail(item, sameKey, change)
        }
        return change(item, form == .keys ? .keyGone : .caseGone, takenBy: sameKey)
      }
      switch form {
      case .rawValues: return change(item, .caseGone)
      // The name of a case that is no part of other values is one of the entity's hash.
      case .cases: return isWithinBytes ? change(item, .caseGone) : nil
      case .keys: return change(item, .keyGone)
      }
    }
    if form == .keys {
      changes += new.items.filter { item in
        !items.contains { $0.key == item.key || $0.name == item.name }
          && item.detail?.hasSuffix("?") != true
      }.map { change($0, .keyRequired) }
    }
    return changes
  }

  /// Returns the change of a payload or type; nil where there is none that matters.
  private func detail(
    _ old: Item,
    _ new: Item,
    _ change: (Item, CodingChange.Kind, Item?) -> CodingChange
  ) -> CodingChange? {
    guard form != .rawValues, old.detail != new.detail else { return nil }
    if form == .cases { return change(old, .payloadChanged(from: old.detail, to: new.detail), nil) }
    let (before, after) = (old.detail ?? "", new.detail ?? "")
    // A type that becomes optional takes values that were never nil.
    return after == before + "?" ? nil : change(old, .typeChanged(from: before, to: after), nil)
  }
}
