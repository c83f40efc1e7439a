// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "Caravan", path: "..")],
    targets: [
        .target(name: "CMalloc"),
        .executableTarget(
            name: "DeltaBench", dependencies: ["CMalloc", .product(name: "DeltaCRDT", package: "Caravan")]),
    ],
    swiftLanguageModes: [.v6]
)
