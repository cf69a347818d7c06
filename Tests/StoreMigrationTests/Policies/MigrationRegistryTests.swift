import StoreMigration
import Testing

/// Names of policies, with and without the module that they are in.
@Suite struct MigrationRegistryTests {
  class ImagePolicy: EntityMigrationPolicy {}
  class Other: EntityMigrationPolicy {}

  @Test(arguments: ["ImagePolicy", "Notes.ImagePolicy", "Anything.ImagePolicy"])
  func `a class is found under its name in any module`(name: String) throws {
    var registry = MigrationRegistry()
    registry.register(ImagePolicy.self)
    let found = try #require(registry.policy(named: name))
    #expect(found == ImagePolicy.self)
    #expect(registry.policy(named: "Notes.Other") == nil)
    #expect(registry.policy(named: "") == nil)
  }

  @Test func `a name with a module is found without it, and not under another module`() {
    var registry = MigrationRegistry()
    registry.register(ImagePolicy.self, as: "Notes.ImagePolicy")
    #expect(registry.policy(named: "ImagePolicy") == ImagePolicy.self)
    #expect(registry.policy(named: "Notes.ImagePolicy") == ImagePolicy.self)
    #expect(registry.policy(named: "Letters.ImagePolicy") == nil)
  }

  @Test func `a name that two modules share is nobody's without the module`() {
    var registry = MigrationRegistry()
    registry.register(ImagePolicy.self, as: "Notes.Policy")
    registry.register(Other.self, as: "Letters.Policy")
    #expect(registry.policy(named: "Policy") == nil)
    #expect(registry.policy(named: "Letters.Policy") == Other.self)
    #expect(registry.policyNames == ["Letters.Policy", "Notes.Policy"])
  }

  @Test func `a later registration of a name replaces an earlier one`() {
    var registry = MigrationRegistry()
    registry.register(ImagePolicy.self, as: "Policy")
    registry.register(Other.self, as: "Policy")
    registry.register(handler: "fill") { _ in }
    #expect(registry.policy(named: "Policy") == Other.self)
    #expect(registry.handler(named: "fill") != nil)
    #expect(registry.handler(named: "Fill") == nil)
    #expect(registry.handlerNames == ["fill"])
  }
}
