import Foundation
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

/// The sample mapping models are what Xcode would write for the models beside them.
@Suite struct SampleMappingModelTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let model: String
    let source: String
    let destination: String
    let uuid: String
    let entities: @Sendable () -> [MappingModelText.Entity]
    /// Whether it lies in `Tests/Examples`, since another mapping for the same versions is in the archive.
    var isAlternative = false
    var testDescription: String { "\(model) \(source) to \(destination)" }

    var path: String {
      SampleArchive.root + (isAlternative ? "/../Tests/Examples" : "")
        + "/\(model).\(source)-\(destination).xcmappingmodel"
    }

    func text() throws -> String {
      MappingModelText.text(
        uuid: uuid,
        from: try SampleArchive.version(model, source),
        to: try SampleArchive.version(model, destination),
        entities()
      )
    }
  }

  static let samples = [
    Sample(
      model: "Notes",
      source: "v2",
      destination: "v3",
      uuid: "5B8E0C1A-6C0D-4B55-9B0B-2F6A37C9E023",
      entities: {
        [
          .init(
            "Note",
            "Note",
            ways: ["attachments": ("$source", "NoteToAttachment")]
          ),
          .init(
            "Note",
            "Attachment",
            filter: "image != nil",
            ways: ["note": ("$source", "NoteToNote")]
          ),
        ]
      }
    ),
    Sample(
      model: "Notes",
      source: "v3",
      destination: "v4",
      uuid: "5B8E0C1A-6C0D-4B55-9B0B-2F6A37C9E034",
      entities: {
        [
          .init(
            "Note",
            "Note",
            ways: ["attachments": ("$source.attachments", "AttachmentToImageAttachment")]
          ),
          .init(
            "Attachment",
            "ImageAttachment",
            policy: "Notes.ImageAttachmentPolicy",
            ways: ["note": ("$source.note", "NoteToNote")]
          ),
        ]
      }
    ),
    Sample(
      model: "Library",
      source: "v1",
      destination: "v2",
      uuid: "5B8E0C1A-6C0D-4B55-9B0B-2F6A37C9E112",
      entities: { [.init("Note", "Note", policy: "Library.NoteCategoryPolicy")] },
      isAlternative: true
    ),
  ]

  @Test(arguments: samples)
  func `the file is what its models and its entity mappings make`(_ sample: Sample) throws {
    let text = try sample.text()
    let file = sample.path + "/xcmapping.xml"
    let found = FileManager.default.contents(atPath: file).map {
      String(decoding: $0, as: UTF8.self)
    }
    if ProcessInfo.processInfo.environment["WAYSTONE_RECORD_GOLDENS"] == "1" {
      try FileManager.default.createDirectory(
        atPath: sample.path,
        withIntermediateDirectories: true
      )
      try text.write(toFile: file, atomically: true, encoding: .utf8)
    }
    #expect(found == text, "Record it anew with Scripts/record-goldens, and read it.")
  }

  @Test func `an entity mapping whose entities were never chosen is left out with a note`() throws {
    let text = try Self.samples[0].text()
    let first = try #require(text.firstRange(of: "name=\"entitymappings\""))
    let list = try #require(text[first.upperBound...].firstRange(of: "idrefs=\""))
    let empty = """
          <object type="XDDEVENTITYMAPPING" id="z9999">
              <attribute name="name" type="string">Undefined</attribute>
              <attribute name="mappingtypename" type="string">Undefined</attribute>
              <attribute name="mappingnumber" type="int16">99</attribute>
          </object>
      </database>
      """
    let edited =
      (text[..<list.upperBound] + "z9999 " + text[list.upperBound...])
      .replacing("</database>", with: empty)
    let plain = try MappingImporter.importMapping(xml: Array(text.utf8), file: "a/xcmapping.xml")
    let read = try MappingImporter.importMapping(xml: Array(edited.utf8), file: "a/xcmapping.xml")
    #expect(read.mapping == plain.mapping)
    #expect(read.findings.map(\.severity) == [.note])
    #expect(read.findings.first?.message.contains("names neither") == true)
  }

  @Test(arguments: samples)
  func `the models inside are those of the archive`(_ sample: Sample) throws {
    for name in [sample.source, sample.destination] {
      let model = try SampleArchive.version(sample.model, name).model
      let copy = try ModelImporter.importModel(
        elements: EditorModelWriter.archive(model),
        file: sample.model
      )
      #expect(copy.findings.isEmpty)
      #expect(copy.model.entityVersionHashes == model.entityVersionHashes)
      #expect(copy.model.versionIdentifiers == model.versionIdentifiers)
    }
  }
}
