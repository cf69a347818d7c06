package import ObjectModel

/// The tables, columns, indexes and triggers that Core Data makes for a model.
///
/// Everything here is a function of the model, except for ``unsettledNames``. The rules were
/// measured on stores of public apps; they reproduce most of them to the letter.
package struct PhysicalSchema: Sendable {
  /// The model.
  package let model: ManagedObjectModel
  /// The number (`Z_ENT`) of each entity, abstract ones included.
  package let entityNumbers: [String: Int]
  /// The names of the entities; the first has number 1.
  package let entityNames: [String]
  /// The tables of the root entities, in order of number.
  package let tables: [EntityTable]
  /// The tables of the pairs of inverse to-many relationships.
  package let joinTables: [JoinTable]
  /// All indexes, those of join tables included.
  package let indexes: [SchemaIndex]
  /// The triggers of derived attributes.
  package let triggers: [SchemaTrigger]
  /// The derived attributes that can be kept up to date.
  package let derivedAttributes: [DerivedAttribute]
  /// The many-to-many names that the model does not settle, and how they were settled here.
  package let unsettledNames: [UnsettledName]
  /// The parts of the model whose place in a store is not known.
  package let unsupported: [UnsupportedFeature]
  /// The derived attributes whose triggers are not known; their columns are there.
  package let unsupportedDerivations: [PropertyReference]
  /// The indexes of the model that are not among ``indexes``.
  package let unsupportedIndexes: [UnsupportedIndex]

  let tablesByRoot: [String: EntityTable]
  let attributeColumns: [PropertyReference: SchemaColumn]
  let relationshipStorages: [PropertyReference: RelationshipStorage]

  /// Lays out the store of a model.
  ///
  /// - Parameter names: The known names that the model does not settle.
  /// - Complexity: O(*p* log *p*) in the properties that the entities declare.
  package init(model: ManagedObjectModel, names: JoinNames = .predicted) {
    self = Self.recent.value(of: Layout(model: model, names: names)) {
      Self(layingOut: model, names)
    }
  }

  /// The facts that a schema depends on.
  private struct Layout: Hashable, Sendable {
    let model: ManagedObjectModel
    let names: JoinNames
  }

  private static let recent = RecentValues<Layout, PhysicalSchema>(capacity: 16)

  private init(layingOut model: ManagedObjectModel, _ names: JoinNames) {
    let numbering = EntityNumbering(model: model)
    let prediction = TablePrediction(model: model, numbering: numbering)
    let roots = numbering.names.filter { model[$0]?.superentityName == nil }
    let tables = roots.map(prediction.table(root:))
    let joins = JoinPrediction(model: model, numbering: numbering, names: names).tables()
    let map = StorageMap(model: model, tables: tables, joinTables: joins.tables)
    let derivation = DerivationPrediction(model: model, numbering: numbering, map: map)
    let indexes = IndexPrediction(model: model, map: map)
    self.model = model
    entityNumbers = numbering.numbers
    entityNames = numbering.names
    self.tables = tables
    joinTables = joins.tables
    unsettledNames = joins.unsettled
    tablesByRoot = map.tablesByRoot
    attributeColumns = map.attributeColumns
    relationshipStorages = map.relationshipStorages
    let madeIndexes = indexes.indexes(tables: tables)
    self.indexes = madeIndexes.indexes + joins.tables.map(\.index)
    unsupportedIndexes = madeIndexes.unsupported
    let derived = derivation.derivedAttributes()
    derivedAttributes = derived.supported
    unsupportedDerivations = derived.unsupported
    triggers = derived.supported.flatMap(\.triggers)
    unsupported = SupportCheck(model: model, map: map).features(
      tables: tables,
      joinTables: joins.tables
    )
  }
}

extension PhysicalSchema {
  /// Returns the number of an entity.
  package func entityNumber(_ name: String) -> Int? { entityNumbers[name] }

  /// Returns the entity of a number.
  package func entityName(_ number: Int) -> String? {
    number > 0 && number <= entityNames.count ? entityNames[number - 1] : nil
  }

  /// Returns the numbers of the entity and all below it, which are in `Z_ENT` of its rows.
  package func entityNumbers(below name: String) -> [Int] {
    model[name] == nil
      ? [] : model.hierarchyNames(below: name).compactMap { entityNumbers[$0] }.sorted()
  }

  /// Returns the table with the rows of an entity: its root's.
  package func table(of entity: String) -> EntityTable? {
    model[entity] == nil ? nil : tablesByRoot[model.rootEntityName(of: entity)]
  }

  /// Returns the column of an attribute, own or inherited; nil where it is not stored.
  package func column(of attribute: String, in entity: String) -> SchemaColumn? {
    model.property(attribute, of: entity).flatMap {
      attributeColumns[.init(entityName: $0.entityName, propertyName: attribute)]
    }
  }

  /// Returns the storage of a relationship, own or inherited; nil where it is not stored.
  package func storage(of relationship: String, in entity: String) -> RelationshipStorage? {
    model.property(relationship, of: entity).flatMap {
      relationshipStorages[.init(entityName: $0.entityName, propertyName: relationship)]
    }
  }
}

extension PhysicalSchema {
  /// Returns the rows of `Z_PRIMARYKEY`, in order of number.
  ///
  /// - Parameter greatestKeys: The greatest key ever issued in the table of each root entity, by the
  ///   root's name; a missing one is 0. Subentities get 0, as in Core Data's own files.
  package func primaryKeyRows(greatestKeys: [String: Int64]) -> [PrimaryKeyTable.Row] {
    entityNames.enumerated().map { index, name in
      let parent = model[name]?.superentityName
      return PrimaryKeyTable.Row(
        entityNumber: Int64(index + 1),
        name: name,
        superentityNumber: Int64(parent.flatMap { entityNumbers[$0] } ?? 0),
        maximum: parent == nil ? greatestKeys[name] ?? 0 : 0
      )
    }
  }
}
