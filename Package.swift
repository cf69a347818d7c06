// swift-tools-version: 6.2
import PackageDescription

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser",
  package: "swift-argument-parser"
)
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let swiftParser = Target.Dependency.product(
  name: "SwiftParser",
  package: "swift-syntax",
  condition: .when(traits: ["SwiftData"])
)
let swiftSyntax = Target.Dependency.product(
  name: "SwiftSyntax",
  package: "swift-syntax",
  condition: .when(traits: ["SwiftData"])
)
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
  name: "Waystone",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Waystone", targets: ["Waystone"]),
    .library(name: "WaystoneCommand", targets: ["WaystoneCommand"]),
    .executable(name: "waystone", targets: ["WaystoneTool"]),
  ],
  traits: [
    .trait(
      name: "SwiftData",
      description: "Reads versions from Swift sources, which takes a build of swift-syntax."
    ),
    .default(enabledTraits: ["SwiftData"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.12.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
  ],
  targets: [
    // Stated by Scripts/package alone: any other build would have to be linked again after each commit.
    .target(
      name: "CBuild",
      cSettings: ["WAYSTONE_COMMIT", "WAYSTONE_DOCUMENTATION"].compactMap { name in
        Context.environment[name].map { .define(name, to: "\"\($0)\"") }
      }
    ),
    .systemLibrary(name: "CFiles"),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CSHA256"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "Files", dependencies: ["CFiles"]),
    .target(name: "PropertyLists"),
    .target(name: "ObjectModel", dependencies: ["PropertyLists", "CSHA256"]),
    .target(name: "XMLParsing", dependencies: ["ObjectModel", "PropertyLists", "CLibXML2"]),
    .target(name: "ModelCoding", dependencies: ["ObjectModel", "PropertyLists", "CZlib"]),
    .target(
      name: "ModelImport",
      dependencies: [
        "XMLParsing", "ModelCoding", "ObjectModel", "PropertyLists", "Files", yams,
      ]
    ),
    .target(
      name: "SwiftDataImport",
      dependencies: ["ObjectModel", "PropertyLists", "Files", swiftParser, swiftSyntax]
    ),
    .target(
      name: "StoreAccess",
      dependencies: [
        "XMLParsing", "ModelCoding", "ObjectModel", "PropertyLists", "Files", "CSQLite",
      ]
    ),
    .target(
      name: "StoreGeneration",
      dependencies: ["StoreAccess", "ModelCoding", "ObjectModel", "PropertyLists", "Files"]
    ),
    .target(name: "MigrationPlanning", dependencies: ["ObjectModel"]),
    // An independent witness of the runs: it cannot import them.
    .target(
      name: "StoreVerification",
      dependencies: ["MigrationPlanning", "StoreAccess", "ObjectModel", "Files"]
    ),
    .target(
      name: "StoreMigration",
      dependencies: [
        "StoreVerification", "MigrationPlanning", "StoreAccess", "ObjectModel", "PropertyLists",
        "Files",
      ]
    ),
    .target(
      name: "Waystone",
      dependencies: [
        "StoreMigration", "StoreVerification", "MigrationPlanning", "StoreGeneration",
        "StoreAccess", "ModelImport", "SwiftDataImport", "ModelCoding", "ObjectModel", "Files",
        yams,
      ]
    ),
    // Above the library, which cannot import it.
    .target(
      name: "BatchMigration",
      dependencies: [
        "Waystone", "StoreVerification", "StoreMigration", "MigrationPlanning", "StoreAccess",
        "ModelCoding", "ObjectModel", "Files",
      ]
    ),
    .target(
      name: "MigrationReporting",
      dependencies: [
        "BatchMigration", "StoreVerification", "Waystone", "SwiftDataImport", "StoreMigration",
        "MigrationPlanning",
        "ObjectModel",
        mustache,
      ],
      // Compiled in, as a bundle beside the program would stay behind where that is copied.
      resources: [
        .embedInCode("Formats/Page/page.mustache"), .embedInCode("Formats/Page/page.css"),
        .embedInCode("Formats/Page/page.js"), .embedInCode("Batch/Page/batch.mustache"),
        .embedInCode("Batch/Page/batch.css"), .embedInCode("Batch/Page/batch.js"),
      ]
    ),
    .target(
      name: "WaystoneCommand",
      dependencies: [
        "BatchMigration", "StoreVerification", "Waystone", "MigrationReporting",
        "StoreMigration", "MigrationPlanning",
        "StoreGeneration", "StoreAccess", "ModelImport", "SwiftDataImport", "ModelCoding",
        "ObjectModel", "XMLParsing", "Files", "CBuild", argumentParser, logging,
      ]
    ),
    // Not named as its product: some file systems take that for the library's name.
    .executableTarget(name: "WaystoneTool", dependencies: ["WaystoneCommand"]),
    .target(
      name: "MigrationTestSupport",
      dependencies: [
        "ModelCoding", "ModelImport", "StoreAccess", "ObjectModel", "PropertyLists", "CSQLite",
      ],
      path: "Tests/MigrationTestSupport"
    ),
    .testTarget(name: "FilesTests", dependencies: ["Files", "MigrationTestSupport"]),
    .testTarget(
      name: "PropertyListsTests",
      dependencies: ["PropertyLists", "MigrationTestSupport"]
    ),
    .testTarget(
      name: "MigrationPlanningTests",
      dependencies: ["MigrationPlanning", "ModelImport", "ObjectModel", "MigrationTestSupport"]
    ),
    .testTarget(name: "ObjectModelTests", dependencies: ["ObjectModel", "MigrationTestSupport"]),
    .testTarget(
      name: "MigrationReportingTests",
      dependencies: [
        "BatchMigration", "StoreVerification", "MigrationReporting", "Waystone", "StoreMigration",
        "MigrationPlanning", "ObjectModel", "MigrationTestSupport",
      ],
      exclude: ["Goldens"]
    ),
    .testTarget(
      name: "WaystoneCommandTests",
      dependencies: [
        "BatchMigration", "StoreVerification", "WaystoneCommand", "WaystoneTool", "Waystone",
        "MigrationReporting", "MigrationPlanning",
        "ModelImport", "ObjectModel", "StoreAccess", "StoreGeneration", "StoreMigration", "Files",
        "SwiftDataImport", "MigrationTestSupport", yams,
      ],
      exclude: ["Cases", "Goldens"]
    ),
    .testTarget(
      name: "WaystoneTests",
      dependencies: [
        "Waystone", "MigrationPlanning", "ModelImport", "ObjectModel", "StoreAccess",
        "StoreGeneration", "SwiftDataImport", "Files", "MigrationTestSupport",
      ]
    ),
    .testTarget(
      name: "BatchMigrationTests",
      dependencies: [
        "BatchMigration", "Waystone", "StoreMigration", "StoreGeneration", "StoreAccess", "Files",
        "MigrationTestSupport",
      ]
    ),
    .testTarget(
      name: "SwiftDataImportTests",
      dependencies: [
        "SwiftDataImport", "StoreAccess", "ModelImport", "ModelCoding", "ObjectModel", "Files",
        "MigrationTestSupport",
      ]
    ),
    .testTarget(
      name: "ModelCodingTests",
      dependencies: [
        "ModelCoding", "ModelImport", "ObjectModel", "PropertyLists", "StoreAccess",
        "MigrationTestSupport",
      ]
    ),
    .testTarget(
      name: "StoreAccessTests",
      dependencies: [
        "StoreAccess", "StoreGeneration", "ModelCoding", "ModelImport", "ObjectModel",
        "PropertyLists", "Files",
        "MigrationTestSupport",
      ]
    ),
    .testTarget(
      name: "StoreGenerationTests",
      dependencies: [
        "StoreVerification", "StoreGeneration", "StoreMigration", "StoreAccess",
        "MigrationPlanning", "ModelCoding",
        "ModelImport", "ObjectModel", "Files", "MigrationTestSupport",
      ]
    ),
    .testTarget(
      name: "ModelImportTests",
      dependencies: [
        "ModelImport", "MigrationPlanning", "ModelCoding", "StoreAccess", "ObjectModel",
        "PropertyLists", "MigrationTestSupport",
      ]
    ),
    .testTarget(
      name: "StoreVerificationTests",
      dependencies: [
        "StoreVerification", "StoreMigration", "MigrationPlanning", "ModelCoding", "StoreAccess",
        "ObjectModel", "PropertyLists", "Files", "MigrationTestSupport",
      ]
    ),
    .testTarget(
      name: "StoreMigrationTests",
      dependencies: [
        "StoreVerification", "StoreMigration", "MigrationPlanning", "ModelImport", "ModelCoding",
        "StoreAccess",
        "StoreGeneration", "ObjectModel", "PropertyLists", "Files", "MigrationTestSupport",
      ]
    ),
  ]
)

#if os(Linux)
  // On Apple's platforms the name is the framework's, which code that imports it then gets.
  package.products.append(.library(name: "CoreData", targets: ["CoreData"]))
  package.targets.append(
    .target(
      name: "CoreData",
      dependencies: [
        "StoreVerification", "Waystone", "StoreMigration", "MigrationPlanning", "StoreAccess",
        "ModelImport",
        "ObjectModel", "Files",
      ]
    )
  )
  package.targets.append(
    .testTarget(
      name: "CoreDataTests",
      dependencies: [
        "StoreVerification", "CoreData", "Waystone", "StoreMigration", "StoreGeneration",
        "StoreAccess", "ObjectModel",
        "Files", "MigrationTestSupport",
      ]
    )
  )
  for target in package.targets where target.name == "StoreMigrationTests" {
    target.dependencies.append("CoreData")
  }
#endif

/// Targets that are optimized in debug builds, too: tests spend a third of their time in them, and few debug them.
///
/// `WAYSTONE_UNOPTIMIZED=1` builds them like the others.
let optimized: Set<String> =
  Context.environment["WAYSTONE_UNOPTIMIZED"] == nil
  ? ["PropertyLists", "XMLParsing", "ObjectModel"] : []

/// Targets that call C: unsafe code is visible exactly there.
let wrapsC: Set<String> = ["Files", "ModelCoding", "ModelImport", "StoreAccess", "XMLParsing"]
for target in package.targets where target.type != .system {
  target.swiftSettings =
    [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .treatAllWarnings(as: .error),
    ] + (wrapsC.contains(target.name) ? [.strictMemorySafety()] : [])
    + (optimized.contains(target.name)
      ? [
        .unsafeFlags(
          ["-O", "-wmo", "-disable-batch-mode", "-num-threads", "2"],
          .when(configuration: .debug)
        )
      ] : [])
}
