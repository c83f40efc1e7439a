// swift-tools-version: 6.2
import PackageDescription

let libraries: [Target.Dependency] = [
    .product(name: "Convergence", package: "Caravan"), .product(name: "DeltaCRDT", package: "Caravan"),
]

/// Types that people might write, and tests of them with Convergence: what the documentation's tutorial walks through, and
/// what others published. And a board of cards on DeltaCRDT, which several processes share by files.
let package = Package(
    name: "Examples",
    dependencies: [.package(name: "Caravan", path: "..")],
    targets: [
        .target(name: "ConvergenceExample", dependencies: libraries),
        .target(name: "PublishedTypes", dependencies: libraries + ["ConvergenceExample"]),
        .executableTarget(name: "published-types", dependencies: libraries + ["PublishedTypes", "ConvergenceExample"]),
        .target(name: "KnownBugs", dependencies: libraries + ["PublishedTypes", "ConvergenceExample"]),
        .executableTarget(name: "known-bugs", dependencies: libraries + ["KnownBugs"]),
        .target(name: "BoardExample", dependencies: [.product(name: "DeltaCRDT", package: "Caravan")]),
        .executableTarget(name: "board", dependencies: ["BoardExample"]),
        .executableTarget(name: "board-first", dependencies: ["BoardExample"]),
        .testTarget(name: "BoardExampleTests", dependencies: ["board", "board-first"]),
        .testTarget(
            name: "ConvergenceExampleTests",
            dependencies: libraries + [
                "ConvergenceExample", .product(name: "ConvergenceTesting", package: "Caravan"),
            ]),
        .testTarget(
            name: "KnownBugsTests", dependencies: libraries + ["KnownBugs"], exclude: ["Traces"]),
        .testTarget(
            name: "PublishedTypesTests",
            dependencies: libraries + [
                "PublishedTypes", "ConvergenceExample", .product(name: "ConvergenceTesting", package: "Caravan"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
