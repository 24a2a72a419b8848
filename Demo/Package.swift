// swift-tools-version: 6.2
import PackageDescription

// SwiftNIO itself rather than a framework on it: an echo for debugging must show header fields in the order, case and
// number in which they came, must stream bodies of any size, and must be able to break off a response on purpose.
let package = Package(
    name: "Demo",
    products: [.executable(name: "demo-server", targets: ["DemoServer"])],
    dependencies: [.package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2")],
    targets: [
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .executableTarget(
            name: "DemoServer",
            dependencies: [
                "CCrypto",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: [
                .treatAllWarnings(as: .error),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
