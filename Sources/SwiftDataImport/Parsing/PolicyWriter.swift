#if SwiftData
  import SwiftSyntax

  /// A writer of the declarations that some policies need, and of nothing else.
  struct PolicyWriter {
    /// A declaration, or a member of it.
    struct Place: Hashable {
      let item: Int
      /// Nil for the declaration itself.
      let member: Int?
    }

    /// A name that a file uses.
    private struct Use: Hashable {
      let name: String
      let file: Int
    }

    static let ancestors: Set<String> = [
      "NSEntityMigrationPolicy", "NSManagedObject", "ValueTransformer",
      "NSSecureUnarchiveFromDataTransformer",
    ]

    /// Types whose extensions are used without a name for the type.
    static let everyday: Set<String> = [
      "Array", "Bool", "Character", "Collection", "Data", "Date", "DateFormatter", "Decimal",
      "Dictionary",
      "Double", "FileManager", "Float", "Int", "Int16", "Int32", "Int64", "JSONDecoder",
      "JSONEncoder",
      "NSManagedObject", "NSManagedObjectContext", "NSMigrationManager", "NSEntityMapping",
      "NSEntityDescription", "NSEntityMigrationPolicy", "NSError", "NSExpression", "NSFetchRequest",
      "NSManagedObjectID", "NSManagedObjectModel", "NSNumber", "NSOrderedSet", "NSPredicate",
      "NSObject", "NSPropertyMapping", "NSSet", "NSString", "Optional", "Sequence", "Set", "String",
      "StringProtocol", "SubSequence", "Substring", "URL", "UUID", "UserDefaults",
      "BinaryFloatingPoint", "BinaryInteger", "CGFloat", "Comparable",
      "Encodable", "Decodable", "Equatable", "Error", "FixedWidthInteger", "Hashable",
      "NSArray",
      "NSData", "NSDate", "NSDictionary", "NSMutableSet",
      "NSPersistentContainer",
      "NSPersistentStoreCoordinator", "NSSortDescriptor", "NSURL",
      "Numeric",
      "Range", "RangeReplaceableCollection", "RawRepresentable", "Result",
      "TimeInterval",
      "UInt", "UInt16", "UInt32", "UInt64", "UInt8",
    ]

    /// Members of those types that the standard library and Foundation have.
    private static let common: Set<String> = [
      "append", "compactMap", "components", "contains", "count", "description", "filter", "first",
      "firstIndex", "flatMap", "forEach", "hash", "index", "insert", "isEmpty", "joined", "keys",
      "last",
      "lowercased", "map", "max", "min", "prefix", "reduce", "remove", "removeAll",
      "replacingOccurrences",
      "reversed", "sorted", "split", "suffix", "trimmingCharacters", "uppercased", "values", "zip",
      "round",
      "rounded", "dropFirst", "dropLast", "absoluteString", "path", "lastPathComponent", "now",
      "encode",
      "decode", "string", "set", "object", "value", "setValue",
    ]

    /// Methods that Core Data's classes have themselves: an extension's method of such a name and labels takes
    /// types of the app's own, which a policy does not have.
    private static let own: Set<String> = [
      "count(for:)", "delete(_:)", "destinationInstances(forEntityMappingName:sourceInstances:)",
      "entity(forEntityName:in:)", "execute(_:)", "existingObject(with:)",
      "expressionValue(with:context:)", "fetch(_:)", "init(context:)", "init(entity:insertInto:)",
      "insert(_:)",
      "insertNewObject(forEntityName:into:)", "object(with:)", "perform(_:)", "performAndWait(_:)",
      "primitiveValue(forKey:)", "save()", "setPrimitiveValue(_:forKey:)", "setValue(_:forKey:)",
      "setValue(_:forKeyPath:)", "value(forKey:)", "value(forKeyPath:)",
    ]

    let scan: PolicyScan
    private let policies: [PolicyScan.Item]
    /// The declarations that are no extensions, by their names.
    private(set) var itemsByName: [String: [Int]] = [:]
    /// The extensions, by the names of their types.
    private(set) var extensionsByName: [String: [Int]] = [:]
    private var membersByName: [String: [Place]] = [:]
    /// Whether each item is of a class of managed objects.
    private(set) var isManaged: [Bool] = []
    /// Whether each item is of a policy.
    private(set) var isPolicy: [Bool] = []
    /// The policies that need each place.
    private(set) var needs: [Place: Set<String>] = [:]
    /// The names that are used.
    private var used: Set<String> = []
    /// The declarations that were chosen among those of other files than the user's own, by their names.
    private var chosen: [String: Set<Int>] = [:]
    /// The members of extensions of everyday types that are taken, by the code of each.
    private var shared: [String: Place] = [:]

    init(_ scan: PolicyScan, _ policies: [PolicyScan.Item]) {
      self.scan = scan
      self.policies = policies
      for (index, item) in scan.items.enumerated() {
        if item.isExtension {
          extensionsByName[item.name, default: []].append(index)
        } else {
          itemsByName[item.name, default: []].append(index)
        }
        for (member, found) in item.members.enumerated() {
          let place = Place(item: index, member: member)
          for name in PolicyScan.names(of: found.declaration) {
            membersByName[name, default: []].append(place)
          }
          if item.isExtension, let made = PolicyScan.initializer(found.declaration) {
            membersByName[made, default: []].append(place)
            membersByName[made.replacing("init", with: item.name), default: []].append(place)
          }
        }
      }
      let managed = Set(
        scan.items.filter { !$0.isExtension && scan.descends($0, from: ["NSManagedObject"]) }
          .map(\.name)
      )
      isManaged = scan.items.map { managed.contains($0.name) }
      let coded = Set(scan.policies.map(\.name))
      isPolicy = scan.items.map { coded.contains($0.name) }
      for policy in policies { close(over: policy) }
    }

    /// Notes all that a policy needs.
    private mutating func close(over policy: PolicyScan.Item) {
      var names: Set<String> = []
      var seen: Set<Use> = []
      var taken: Set<Place> = []
      var waiting = [Use(name: policy.name, file: policy.file)]
      func take(_ wanted: Place) {
        let place = shared(wanted)
        guard taken.insert(place).inserted else { return }
        let item = scan.items[place.item]
        func wait(for names: some Sequence<String>) {
          waiting += names.map { Use(name: $0, file: item.file) }
        }
        guard let member = place.member else {
          // A managed object's class needs its superclass alone, and an extension of an everyday type no
          // protocol; these concern the app only.
          if isManaged[place.item] {
            wait(for: item.inherited.prefix(1))
          } else if !isOfEveryday(place.item) {
            wait(for: item.names.union(witnesses(of: item)))
          }
          for (index, member) in item.members.enumerated()
          where isPolicy[place.item] || isNeeded(member, of: place.item, names) {
            take(Place(item: place.item, member: index))
          }
          return
        }
        take(Place(item: place.item, member: nil))
        let uses = item.members[member].uses
        wait(for: uses)
        let plain = uses.filter { !$0.hasPrefix(".") }
        guard isPolicy[place.item] else { return wait(for: plain.map { "." + $0 }) }
        // Where a policy names something without a dot, it is its own, its superclass's, or a global one.
        for name in plain {
          for place in membersByName[name] ?? [] where isOfAncestor(place, from: item.file) {
            take(place)
          }
        }
      }
      while let use = waiting.popLast() {
        guard seen.insert(use).inserted else { continue }
        let name = use.name
        names.insert(name)
        let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
        if plain == name {
          for index in itemsByName[name] ?? [] where isChosen(index, for: policy, from: use.file) {
            if scan.items[index].file != use.file { chosen[name, default: []].insert(index) }
            take(Place(item: index, member: nil))
          }
          // Members that were named before their type was.
          for index in extensionsByName[name] ?? [] {
            for (member, found) in scan.items[index].members.enumerated()
            where isPolicy[index] || isNeeded(found, of: index, names) {
              guard isSeen(Place(item: index, member: member), from: use.file) else { continue }
              take(Place(item: index, member: member))
            }
            if scan.items[index].members.isEmpty, !isManaged[index], !isOfEveryday(index) {
              take(Place(item: index, member: nil))
            }
          }
        }
        let meant = (membersByName[plain] ?? []).filter { place in
          guard let member = place.member, isOpen(place.item, plain, names, taken),
            isSeen(place, from: use.file)
          else { return false }
          return isNeeded(scan.items[place.item].members[member], of: place.item, names)
        }
        // Among extensions of everyday types, those in the user's own file are the nearest.
        let isOwnThere = meant.contains {
          isOfEveryday($0.item) && scan.items[$0.item].file == use.file
        }
        for place in meant
        where !isOwnThere || !isOfEveryday(place.item)
          || scan.items[place.item].file == use.file
        {
          take(place)
        }
      }
      for place in taken { needs[place, default: []].insert(policy.name) }
      used.formUnion(names.filter { !$0.hasPrefix(".") && !$0.hasSuffix(")") })
    }

    /// Returns the place of a member's code: modules of an app often have the same extension each, of which
    /// one is enough.
    private mutating func shared(_ place: Place) -> Place {
      guard let number = place.member, isOfEveryday(place.item) else { return place }
      let item = scan.items[place.item]
      let member = item.members[number]
      guard !item.isPrivate, !member.isPrivate else { return place }
      let access: Set<String> = ["public", "internal", "open"]
      let clause = item.declaration.as(ExtensionDeclSyntax.self)?.genericWhereClause
      let code = [clause.map(Syntax.init), Syntax(member.declaration)].compactMap(\.self).flatMap {
        $0.tokens(viewMode: .sourceAccurate).map(\.text).filter { !access.contains($0) }
      }
      let key = "\(item.name) \(code.joined(separator: " "))"
      if let known = shared[key] { return known }
      shared[key] = place
      return place
    }

    /// The members by which a type conforms to protocols that no source declares.
    private static let known: [String: Set<String>] = [
      "NSCopying": ["copy"], "Comparable": ["<"], "Equatable": ["=="],
      "Hashable": ["hash", "hashValue", "=="], "CustomStringConvertible": ["description"],
      "CustomDebugStringConvertible": ["debugDescription"],
      "LocalizedError": ["errorDescription", "failureReason", "recoverySuggestion", "helpAnchor"],
      "Encodable": ["encode"], "Decodable": ["init(from)"], "Codable": ["encode", "init(from)"],
      "Error": [], "Identifiable": ["id"], "NSCoding": ["encode", "init(coder)"],
      "NSSecureCoding": ["encode", "init(coder)", "supportsSecureCoding"],
      "CodingKey": ["stringValue", "intValue", "init(stringValue)", "init(intValue)"],
      "CustomNSError": ["errorDomain", "errorCode", "errorUserInfo"],
      "Collection": ["startIndex", "endIndex", "index", "subscript(_)"],
      "Sequence": ["makeIterator"], "IteratorProtocol": ["next"], "RawRepresentable": ["rawValue"],
      "CaseIterable": ["allCases"], "OptionSet": ["rawValue"],
    ]

    /// The members that code calls without their names, by the attributes of their types.
    private static let called: [String: Set<String>] = [
      "propertyWrapper": ["wrappedValue", "projectedValue"],
      "resultBuilder": [
        "buildArray", "buildBlock", "buildEither", "buildExpression", "buildFinalResult",
        "buildOptional", "buildPartialBlock",
      ],
    ]

    /// Returns the names, with dots, of the members by which a type conforms to its protocols.
    private func witnesses(of item: PolicyScan.Item) -> Set<String> {
      var names: Set<String> = []
      for attribute in item.attributes { names.formUnion(Self.called[attribute] ?? []) }
      for name in item.inherited {
        names.formUnion(Self.known[name] ?? [])
        for index in itemsByName[name] ?? []
        where scan.items[index].declaration.is(ProtocolDeclSyntax.self) {
          for member in scan.items[index].members {
            names.formUnion(PolicyScan.names(of: member.declaration))
            names.formUnion([PolicyScan.initializer(member.declaration)].compactMap(\.self))
          }
        }
      }
      return Set(names.map { "." + $0 })
    }

    /// Returns whether a member is in an extension of a class that all policies descend from.
    private func isOfAncestor(_ place: Place, from file: Int) -> Bool {
      let item = scan.items[place.item]
      return item.isExtension && ["NSEntityMigrationPolicy", "NSObject"].contains(item.name)
        && isSeen(place, from: file)
    }

    /// Returns whether a file can use an extension's member.
    private func isSeen(_ place: Place, from file: Int) -> Bool {
      let item = scan.items[place.item]
      guard item.isExtension, item.file != file else { return true }
      return !item.isPrivate && place.member.map { item.members[$0].isPrivate } != true
    }

    /// Returns whether a needed type's member is needed, too.
    private func isNeeded(
      _ member: PolicyScan.Member,
      of item: Int,
      _ names: Set<String>
    ) -> Bool {
      if isOfEveryday(item), let signature = PolicyScan.signature(member.declaration),
        Self.own.contains(signature)
      {
        return false
      }
      if member.names.isEmpty {
        if scan.items[item].isExtension {
          if let made = PolicyScan.initializer(member.declaration) {
            // Every call without a label may mean it: the type that it takes decides.
            if made == "init(_)", !names.contains(PolicyScan.firstType(member.declaration) ?? "") {
              return false
            }
            return names.contains("." + made)
              || names.contains(made.replacing("init", with: scan.items[item].name))
          }
          return PolicyScan.names(of: member.declaration).contains { names.contains("." + $0) }
        }
        guard isManaged[item] else { return true }
        // Properties of a managed object are the model's, whether Swift names them or not.
        if let variable = member.declaration.as(VariableDeclSyntax.self) {
          return PolicyScan.names(of: DeclSyntax(variable)).contains {
            names.contains("." + $0)
          }
        }
        guard let made = member.declaration.as(InitializerDeclSyntax.self) else {
          // Core Data's own callbacks concern the app only.
          return !PolicyScan.isOverride(member.declaration)
            || PolicyScan.names(of: member.declaration).contains { names.contains("." + $0) }
        }
        let label = made.signature.parameterClause.parameters.first?.firstName.text
        return label == "entity" || label == "context"
      }
      return member.names.contains { names.contains("." + $0) }
    }

    private func isOfEveryday(_ index: Int) -> Bool {
      scan.items[index].isExtension && Self.everyday.contains(scan.items[index].name)
    }

    /// Returns whether the members of an item can be meant: its type is needed, or no source declares it.
    private func isOpen(_ index: Int, _ name: String, _ names: Set<String>, _ taken: Set<Place>)
      -> Bool
    {
      let item = scan.items[index]
      guard item.isExtension else { return taken.contains(Place(item: index, member: nil)) }
      // Every type has these; one of the app's own would be another way to the same.
      if Self.everyday.contains(item.name), Self.common.contains(name) { return false }
      return names.contains(item.name) || Self.everyday.contains(item.name)
    }

    /// Returns whether a declaration is the one that a file means, where several files have its name.
    private func isChosen(_ index: Int, for policy: PolicyScan.Item, from file: Int) -> Bool {
      let item = scan.items[index]
      guard !item.isPrivate || item.file == file else { return false }
      // Functions of one name may differ in their parameters.
      guard !item.declaration.is(FunctionDeclSyntax.self) else { return true }
      let same = (itemsByName[item.name] ?? []).filter {
        !scan.items[$0].isPrivate || scan.items[$0].file == file
      }
      if let own = same.first(where: { scan.items[$0].file == policy.file }),
        !same.contains(where: { scan.items[$0].file == file })
      {
        return own == index
      }
      // Else that of the nearest folder, as modules are folders.
      let depths = same.map { commonDepth(scan.items[$0].file, file) }
      let depth = depths.max()
      return zip(same, depths).first { $0.1 == depth }?.0 == index
    }

    /// The declarations that were chosen among several.
    var choices: [PolicySelection.Choice] {
      chosen.sorted { $0.key < $1.key }.flatMap { name, indexes in
        let all = (itemsByName[name] ?? []).filter {
          !scan.items[$0].isPrivate && !scan.items[$0].declaration.is(FunctionDeclSyntax.self)
        }
        return indexes.sorted().compactMap { index in
          let others = all.filter { $0 != index }.map { scan.files[scan.items[$0].file] }
          return others.isEmpty || !all.contains(index)
            ? nil
            : PolicySelection.Choice(
              name: name,
              file: scan.files[scan.items[index].file],
              others: others
            )
        }
      }
    }

    /// Returns the number of folders that two files are in together; the most for one file.
    private func commonDepth(_ file: Int, _ other: Int) -> Int {
      guard file != other else { return .max }
      let folders = [file, other].map { scan.files[$0].split(separator: "/").dropLast() }
      return zip(folders[0], folders[1]).prefix { $0 == $1 }.count
    }

    var missingNames: Set<String> {
      used.subtracting(scan.items.filter { !$0.isExtension }.map(\.name))
    }

    var managedObjectClasses: [String: String] {
      var classes: [String: String] = [:]
      for (index, item) in scan.items.enumerated()
      where needs[Place(item: index, member: nil)] != nil && !item.isExtension
        && scan.descends(item, from: ["NSManagedObject"])
      {
        classes[item.name] = Self.objectiveCName(item) ?? item.name
      }
      return classes
    }

    /// Returns the name in `@objc(Name)` of a class.
    static func objectiveCName(_ item: PolicyScan.Item) -> String? {
      guard let type = item.declaration.as(ClassDeclSyntax.self) else { return nil }
      for case .attribute(let attribute) in type.attributes
      where attribute.attributeName.trimmedDescription == "objc" {
        return attribute.arguments?.trimmedDescription
      }
      return nil
    }
  }
#endif
