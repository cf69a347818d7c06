import SwiftDataImport
import Testing

/// A build without the package trait `SwiftData`, which reads no Swift sources.
@Suite struct UnavailableSourceTests {
  private static func text(_ name: String, _ text: String) -> SourceText {
    SourceText(name: name, bytes: Array(text.utf8))
  }

  @Test func `sources are refused by name, and only where one may declare a model`() {
    let others = [Self.text("Package.swift", "// x"), Self.text("B.swift", "struct Model {}")]
    #expect(SwiftDataImportError.refusal(of: others) == nil)
    let refusal = SwiftDataImportError.refusal(
      of: others + [
        Self.text("Z.swift", "@Model class Z {}"), Self.text("App/A.swift", "@Model class A {}"),
      ]
    )
    #expect(refusal?.code == .unavailable)
    #expect(refusal?.message.hasSuffix("@Model is in App/A.swift and in 1 more.") == true)
  }
}
