/// The kind of contents of a compared store.
struct Shape {
  /// The shape's name in the report.
  let name: String
  /// The first version of its model.
  let model: ModelText
  /// The entities whose rows are in the main table, which share the number of rows.
  var entities = ["Note"]
  /// The entities that rows of the main table are linked with, many to many.
  var linkedEntities = ["Tag"]
  /// SQL that gives the generated store its shape where chance does not.
  var preparation: String?

  static let all = [narrow, wide, text, links, hierarchy]

  /// Ten attributes of nine types.
  static let narrow = Shape(name: "narrow", model: ModelText())

  /// Sixty attributes.
  static let wide = Shape(
    name: "wide",
    model: ModelText().changing { attributes in
      let types = ["String", "Double", "Integer 64", "Date", "Boolean"]
      for number in 0..<50 {
        let type = types[number % types.count]
        attributes.append(
          ("field\(100 + number)", #"optional="YES" attributeType="\#(type)""#)
        )
      }
    }
  )

  /// Bodies of two to six thousand characters.
  static let text = Shape(
    name: "text-heavy",
    model: ModelText(),
    preparation: """
      UPDATE ZNOTE SET ZBODY =
        substr(replace(hex(zeroblob(2000)), '00', 'word '), 1, 2000 + Z_PK * 37 % 4000)
      """
  )

  /// Six attributes, and three many-to-many relationships.
  static let links: Shape = {
    let kept = ["body", "created", "rating", "sketch", "title", "words"]
    var model = ModelText().changing { attributes in
      attributes.removeAll { !kept.contains($0.name) }
    }
    let names = ["Person", "Place"]
    for name in names {
      model.noteRelationships += """
              <relationship name="has\(name)" optional="YES" toMany="YES" \
        deletionRule="Nullify" destinationEntity="\(name)" inverseName="notes" \
        inverseEntity="\(name)"/>

        """
      model.entitiesAfterNotebook += """
            <entity name="\(name)" representedClassName="\(name)" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="notes" optional="YES" toMany="YES" \
        deletionRule="Nullify" destinationEntity="Note" inverseName="has\(name)" \
        inverseEntity="Note"/>
            </entity>

        """
    }
    return Shape(name: "many-to-many", model: model, linkedEntities: ["Tag"] + names)
  }()

  /// Three sub-entities with attributes of their own in the table of their parent.
  static let hierarchy: Shape = {
    var model = ModelText()
    let names = ["Draft", "Letter", "Memo"]
    for name in names {
      let attributes = ["due", "place", "sender"].map {
        """
                <attribute name="\(name.lowercased())\($0)" optional="YES" attributeType="String"/>
        """
      }
      model.entitiesBefore += """
            <entity name="\(name)" representedClassName="\(name)" parentEntity="Note" \
        syncable="YES">
        \(attributes.joined(separator: "\n"))
            </entity>

        """
    }
    return Shape(name: "hierarchy", model: model, entities: ["Note"] + names)
  }()
}
