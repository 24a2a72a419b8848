// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// `make build` links libcurl and what it needs from their archives; other builds use the shared libraries.
let linksStatically = Context.environment["AFCLI_LINK"] == "static"
// Whether `make build` links, with the options that the Makefile lists.
let linksRelease = Context.environment["AFCLI_LINK"] != nil

// Extra lines of `afcli --version`; `make build` sets them.
let versionSettings = ["AFCLI_COMMIT": "AF_COMMIT", "AFCLI_RUNTIME": "AF_RUNTIME"].compactMap { variable, name in
    Context.environment[variable].flatMap { $0.isEmpty ? nil : CSetting.define(name, to: "\"\($0)\"") }
}
let programSettings = versionSettings + (linksRelease ? [.define("AF_WRAPS_DISPATCH")] : [])

// The library's file name with a colon, or its name without `lib`; `make build` sets it to take the archive.
let re2 = Context.environment["AFCLI_RE2"] ?? "re2"

// On by default. Without it, a program with the system's libcurl takes a truncated HTTP/2 response without Content-Length for
// a complete one if the server ends it with RST_STREAM(NO_ERROR), or breaks the protocol, and a POST that the server refuses is
// not sent again: Documentation/library.md lists what else is lost.
let streamFrames = Trait.trait(
    name: "StreamFrames",
    description: "Replaces a function of nghttp2 in the program, to detect HTTP/2 responses without END_STREAM")
let streamFramesSettings = [CSetting.define("AF_STREAM_FRAMES", .when(traits: ["StreamFrames"]))]

let logging = TargetDependencyCondition.when(traits: ["Logging"])
let metrics = TargetDependencyCondition.when(traits: ["Metrics"])
let combine = TargetDependencyCondition.when(traits: ["Combine"])
let tracing = TargetDependencyCondition.when(traits: ["Tracing"])
let httpTypes = TargetDependencyCondition.when(traits: ["HTTPTypes"])

