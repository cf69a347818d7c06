// swift-tools-version: 6.2
import PackageDescription

// A program with a policy of its own, as a project would build it: the one part of the benchmark
// that depends on the root package.
let package = Package(
  name: "Policies",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Waystone", path: "../../..", traits: [])],
  targets: [
    .executableTarget(
      name: "PolicyRun",
      dependencies: [.product(name: "Waystone", package: "Waystone")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
      ]
    )
  ]
)
