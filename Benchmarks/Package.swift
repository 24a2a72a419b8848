// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func client(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(name: name, dependencies: ["Workload"] + dependencies, swiftSettings: strict)
}

// One small program for each client that the core is measured against. All take the same arguments and print the same
// line (see Workload); `run` starts them in turn.
let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "afcli", path: ".."),
        .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", exact: "2.37.6"),
    ],
    targets: [
        .target(name: "Workload", swiftSettings: strict),
        client("core-bench", .product(name: "AFCore", package: "afcli")),
        client("websocket-bench", .product(name: "AFCore", package: "afcli")),
        client("transport-bench", .product(name: "AFCore", package: "afcli")),
        client(
            "async-http-client-bench",
            .product(name: "AsyncHTTPClient", package: "async-http-client"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl")
        ),
        client("urlsession-bench"),
        .executableTarget(name: "curl-multi-bench", linkerSettings: [.linkedLibrary("curl")]),
        .executableTarget(name: "measure"),
    ],
    swiftLanguageModes: [.v6]
)
