import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

@Suite struct SampleArchiveTests {
  @Test func `all models are read without a finding`() throws {
    let archive = try ArchiveLoader.load(SampleArchive.root)
    #expect(archive.findings == [])
    #expect(archive.models.map(\.name) == ["Aircraft", "Letters", "Library", "Notes", "People"])
    for (model, count) in zip(archive.models, [3, 4, 2, 4, 2]) {
      #expect(model.versions.map(\.name) == (1...count).map { "v\($0)" })
      #expect(model.current?.name == "v\(count)")
      #expect(model.versions.map(\.model.versionIdentifiers) == (1...count).map { ["\($0)"] })
    }
  }

  @Test func `no version hash is unproven`() throws {
    for version in try ArchiveLoader.load(SampleArchive.root).versions {
      for entity in version.model.entities {
        #expect(version.model.unprovenHashReasons(of: entity.name) == [])
      }
    }
  }

  /// Checksums recorded when the archive was made: a change of these is a change of shipped versions.
  @Test(arguments: [
    ("Aircraft", "v1", "8BVmSkwXK9datUvSqxIcwbNRQyQ+D4YWnFtTLWhg0QU="),
    ("Aircraft", "v2", "mtz+HxP5Q8g+xME5iWjPKzLVoVo/UiaqAooN75qrQPQ="),
    ("Aircraft", "v3", "sJfTmG3G2B9XRO9B6XzyGhZNLKJs0k4uRUpKpmygcb4="),
    ("Letters", "v1", "2jy7VRcCid/A18dx+E2ygNQqXEhS0QS/4q6V3uPTJCY="),
    ("Letters", "v2", "AhreI/wMbOfIE+KrOgtJcDgD6gvOnI63iu3zjxAPv+s="),
    ("Letters", "v3", "PcjPthrWxTB3+/AJYF6npHVudg4VLioMPO51eJnJ3sc="),
    ("Letters", "v4", "hIoQ3yMkc1GIX0L3X2hkaxrOSxUfCI6Xlf6o5eZvIVw="),
    ("Library", "v1", "t8HaZ9/55eA5r0dMQcgSwNf+Mh63UfJHCFh5jIFpaYE="),
    ("Library", "v2", "ctqXTMz7fD3xvFtVP0qvTEZh9f7zhX58CNcdnMWxoGs="),
    ("Notes", "v1", "TAaaSq9DjOQ9ODjcgfCHkHQ5S9ZnocNY2108yH+wq84="),
    ("Notes", "v2", "IMoyhu8Zd/S8UcWuk/ofq2it09EKm3WFuRdmIoj4drQ="),
    ("Notes", "v3", "xB2M1fP4prBPoumIFO5LvD2v7liUhMnGl8MxqaEqS5Q="),
    ("Notes", "v4", "w56MMeF3sJz7W/sY0YhpoJ7E7lk3DSLWDit7z52ry5I="),
    ("People", "v1", "btcqkyHo81ekHY1wDZRp1RoSOD3GIdluqsUXNoPiuLk="),
    ("People", "v2", "IWLeNcV8NflOgkOmtdqN5UemRxCll76rTrxnQ4cUObU="),
  ])
  func `versions keep their hashes`(model: String, name: String, checksum: String) throws {
    let version = try SampleArchive.version(model, name)
    #expect(version.model.versionChecksum == checksum)
  }

  @Test func `canonical names are unique in every version`() throws {
    for version in try ArchiveLoader.load(SampleArchive.root).versions {
      let entities = version.model.entities
      #expect(Set(entities.map(\.canonicalName)).count == entities.count)
      for entity in entities {
        let names = version.model.properties(of: entity.name).map(\.property.canonicalName)
        #expect(Set(names).count == names.count)
      }
    }
  }

  @Test func `the heading of a letter changes its name as the archive's README says`() throws {
    let names = try ["v1", "v2", "v3", "v4"].map { name in
      try SampleArchive.version("Letters", name).model.attributes(of: "Letter")
        .filter { ["heading", "title"].contains($0.name) }
        .map { "\($0.name)=\($0.canonicalName)" }
    }
    #expect(
      names == [
        ["title=title"], ["heading=title"], ["heading=heading", "title=formOfAddress"],
        ["heading=heading", "title=title"],
      ]
    )
  }

  @Test func `the fourth version renumbers nothing and the third everything`() throws {
    let names = try ["v1", "v2", "v3", "v4"].map { name in
      try SampleArchive.version("Letters", name).model.entities.map(\.name)
    }
    #expect(names[0] == names[1])
    #expect(names[2] == ["Address"] + names[1])
    #expect(names[3] == names[2])
  }
}
