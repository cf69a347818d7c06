// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

// Programs as a project would build them, with a policy of its own and with managed objects: the one part of
// the benchmark that depends on the root package.
let package = Package(
  name: "Policies",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Waystone", path: "../../..", traits: [])],
  targets: [
    .executableTarget(
      name: "PolicyRun",
      dependencies: [.product(name: "Waystone", package: "Waystone")],
      swiftSettings: settings
    )
  ]
)

#if os(Linux)
  // On Apple's platforms the module is the framework's, which is not what is measured.
  package.targets.append(
    .executableTarget(
      name: "ObjectRun",
      dependencies: [.product(name: "CoreData", package: "Waystone")],
      swiftSettings: settings
    )
  )
#endif
