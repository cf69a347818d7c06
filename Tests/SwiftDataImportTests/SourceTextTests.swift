import SwiftDataImport
import Testing

@Suite struct `Texts of Swift files` {
  @Test(arguments: [
    ("@Model final class A {}", true), ("@SwiftData.Model class A {}", true),
    ("  @Model\nfinal class A {}", true), ("// old: @Model\n@Model class A {}", true),
    ("@ModelActor actor Worker {}", false), ("// We do not use @Model here.", false),
    ("  /// A class with @Model.", false), ("let x = 1", false), ("@Model", true),
  ])
  func `may declare a model by the macro alone`(text: String, mayDeclare: Bool) {
    #expect(SourceText(name: "A.swift", bytes: Array(text.utf8)).mentionsModels == mayDeclare)
  }
}
