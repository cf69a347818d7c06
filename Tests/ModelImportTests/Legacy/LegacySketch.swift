import PropertyLists

/// Builds archives in the form of Xcode 3's model editor.
struct LegacySketch {
  /// An attribute or a relationship: its class and the values of its stereotypes, by key.
  struct Property {
    var className = "XDPMAttribute"
    var name: String
    var common: [String: PropertyList] = [:]
    var own: [String: PropertyList] = [:]
    /// The destination's name and the inverse's, of a relationship.
    var destination: (entity: String, inverse: String?)?
  }

  /// An entity: its parent, the values of its stereotype and its properties.
  struct Entity {
    var name: String
    var parent: String?
    var values: [String: PropertyList] = [:]
    var properties: [Property] = []
  }

  private var objects: [PropertyList] = [.string("$null")]
  private var classes: [String: PropertyList] = [:]

  /// The archive's bytes.
  static func archive(
    of entities: [Entity],
    configurations: [String] = [],
    rootClass: String = "XDPMModel"
  ) -> [UInt8] {
    var sketch = LegacySketch()
    let root = sketch.add(.null)
    let places = entities.map { _ in sketch.add(.null) }
    let names = Dictionary(zip(entities.map(\.name), places)) { first, _ in first }
    var properties: [String: PropertyList] = [:]
    for entity in entities {
      for property in entity.properties {
        properties["\(entity.name).\(property.name)"] = sketch.add(.null)
      }
    }
    for (entity, place) in zip(entities, places) {
      for property in entity.properties {
        guard let slot = properties["\(entity.name).\(property.name)"] else { continue }
        var own = property.own
        if let (destination, inverse) = property.destination {
          own["XD_PRK_destination"] = names[destination] ?? .uid(0)
          own["XD_PRK_inverseRelationship"] =
            inverse.flatMap { properties["\(destination).\($0)"] } ?? .uid(0)
        }
        let kind = property.destination == nil ? "XD_PAtt_Stereotype" : "XD_PR_Stereotype"
        let stereotypes = sketch.dictionary([
          "XD_PPropStereotype": sketch.stereotype(property.common),
          kind: sketch.stereotype(own),
        ])
        sketch.set(
          slot,
          property.className,
          [
            "_name": sketch.add(.string(property.name)), "_owner": place,
            "XDBucketForStereotypesstorage": stereotypes,
          ]
        )
      }
      let members = entity.properties.map { properties["\(entity.name).\($0.name)"] ?? .uid(0) }
      let links = entity.parent.map { parent in
        [sketch.object("XDUMLGeneralizationImp", ["_general": names[parent] ?? .uid(0)])]
      }
      sketch.set(
        place,
        "XDPMEntity",
        [
          "_name": sketch.add(.string(entity.name)),
          "XDBucketForOwnedAttributesstorage": sketch.list(members),
          "XDBucketForGeneralizationsstorage": sketch.list(links ?? []),
          "XDBucketForStereotypesstorage": sketch.dictionary([
            "XD_PStereotype": sketch.stereotype(entity.values)
          ]),
        ]
      )
    }
    let package = sketch.object(
      "XDModelPackage",
      ["XDBucketForClassesstorage": sketch.list(places)]
    )
    sketch.set(
      root,
      rootClass,
      [
        "_xd_rootPackage": package, "_modelVersionIdentifier": sketch.add(.string("7")),
        "_configurationsByName": sketch.dictionary(
          Dictionary(uniqueKeysWithValues: configurations.map { ($0, package) })
        ),
      ]
    )
    return PropertyList.dictionary([
      "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
      "$top": .dictionary(["root": root]), "$objects": .array(sketch.objects),
    ]).binary
  }

  private mutating func add(_ value: PropertyList) -> PropertyList {
    objects.append(value)
    return .uid(UInt64(objects.count - 1))
  }

  private mutating func set(
    _ slot: PropertyList,
    _ className: String,
    _ fields: [String: PropertyList]
  ) {
    guard case .uid(let number) = slot else { return }
    let reference = classReference(className)
    objects[Int(number)] = .dictionary(fields.merging(["$class": reference]) { $1 })
  }

  private mutating func object(
    _ className: String,
    _ fields: [String: PropertyList]
  ) -> PropertyList {
    let slot = add(.null)
    set(slot, className, fields)
    return slot
  }

  private mutating func classReference(_ name: String) -> PropertyList {
    if let known = classes[name] { return known }
    let names = [name, "NSObject"]
    let hierarchy = names.map { PropertyList.string($0) }
    classes[name] = add(
      .dictionary(["$classname": .string(name), "$classes": .array(hierarchy)])
    )
    return classes[name] ?? .uid(0)
  }

  private mutating func list(_ members: [PropertyList]) -> PropertyList {
    object("NSArray", ["NS.objects": .array(members)])
  }

  private mutating func dictionary(_ entries: [String: PropertyList]) -> PropertyList {
    let keys = entries.keys.sorted()
    return object(
      "NSDictionary",
      [
        "NS.keys": .array(keys.map { add(.string($0)) }),
        "NS.objects": .array(keys.compactMap { entries[$0] }),
      ]
    )
  }

  /// A stereotype whose values are references as they are, lists of lists, or plain.
  private mutating func stereotype(_ values: [String: PropertyList]) -> PropertyList {
    var imps: [String: PropertyList] = [:]
    for key in values.keys.sorted() {
      guard let value = values[key] else { continue }
      imps[key] = object("XDUMLPropertyImp", ["_default": reference(value)])
    }
    return object(
      "XDUMLStereotypeImp",
      ["XDBucketForOwnedAttributesstorage": dictionary(imps)]
    )
  }

  private mutating func reference(_ value: PropertyList) -> PropertyList {
    switch value {
    case .uid: value
    case .array(let items): list(items.map { reference($0) })
    case .dictionary(let entries): dictionary(entries.mapValues { reference($0) })
    default: add(value)
    }
  }
}
