import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite struct HelpGoldenTests {
  @Test(arguments: ["waystone"] + WaystoneProgram.verbs)
  func `help is a text that somebody has read`(verb: String) throws {
    let help = try #require(WaystoneProgram.help(of: verb, columns: 80))
    let mismatch = Golden.mismatch(help + "\n", "help-\(verb.replacing(" ", with: "-")).txt")
    #expect(mismatch == nil)
  }

  @Test func `there is no help for what is no verb`() {
    #expect(WaystoneProgram.help(of: "fly", columns: 80) == nil)
  }
}
