internal import AFCore
internal import AFHTTP
internal import AFJSON
internal import CProgram
internal import Glibc

/// The report of `--version`: the version, the libraries and the features.
struct VersionReport {
    private let commit = af_commit().map { String(cString: $0) }
    private let libraries = CurlFeatures.libraries + Self.runtime + [Self.systemLibrary].compactMap { $0 }

    var text: String {
        var lines = ["afcli \(AFInfo.version)" + (commit.map { " (\($0))" } ?? "")]
        for (title, isStatic) in [("Included libraries", true), ("System libraries", false)] {
            let names = libraries.filter { $0.isStatic == isStatic }.map { "\($0.name) \($0.version)" }
            if !names.isEmpty { lines.append("\(title): \(names.joined(separator: ", "))") }
        }
        lines.append("Features: \(CurlFeatures.supported.joined(separator: ", "))")
        let missing = CurlFeatures.unsupported
        if !missing.isEmpty { lines.append("Missing: \(missing.joined(separator: ", "))") }
        if let publicSuffixDay { lines.append("Built-in public suffix list: \(publicSuffixDay)") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The version of the libcurl in use, in the format of `curl --version`, which scripts parse.
    var curlText: String {
        let libraries = CurlFeatures.libraries.map { "\($0.name)/\($0.version)" }.joined(separator: " ")
        return """
            curl \(CurlFeatures.version) (afcli \(AFInfo.version)) \(libraries)
            Protocols: http https
            Features: \(CurlFeatures.supportedInCurl.joined(separator: " "))

            """
    }

    var json: JSONText {
        .object([
            "version": .string(AFInfo.version),
            "commit": .text(commit),
            "libraries": .array(
                libraries.map {
                    .object([
                        "name": .string($0.name), "version": .string($0.version), "static": .flag($0.isStatic),
                    ])
                }),
            "features": .array(CurlFeatures.supported.map { .string($0) }),
            "missing": .array(CurlFeatures.unsupported.map { .string($0) }),
            "public_suffix_list": .text(publicSuffixDay),
        ])
    }

    /// The libraries that the compiler links into the program: Swift's and libstdc++.
    private static var runtime: [LinkedLibrary] {
        (af_runtime().map { String(cString: $0) } ?? "").split(separator: " ").map { word in
            let slash = word.firstIndex(of: "/") ?? word.endIndex
            let version = String(word[slash...].dropFirst())
            return LinkedLibrary(name: String(word[..<slash]), version: version, isStatic: true)
        }
    }

    /// glibc, the C library of the system.
    private static var systemLibrary: LinkedLibrary? {
        var bytes = [CChar](repeating: 0, count: 64)
        guard confstr(Int32(_CS_GNU_LIBC_VERSION), &bytes, bytes.count) > 0 else { return nil }
        let words = bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }.split(separator: " ")
        return words.count == 2
            ? LinkedLibrary(name: String(words[0]), version: String(words[1]), isStatic: false) : nil
    }

    private var publicSuffixDay: String? {
        CurlFeatures.publicSuffixDate.map {
            let parts = HTTPDate(secondsSince1970: Int64($0)).parts
            return "\(parts.year)-\(parts.month)-\(parts.day)"
        }
    }
}
