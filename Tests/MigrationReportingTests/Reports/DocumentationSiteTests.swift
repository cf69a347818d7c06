import MigrationReporting
import Testing

@Suite struct DocumentationSiteTests {
  @Test func `editors are led to the schema on the site of the release`() {
    #expect(
      DocumentationSite.schemaComment(in: "https://docs.example.org/waystone//")
        == "# yaml-language-server: $schema=https://docs.example.org/waystone/schemas/waystone.yml.schema.json"
    )
  }

  @Test func `a release without a site leads nowhere`() {
    #expect(DocumentationSite.schemaComment(in: nil) == nil)
  }
}
