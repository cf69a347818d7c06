/// Where a page comes from: the head of the page names it.
package struct PageOrigin: Hashable, Sendable {
  /// The version of the command.
  package var version: String
  /// The app, or the project's folder.
  package var app: String?
  /// The commit that was looked at.
  package var commit: String?
  /// The day when it was made.
  package var date: String?

  /// An origin; what is nil stands nowhere on the page.
  package init(version: String, app: String? = nil, commit: String? = nil, date: String? = nil) {
    self.version = version
    self.app = app
    self.commit = commit
    self.date = date
  }
}
