// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    // Machines check their own state as they change: in tests, in the lab and in fuzzers, not in what users run.
    .define("CHECK_INVARIANTS", .when(configuration: .debug)),
]

/// A room of the house: a library target, and the folder of tests that bears its name; `fixtures` are folders in that which
/// hold no code, `embedded` files that become part of the code.
func room(
    _ name: String, _ dependencies: [Target.Dependency] = [], embedded: [String] = [],
    testing extra: [Target.Dependency] = [], fixtures: [String] = []
) -> [Target] {
    [
        .target(
            name: name, dependencies: dependencies, resources: embedded.map { .embedInCode($0) },
            swiftSettings: strict),
        .testTarget(
            name: name + "Tests",
            dependencies: [.byName(name: name), "TestTiers"] + dependencies + extra,
            exclude: fixtures,
            swiftSettings: strict),
    ]
}

/// What the application alone needs: a package that takes the libraries with `traits: []` resolves none of it.
func outside(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Application"]))
}

let nio: [Target.Dependency] = [
    outside("NIOCore", "swift-nio"), outside("NIOPosix", "swift-nio"),
]

let package = Package(
    name: "Caravan",
    products: [
        .library(name: "DeltaCRDT", targets: ["DeltaCRDT"]),
        .library(name: "DeltaCRDTFoundation", targets: ["DeltaCRDTFoundation"]),
        .library(name: "Convergence", targets: ["Convergence"]),
        .library(name: "ConvergenceTesting", targets: ["ConvergenceTesting"]),
        .library(name: "ConvergenceProcess", targets: ["ConvergenceProcess"]),
        .executable(name: "caravan", targets: ["caravan"]),
        .executable(name: "caravan-simulate", targets: ["CaravanSimulate"]),
    ],
    traits: [
        .trait(name: "Application", description: "The caravan command and its nodes, and the packages that they need."),
        .default(enabledTraits: ["Application"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev"])]),
        .systemLibrary(name: "CQREncode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CNATS"),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        // The commit that `caravan --version` names. Only Scripts/package gives it, so that a commit causes no rebuild.
        .target(
            name: "CBuild",
            cSettings: Context.environment["CARAVAN_COMMIT"].map { [.define("CARAVAN_COMMIT", to: "\"\($0)\"")] }),
        // The system's C library, for all that talk to the system.
        .target(name: "LibC", swiftSettings: strict),
    ]
        // The core: no clock, no randomness, no I/O.
        + room("DeltaCRDT", fixtures: ["Golden"])
        + room("DeltaCRDTFoundation", ["DeltaCRDT"])
        + room("Attachments", ["DeltaCRDT"], testing: ["Sodium", "ChangeLog", "Convergence"])
        + room("TripModel", ["Attachments", "CSodium", "DeltaCRDT"], testing: ["TripFixtures"])
        + [.target(name: "TripService", dependencies: ["Attachments", "TripModel"], swiftSettings: strict)]
        + room("TripText", ["Attachments", "TripModel", "TripService"], testing: ["TripFixtures"])
        + room("TripExchange", ["TripModel", "TripService", "TripText"], testing: ["TripFixtures"])
        + room(
            "TripPage", ["Attachments", "TripModel", "TripService", "TripExchange"],
            embedded: [
                "Style/tokens.css", "Style/page.css", "Style/views.css", "Style/map.css", "Style/photos.css",
                "Style/notes.css", "Style/print.css",
                "Icons/icon-180.png", "Icons/icon-192.png", "Icons/icon-512.png",
                "Script/patch.js", "Script/reader.js", "Script/photos.js", "Script/days.js", "Script/map.js",
                "Script/drafts.js", "Script/notes.js", "Script/carets.js", "Script/stream.js", "Script/page.js",
            ], testing: ["TripFixtures"],
            fixtures: ["Snapshots"])
        + room(
            "ChangeLog", ["DeltaCRDT"],
            testing: ["LogFixtures", "TripSimulation", "Convergence", "Sodium", "SyncEngine"])
        + [.target(name: "TripRules", dependencies: ["TripModel", "ChangeLog", "DeltaCRDT"], swiftSettings: strict)]
        + room(
            "SyncEngine", ["Attachments", "ChangeLog", "DeltaCRDT"],
            testing: ["LogFixtures", "Sodium", "Convergence", "TripSimulation"])
        // The harness for any replicated type. The second stands apart, so that nothing but tests links Swift Testing.
        + room("Convergence", ["DeltaCRDT"])
        + room("ConvergenceTesting", ["Convergence"], testing: ["DeltaCRDT"])
        // Programs in other languages under the harness.
        + room("ConvergenceProcess", ["Convergence", "LibC"])
        // Nodes that ship, in a simulated world.
        + room(
            "TripSimulation",
            ["Convergence", "SyncEngine", "ChangeLog", "DeltaCRDT", "TripModel", "TripRules", "Sodium"])
        // The shells: one for each thing outside.
        + room("Files", ["LibC"])
        + room("Sodium", ["CSodium", "ChangeLog", "LibC", "SyncEngine"])
        + room("AvahiDiscovery", ["CAvahi", "Files", "LibC", "SyncEngine"])
        + room(
            "TripStore",
            [outside("GRDB", "GRDB.swift"), "Attachments", "ChangeLog", "Files", "LibC", "SyncEngine"],
            testing: ["Sodium"])
        + room("PeerTransport", nio + ["LibC", "SyncEngine"])
        + room("Mailbox", ["CCurl", "CNATS", "CSodium", "ChangeLog", "Files", "LibC", "SyncEngine"])
        + room("QRCode", ["CQREncode"])
        + room("Desktop", ["Files", "LibC"])
        + [.target(name: "Console", dependencies: ["Files", "LibC"], swiftSettings: strict)]
        + room("Geography", ["Files", "TripPage"], testing: ["TripFixtures"])
        + room(
            "PageServer",
            nio + [
                outside("NIOHTTP1", "swift-nio"), "CZlib", "Attachments", "Files", "LibC", "TripModel",
                "TripService", "TripExchange", "TripPage",
            ], testing: ["CaravanNode"])
        // Where the parts meet.
        + room(
            "CaravanNode",
            nio + [
                "Attachments", "DeltaCRDT", "TripModel", "TripService", "ChangeLog", "TripRules", "SyncEngine",
                "Sodium", "AvahiDiscovery", "Mailbox", "TripStore", "PeerTransport", "Desktop", "Files", "LibC",
            ])
        + [
            .executableTarget(
                name: "caravan",
                dependencies: [
                    "CBuild", "CaravanNode", "PageServer", "Geography", "TripPage", "QRCode", "Desktop", "Console",
                    "Attachments", "Files", "LibC", "TripModel", "TripService", "TripText", "TripExchange",
                    outside("ArgumentParser", "swift-argument-parser"),
                ],
                swiftSettings: strict),
            // The simulator, for engineers: a program of its own, so that users install none of it.
            .executableTarget(
                name: "CaravanSimulate",
                dependencies: [
                    "TripSimulation", "Convergence", "ConvergenceProcess", "Files", "LibC", "TripText", "Console",
                    outside("ArgumentParser", "swift-argument-parser"),
                ],
                swiftSettings: strict),
            // What the tests of the model and of its texts share.
            .target(
                name: "TripFixtures", dependencies: ["TripModel", "DeltaCRDT"], path: "Tests/TripFixtures",
                swiftSettings: strict),
            // What the tests of the log and of its nodes share.
            .target(
                name: "LogFixtures", dependencies: ["ChangeLog", "Convergence", "DeltaCRDT", "TripSimulation"],
                path: "Tests/LogFixtures", swiftSettings: strict),
            // The tag that says which tests are left for Scripts/test --all.
            .target(name: "TestTiers", path: "Tests/TestTiers", swiftSettings: strict),
            .testTarget(
                name: "caravanTests",
                dependencies: [
                    "caravan", "CaravanSimulate", "LibC", "TestTiers",
                    outside("ArgumentParser", "swift-argument-parser"),
                ],
                swiftSettings: strict),
        ],
    swiftLanguageModes: [.v6]
)

// Scripts/bench alone builds this, and sets it: fleets see what is `package`, which no other package does.
if Context.environment["CARAVAN_FLEETS"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fleets",
            dependencies: [
                "DeltaCRDT", "TripModel", "ChangeLog", "TripRules", "SyncEngine", "Convergence", "TripSimulation",
                "Sodium", "LibC",
            ],
            path: "Benchmarks/Fleets", swiftSettings: strict))
}

