import Foundation
import MigrationTestSupport
import Testing

/// Stores of the XML kind that a script makes, which then holds every object of the results against them.
@Suite struct MadeXMLStoreTests {
  @Test func `every object arrives at each of three versions, in memory that does not grow`() throws
  {
    let python = Process()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let isSanitized = ProcessInfo.processInfo.environment["WAYSTONE_SANITIZER"] != nil
    python.arguments =
      [
        "python3", SampleArchive.root + "/../Tests/XMLStores/check_xml_stores.py",
        "--program", ProcessRun.executable("waystone").path,
      ]
      // A sanitizer keeps what is let go of.
      + (isSanitized ? [] : ["--growth", "30"])
      + (Trials.areAll ? ["10000", "100000"] : ["300", "3000"])
    let output = Pipe()
    python.standardOutput = output
    try python.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    python.waitUntilExit()
    #expect(python.terminationStatus == 0, "\(text)")
    #expect(text.components(separatedBy: " compared, 0 mistakes").count == 7, "\(text)")
  }
}
