// swift-tools-version: 6.2
import PackageDescription

// What projects build on Waystone: it sees no more of it than they do.
let waystone = Target.Dependency.product(name: "Waystone", package: "Waystone")

// The demo builds without swift-syntax.
let traits: Set<Package.Dependency.Trait> =
  Context.environment["WAYSTONE_WITHOUT_SWIFTDATA"] == nil ? [.defaults] : []

let package = Package(
  name: "Outside",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Waystone", path: "../..", traits: traits)],
  targets: [
    .target(name: "NotesPolicies", dependencies: [waystone]),
    .executableTarget(
      name: "CustomCommand",
      dependencies: [
        "NotesPolicies", waystone,
        .product(name: "WaystoneCommand", package: "Waystone"),
      ]
    ),
    .executableTarget(
      name: "StubbornCommand",
      dependencies: [
        "NotesPolicies", waystone,
        .product(name: "WaystoneCommand", package: "Waystone"),
      ]
    ),
    .executableTarget(name: "LibraryExample", dependencies: ["NotesPolicies", waystone]),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}
