/// A version of the measured model, as Xcode would write it.
///
/// A million notes of ten mixed attributes, with a to-one relationship to their notebook and a
/// many-to-many relationship to tags; an index on the date of creation.
struct ModelText {
  /// The text before the entity `Note`, in byte order of the entities.
  var entitiesBefore = ""
  /// The text after the entity `Notebook`.
  var entitiesAfterNotebook = ""
  /// The further relationships of `Note`.
  var noteRelationships = ""
  /// The further attributes of the element of `Note`.
  var noteAttributes = ""
  /// The lines of the attributes of `Note`, by name.
  var attributes: [(name: String, text: String)] = [
    ("body", #"optional="YES" attributeType="String""#),
    ("created", #"attributeType="Date" defaultDateTimeInterval="0" usesScalarValueType="NO""#),
    ("identifier", #"attributeType="UUID" usesScalarValueType="NO""#),
    ("isPinned", #"attributeType="Boolean" defaultValueString="NO" usesScalarValueType="YES""#),
    ("modified", #"optional="YES" attributeType="Date" usesScalarValueType="NO""#),
    ("price", #"optional="YES" attributeType="Decimal" defaultValueString="0""#),
    // Within what a decimal number holds, as a step makes it one.
    (
      "rating",
      #"optional="YES" attributeType="Double" minValueString="1" maxValueString="1000000" "#
        + #"defaultValueString="1" usesScalarValueType="YES""#
    ),
    ("sketch", #"optional="YES" attributeType="Binary""#),
    ("title", #"attributeType="String" defaultValueString="""#),
    (
      "words",
      #"attributeType="Integer 32" defaultValueString="0" usesScalarValueType="YES""#
    ),
  ]

  /// The same version with other attributes of notes.
  func changing(_ change: (inout [(name: String, text: String)]) -> Void) -> ModelText {
    var model = self
    change(&model.attributes)
    model.attributes.sort { $0.name < $1.name }
    return model
  }

  /// The content of an `.xcdatamodel`'s file `contents`.
  var contents: String {
    let lines = attributes.map { #"        <attribute name="\#($0.name)" \#($0.text)/>"# }
    return """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      \(entitiesBefore)
          <entity name="Note" representedClassName="Note"\(noteAttributes) syncable="YES">
      \(lines.joined(separator: "\n"))
      \(noteRelationships)
              <relationship name="notebook" optional="YES" maxCount="1" deletionRule="Nullify" \
      destinationEntity="Notebook" inverseName="notes" inverseEntity="Notebook"/>
              <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" \
      destinationEntity="Tag" inverseName="notes" inverseEntity="Tag"/>
              <fetchIndex name="byCreated">
                  <fetchIndexElement property="created" type="Binary" order="ascending"/>
              </fetchIndex>
          </entity>
          <entity name="Notebook" representedClassName="Notebook" syncable="YES">
              <attribute name="name" optional="YES" attributeType="String"/>
              <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" \
      destinationEntity="Note" inverseName="notebook" inverseEntity="Note"/>
          </entity>
      \(entitiesAfterNotebook)
          <entity name="Tag" representedClassName="Tag" syncable="YES">
              <attribute name="name" optional="YES" attributeType="String"/>
              <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" \
      destinationEntity="Note" inverseName="tags" inverseEntity="Note"/>
          </entity>
      </model>
      """
  }
}
