// swift-tools-version: 6.2
import PackageDescription

/// Types that people might write, and tests of them with Convergence: what the documentation's tutorial walks through.
let package = Package(
    name: "Examples",
    dependencies: [.package(name: "Caravan", path: "..")],
    targets: [
        .target(
            name: "ConvergenceExample",
            dependencies: [
                .product(name: "Convergence", package: "Caravan"), .product(name: "DeltaCRDT", package: "Caravan"),
            ]),
        .testTarget(
            name: "ConvergenceExampleTests",
            dependencies: [
                "ConvergenceExample", .product(name: "Convergence", package: "Caravan"),
                .product(name: "ConvergenceTesting", package: "Caravan"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
