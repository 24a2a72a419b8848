// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: strict)
}

let package = Package(
    name: "afcli",
    products: [
        .executable(name: "afcli", targets: ["afcli"]),
        .library(name: "AFCore", targets: ["AFCore"]),
    ],
    targets: [
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev", "libssl-dev"])]),
        .systemLibrary(name: "CIDN2", pkgConfig: "libidn2", providers: [.apt(["libidn2-dev"])]),
        .systemLibrary(name: "CLinux"),
        library("AFHTTP", "CIDN2"),
        library("AFTransport", "AFHTTP", "CCurl", "CLinux"),
        library("AFCore", "AFHTTP", "AFTransport", "CLinux"),
        library("AFCommand", "AFHTTP", "AFCore"),
        .executableTarget(name: "afcli", dependencies: ["AFCommand"], swiftSettings: strict),
        .systemLibrary(name: "CGNUExtensions", path: "Tests/CGNUExtensions"),
        .systemLibrary(name: "COpenSSL", path: "Tests/COpenSSL", pkgConfig: "openssl"),
        .target(
            name: "TestSupport",
            dependencies: ["AFCore", "AFHTTP", "AFTransport", "CGNUExtensions", "COpenSSL"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        tests("AFHTTPTests", "AFHTTP"),
        tests("AFTransportTests", "AFTransport", "AFHTTP"),
        tests("AFCoreTests", "AFCore", "AFTransport", "AFHTTP"),
        tests("AFCommandTests", "AFCommand", "AFCore", "AFHTTP"),
        tests("AFCLITests"),
        tests("TestSupportTests"),
    ],
    swiftLanguageModes: [.v6]
)
