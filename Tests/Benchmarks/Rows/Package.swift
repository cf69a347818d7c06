// swift-tools-version: 6.2
import PackageDescription

// Rows as GRDB reads them, beside which managed objects are measured. A package of its own, so that nothing
// that CI builds depends on GRDB.
let package = Package(
  name: "Rows",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")],
  targets: [
    .executableTarget(
      name: "RowRun",
      dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
      ]
    )
  ]
)