// Scripts/fuzz alone builds this, and sets both: the part, for the shells take minutes and are left out where no shell is
// fuzzed, and what the compiler shall count in our own code. Of the harness nothing is built but the quick primitives,
// and it and the dependencies are built as ever.
if let part = Context.environment["CARAVAN_FUZZ"], let coverage = Context.environment["CARAVAN_FUZZ_COVERAGE"] {
    let core = [
        "DeltaCRDT", "Attachments", "TripModel", "TripService", "TripText", "TripExchange", "ChangeLog", "TripRules",
        "SyncEngine",
        "Sodium",
    ]
    let shells = part == "shells" ? ["TripStore", "CaravanNode"] : []
    for target in package.targets {
        if (core + shells).contains(target.name) {
            target.swiftSettings =
                strict + [
                    .define("CHECK_INVARIANTS"),
                    .unsafeFlags(["-sanitize=fuzzer", "-sanitize-coverage=" + coverage]),
                ]
        } else if target.name == "Convergence" {
            target.sources = ["SeededGenerator.swift"]
        } else if target.name == "TripSimulation" {
            target.sources = ["Cryptography"]
        }
    }
    package.targets.append(
        .executableTarget(
            name: "Fuzzers",
            dependencies: (core + shells).map { .byName(name: $0) } + ["Convergence", "LibC", "TripSimulation"]
                + (shells.isEmpty ? [] : nio + [outside("GRDB", "GRDB.swift")]),
            path: "Tests/Fuzzers", exclude: ["corpus"] + (shells.isEmpty ? ["Shells"] : []),
            swiftSettings: strict + (shells.isEmpty ? [] : [.define("SHELLS")]),
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]))
}
if let only = Context.environment["CARAVAN_ONLY"] {
    package.targets.removeAll { $0.type == .test && !only.split(separator: ",").contains(Substring($0.name)) }
}