/// The search path that pkg-config adds would come before the directory with the archives. Both release builds go without,
/// so that they share their modules.
func system(_ name: String, _ pkgConfig: String, _ packages: [String]) -> Target {
    .systemLibrary(name: name, pkgConfig: linksRelease ? nil : pkgConfig, providers: [.apt(packages)])
}

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
        .library(name: "AFRequests", targets: ["AFRequests"]),
        .library(name: "AFCache", targets: ["AFCache"]),
        .library(name: "AFCompression", targets: ["AFCompression"]),
        .library(name: "AFDownloads", targets: ["AFDownloads"]),
        .library(name: "AFUploads", targets: ["AFUploads"]),
        .library(name: "AFReachability", targets: ["AFReachability"]),
        .library(name: "AFWebSockets", targets: ["AFWebSockets"]),
        .library(name: "AFSigning", targets: ["AFSigning"]),
        .library(name: "AFFoundation", targets: ["AFFoundation"]),
        .library(name: "AFLogging", targets: ["AFLogging"]),
        .library(name: "AFMetrics", targets: ["AFMetrics"]),
        .library(name: "AFCombine", targets: ["AFCombine"]),
        .library(name: "AFHTTPTypes", targets: ["AFHTTPTypes"]),
        .library(name: "AFTracing", targets: ["AFTracing"]),
        .library(name: "AlamofireCompat", targets: ["AlamofireCompat"]),
    ],
    // The others are off by default: the dependencies of a trait are fetched and built only if it is enabled.
    traits: [
        streamFrames,
        .default(enabledTraits: [streamFrames.name]),
        .trait(name: "Logging", description: "AFLogging, on swift-log"),
        .trait(name: "Metrics", description: "AFMetrics, on swift-metrics"),
        .trait(name: "Combine", description: "AFCombine, on OpenCombine"),
        .trait(name: "Tracing", description: "AFTracing, on swift-distributed-tracing"),
        .trait(name: "HTTPTypes", description: "AFHTTPTypes, on swift-http-types"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
    ],
    targets: [
        system("CBrotli", "libbrotlidec", ["libbrotli-dev"]),
        .systemLibrary(name: "CBytes"),
        system("CCurl", "libcurl", ["libcurl4-openssl-dev"]),
        system("CIDN2", "libidn2", ["libidn2-dev"]),
        .systemLibrary(name: "CLinux"),
        .target(name: "CNGHTTP2", cSettings: streamFramesSettings),
        system("COpenSSL", "openssl", ["libssl-dev"]),
        system("CPSL", "libpsl", ["libpsl-dev"]),
        .target(name: "CProgram", cSettings: programSettings),
        .target(name: "CRE2", linkerSettings: [.linkedLibrary(re2)]),
        system("CZlib", "zlib", ["zlib1g-dev"]),
        system("CZstd", "libzstd", ["libzstd-dev"]),
        library("AFHTTP", "CIDN2"),
        library(
            "AFTransport", "AFHTTP", "CBrotli", "CCurl", "CLinux", "CNGHTTP2", "COpenSSL", "CPSL", "CZlib",
            "CZstd"),
        library("AFRequests", "AFHTTP", "AFJSON", "AFTransport"),
        // Re-exports the others, so that `import AFCore` provides all of them.
        library(
            "AFCore", "AFRequests", "AFCache", "AFCompression", "AFDownloads", "AFUploads", "AFReachability",
            "AFWebSockets", "AFHTTP", "AFTransport"),
        library("AFCache", "AFRequests", "AFTransport", "AFHTTP"),
        library("AFWebSockets", "AFRequests", "AFTransport", "AFHTTP", "CZlib"),
        library("AFCompression", "AFRequests", "AFTransport", "AFHTTP", "CZlib", "CZstd"),
        library("AFDownloads", "AFRequests", "AFTransport", "AFHTTP", "CLinux"),
        library("AFUploads", "AFRequests", "AFTransport", "AFHTTP"),
        library("AFReachability", "AFRequests", "AFTransport", "AFHTTP", "CLinux"),
        library("AFJSON", "AFHTTP", "CBytes"),
        library("AFFormatting", "AFHTTP", "AFJSON"),
        library("AFHurl", "AFHTTP", "CRE2"),
        library("AFExpressions", "AFHurl", "AFHTTP", "AFJSON", "CLinux"),
        library("AFSigning", "AFCore", "AFHTTP", "AFJSON", "AFTransport"),
        library(
            "AFCommand", "AFHTTP", "AFJSON", "AFFormatting", "AFCore", "AFSigning", "AFTransport", "AFExpressions",
            "AFHurl", "CLinux", "CProgram"),
        library("AFFoundation", "AFCore", "AFHTTP", "AFTransport"),
        library("AlamofireCompat", "AFFoundation", "AFCore", "AFHTTP", "AFTransport"),
        library(
            "AFLogging", "AFCore", "AFHTTP", "AFTransport",
            .product(name: "Logging", package: "swift-log", condition: logging)),
        library(
            "AFMetrics", "AFCore", "AFHTTP", "AFTransport",
            .product(name: "Metrics", package: "swift-metrics", condition: metrics)),
        library(
            "AFCombine", "AFCore", "AFHTTP", "AFTransport",
            .product(name: "OpenCombine", package: "OpenCombine", condition: combine)),
        library(
            "AFTracing", "AFCore", "AFHTTP", "AFTransport",
            .product(name: "Tracing", package: "swift-distributed-tracing", condition: tracing)),
        library(
            "AFHTTPTypes", "AFCore", "AFHTTP",
            .product(name: "HTTPTypes", package: "swift-http-types", condition: httpTypes)),
        .executableTarget(
            name: "afcli",
            dependencies: ["AFCommand"] + (linksStatically ? ["CStaticLink"] : []),
            swiftSettings: strict
        ),
        // The manual page and the completions, written by `make generated`.
        .executableTarget(name: "afcli-docs", dependencies: ["AFCommand", "AFHTTP"], swiftSettings: strict),
        .systemLibrary(name: "CGNUExtensions", path: "Tests/CGNUExtensions"),
        .target(
            name: "TestSupport",
            dependencies: ["AFCore", "AFHTTP", "AFSigning", "AFTransport", "CGNUExtensions", "COpenSSL"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "NetworkProbe",
            dependencies: ["AFCore"],
            path: "Tests/NetworkProbe",
            swiftSettings: strict
        ),
        tests("AFHTTPTests", "AFHTTP"),
        tests("AFTransportTests", "AFTransport", "AFHTTP", "CCurl"),
        // Two, so that both processors compile: requests and their handlers; files, caches, encodings, credentials and trust.
        tests("AFCoreTests", "NetworkProbe", "AFCore", "AFRequests", "AFWebSockets", "AFTransport", "AFHTTP"),
        tests(
            "AFCoreDataTests", "NetworkProbe", "AFCore", "AFCache", "AFDownloads", "AFReachability", "AFRequests",
            "AFSigning", "AFTransport", "AFUploads", "AFHTTP"),
        tests("AFSigningTests", "AFSigning", "AFCore", "AFHTTP"),
        tests("AFJSONTests", "AFJSON"),
        .testTarget(
            name: "AFHurlTests", dependencies: ["AFHurl", "TestSupport"], exclude: ["Corpus"], swiftSettings: strict),
        tests("AFExpressionsTests", "AFExpressions", "AFHurl", "AFHTTP", "AFJSON"),
        tests("AFFormattingTests", "AFFormatting", "AFHTTP", "AFJSON"),
        tests(
            "AFCommandTests", "AFCommand", "AFCore", "AFRequests", "AFFormatting", "AFHTTP", "AFJSON", "AFSigning",
            "afcli-docs"),
        tests("AFFoundationTests", "AFFoundation", "AFCore"),
        tests("AlamofireCompatTests", "AlamofireCompat"),
        tests(
            "AFLoggingTests", "AFLogging", "AFCore",
            .product(name: "Logging", package: "swift-log", condition: logging)
        ),
        tests(
            "AFMetricsTests", "AFMetrics", "AFCore",
            .product(name: "Metrics", package: "swift-metrics", condition: metrics),
            .product(name: "MetricsTestKit", package: "swift-metrics", condition: metrics)
        ),
        tests(
            "AFCombineTests", "AFCombine", "AFCore",
            .product(name: "OpenCombine", package: "OpenCombine", condition: combine)
        ),
        tests(
            "AFTracingTests", "AFTracing", "AFCore",
            .product(name: "Tracing", package: "swift-distributed-tracing", condition: tracing),
            .product(name: "InMemoryTracing", package: "swift-distributed-tracing", condition: tracing)
        ),
        tests(
            "AFHTTPTypesTests", "AFHTTPTypes", "AFCore",
            .product(name: "HTTPTypes", package: "swift-http-types", condition: httpTypes)
        ),
        tests("AFCLITests", "AFCommand"),
        tests("SafetyTests", "AFCore", "AFTransport", "AFHTTP", "CLinux"),
        tests("TestSupportTests"),
    ],
    swiftLanguageModes: [.v6]
)

if linksStatically {
    package.targets.append(
        .target(
            name: "CStaticLink",
            linkerSettings: ["nghttp2", "psl", "idn2", "unistring", "brotlicommon"].map { .linkedLibrary($0) }
        ))
}

// The fuzz targets, built only by `make fuzz`: they need a build of their own (`-sanitize=fuzzer,address`).
if Context.environment["AFCLI_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Fuzz/CFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "AFCache", "AFCommand", "AFCore", "AFDownloads", "AFExpressions", "AFFormatting", "AFHTTP", "AFHurl",
                "AFJSON", "AFRequests", "AFSigning", "AFTransport", "AFUploads", "AFWebSockets", "CCurl", "COpenSSL",
                "CFuzzer",
            ],
            path: "Fuzz/Sources",
            swiftSettings: strict
        ),
    ]
}

// `make guards` builds the safety suites many times over, and nothing but what they need.
if Context.environment["AFCLI_GUARDS"] != nil {
    let leaves = [
        "AFFoundation", "AFLogging", "AFMetrics", "AFCombine", "AFTracing", "AFHTTPTypes", "AlamofireCompat",
        "afcli-docs",
    ]
    package.targets.removeAll { $0.isTest && $0.name != "SafetyTests" || leaves.contains($0.name) }
    package.products.removeAll { leaves.contains($0.name) }
    package.dependencies = []
    package.traits = [streamFrames, .default(enabledTraits: [streamFrames.name])]
}

// The torture tests; built only by `make torture`.
if Context.environment["AFCLI_TORTURE"] != nil {
    package.targets.append(
        .executableTarget(
            name: "torture",
            dependencies: ["TestSupport"],
            path: "Tests/Torture",
            exclude: ["RESULTS.md"],
            swiftSettings: strict
        ))
}
