import ModelImport
import ObjectModel
import Testing

struct HostileMappingTests {
  private func failure(xml body: String) -> ModelImportError? {
    do {
      _ = try MappingImporter.importMapping(
        xml: Array("<?xml version=\"1.0\"?>\n\(body)".utf8),
        file: "xcmapping.xml"
      )
      return nil
    } catch { return error }
  }

  @Test(arguments: [
    ("<model/>", "The file holds a model, not a mapping model's database."),
    ("<database/>", "The file has 0 mapping models, not one."),
    (
      #"<database><object type="A" id="z1"/><object type="B" id="z1"/></database>"#,
      "The object has no identifier of its own."
    ),
    (
      #"<database><object type="XDDEVMAPPINGMODEL"/></database>"#,
      "The object has no identifier of its own."
    ),
    (
      #"<database><object type="XDDEVMAPPINGMODEL" id="z1"/></database>"#,
      "The mapping model has no sourcemodeldata, so that nothing says which version it is for."
    ),
    (
      #"<database><object type="XDDEVMAPPINGMODEL" id="z1"><attribute name="sourcemodeldata">?"#
        + "</attribute></object></database>",
      "The sourcemodeldata is no base64."
    ),
  ])
  func `a file that is no mapping model is refused`(body: String, message: String) throws {
    let error = try #require(failure(xml: body))
    #expect(error.message == message)
    #expect(error.file == "xcmapping.xml")
  }

  @Test func `a file that declares entities is refused before it is read`() throws {
    let error = try #require(
      failure(xml: #"<!DOCTYPE database [<!ENTITY a "b">]><database>&a;</database>"#)
    )
    #expect(error.code == .hostileXML)
  }

  @Test func `a compiled mapping that is no archive is refused`() {
    #expect(throws: ModelImportError.self) {
      try MappingImporter.importMapping(compiled: Array("bplist00".utf8), file: "a.cdm")
    }
  }

  @Test func `a path that is no mapping model is refused`() {
    #expect(throws: ModelImportError.self) { try MappingImporter.importMapping(at: "/tmp") }
    #expect(throws: ModelImportError.self) { try MappingImporter.importMapping(at: "/none.cdm") }
  }
}
