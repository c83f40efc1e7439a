// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "Caravan", path: "..")],
    targets: [
        .target(name: "CBench"),
        .executableTarget(
            name: "DeltaBench", dependencies: ["CBench", .product(name: "DeltaCRDT", package: "Caravan")]),
    ],
    swiftLanguageModes: [.v6]
)
