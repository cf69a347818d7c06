/// The site that `Scripts/docs` made of a release's documentation.
package enum DocumentationSite {
  /// Returns the comment that leads editors from `waystone.yml` to its JSON Schema: the modeline of the YAML
  /// language server.
  ///
  /// Only a site has the schema at one place for all who read the file. The folder of an installed package is
  /// another on each machine.
  ///
  /// - Parameter site: The address of the site; nil where the release has none, and then there is no comment.
  package static func schemaComment(in site: String?) -> String? {
    site.map {
      "# yaml-language-server: $schema=\(root(of: $0))/schemas/waystone.yml.schema.json"
    }
  }

  /// Returns the address of a site without slashes at its end.
  static func root(of site: String) -> Substring {
    var root = site[...]
    while root.hasSuffix("/") { root = root.dropLast() }
    return root
  }
}
