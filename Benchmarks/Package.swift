// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "Caravan", path: "..", traits: [])],
    targets: [
        .target(name: "CBench"),
        .executableTarget(
            name: "DeltaBench", dependencies: ["CBench", .product(name: "DeltaCRDT", package: "Caravan")]),
        .executableTarget(
            name: "TextBench", dependencies: ["CBench", .product(name: "DeltaCRDT", package: "Caravan")]),
        // The law checker of the tests, to be run for longer than a test may take: Checker is a link to its folder.
        .executableTarget(
            name: "Laws", dependencies: [.product(name: "DeltaCRDT", package: "Caravan")],
            exclude: [
                "Checker/LawTests.swift", "Checker/MutantTests.swift", "Checker/MarkMutantTests.swift",
                "Checker/TextMutantTests.swift", "Checker/LoggedMutantTests.swift",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
