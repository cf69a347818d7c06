import MigrationReporting
import ObjectModel
import Testing

/// Tests of the report of `inspect` on a mapping.
@Suite struct MappingReportTests {
  @Test func `annotations of a mapping and of its properties are told`() {
    var entity = EntityMapping(mappingType: .custom, source: "Note", destination: "Note")
    entity.userInfo = ["batch": "10"]
    entity.attributeMappings = [PropertyMapping(name: "title", valueExpression: .source("title"))]
    entity.attributeMappings[0].userInfo = ["from": "a\nb"]
    let mapping = AuthoredMapping(
      name: "M",
      path: "M.xcmappingmodel",
      form: .mappingModel,
      mapping: MappingModel(entityMappings: [entity]),
      source: .init(hashes: [:], isWhole: false),
      destination: .init(hashes: [:], isWhole: false)
    )
    let report = MappingReport(
      path: "M.xcmappingmodel",
      mapping: mapping,
      versions: nil,
      findings: []
    )
    let lines = report.lines(isVerbose: false).map { $0.string(isColored: false) }
    #expect(lines.contains("  userInfo of the mapping: batch = 10"))
    #expect(lines.contains(#"  userInfo of title: from = a\u{a}b"#))
  }
}
