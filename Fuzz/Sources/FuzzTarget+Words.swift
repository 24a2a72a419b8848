import CCurl
import Glibc

@testable import AFCommand
@testable import AFHTTP
@testable import AFJSON
@testable import AFRequests
@testable import AFSigning

/// URLs, items and other words that are pasted from anywhere.
extension FuzzTarget {
    static let words = [
        FuzzTarget(text: "address") { text in
            for keepsPath in [false, true] {
                let url = try Address(text, Address.Options(keepsPath: keepsPath)).url
                require(
                    url.text.utf8.allSatisfy { $0 > 0x1F && $0 != 0x7F }, "an address holds no control character")
                require(url.user == nil && url.password == nil, "a URL keeps no user info")
            }
        },
        FuzzTarget(text: "oauth2-redirect", longest: 512) { text in
            let login = OAuth2BrowserLogin(redirectURI: "", verifier: "v", state: "s")
            switch login.redirect(text, path: "/") {
            case .code(let code): require(!code.isEmpty && text.contains("state="), "a code has a state")
            case .refused: require(text.contains("state="), "a refusal has a state")
            case .other: break
            }
        },
        FuzzTarget(text: "url") { text in
            let url = try HTTPURL(parsing: text)
            require(url.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a URL is visible ASCII")
            require(try HTTPURL(parsing: url.text) == url.withoutUserInfo, "a URL that is written is read again")
            require(
                curlHost(url.text)?.shortestAddress == url.host.shortestAddress, "libcurl connects to the URL's host")
            _ = (url.foundationURL, url.secured, url.filename.map(requireHarmless), QueryRedaction().url(text))
        },
        // A reference as in `Location`, relative to a URL with all components.
        FuzzTarget(text: "location") { text in
            let base = try HTTPURL(parsing: "https://ada:secret@example.org:8443/a/b?c#d")
            let url = try base.resolving(text)
            require(url.user == nil && url.password == nil, "no user info comes from a redirect")
            require(try HTTPURL(parsing: url.text) == url, "a URL that is written is read again")
            require(
                curlHost(url.text)?.shortestAddress == url.host.shortestAddress, "libcurl connects to the URL's host")
        },
        // A pasted command: its words, the lines of a configuration file, and the pattern of a URL.
        FuzzTarget(text: "curl-command", longest: 512) { text in
            let words = try ShellWords.split(text, variables: Variables(["A": "b c"]))
            let quoted = words.map(ShellWord.quoted).joined(separator: " ")
            require(try ShellWords.split(quoted, variables: Variables([:])) == words, "quoted words are read again")
            _ = text.split(separator: "\n").map { CurlConfiguration.words(of: $0) }
        },
        FuzzTarget(text: "curl-glob", longest: 64) { text in
            let matches = try CurlGlob.matches(text)
            require(Set(matches.map(\.parts.count)).count == 1, "each URL has a part of each set and range")
            _ = matches.prefix(10).map { CurlGlob.name("#1#2#", for: $0) }
        },
        FuzzTarget(text: "item", longest: 512) { text in
            let item = try RequestItem(text)
            let value: JSONText
            switch item.separator {
            case .json: value = try JSONText(argument: item.value)
            case .upload:
                _ = try UploadReference(item.value)
                return
            default: value = .string(item.value)
            }
            try check(item.name, value)
        },
        // A key on each line.
        FuzzTarget(text: "json-key", longest: 512) { text in
            var document = JSONDocument()
            for line in text.split(separator: "\n") {
                let key = String(line)
                do throws(UsageError) {
                    guard try JSONKey(key).isShort else { return }
                    try document.set(key, to: .string(key))
                } catch {
                    _ = (error.message, error.excerpt?.lines)
                    return
                }
            }
            if let text = document.text { require(JSONValue(text) != nil, "keys make JSON") }
        },
        FuzzTarget("checksum-list") { bytes in
            guard let list = ChecksumList(bytes, name: "SHA256SUMS") else { return }
            require(!list.entries.isEmpty || !list.unsupported.isEmpty, "a list holds something")
            for name in list.entries.compactMap(\.name) where !["", "."].contains(name.lastComponent) {
                require(!list.checksums(of: name).isEmpty, "a file is found by its name with all of its folders")
            }
        },
    ]

    private static func check(_ name: String, _ value: JSONText) throws(UsageError) {
        do throws(UsageError) {
            guard try JSONKey(name).isShort else { return }
            var document = JSONDocument()
            try document.set(name, to: value)
            require(document.text.map { (try? JSONText(argument: $0)) != nil } ?? false, "an item makes JSON")
        } catch {
            _ = (error.message, error.excerpt?.lines)
        }
    }

    /// Returns the host that libcurl connects to for a URL; `nil` if libcurl rejects the URL.
    private static func curlHost(_ text: String) -> String? {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        var part: UnsafeMutablePointer<CChar>?
        guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK,
            curl_url_get(handle, CURLUPART_HOST, &part, 0) == CURLUE_OK, let part
        else { return nil }
        defer { curl_free(part) }
        var zone: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, CURLUPART_ZONEID, &zone, 0) == CURLUE_OK, let zone else {
            return String(cString: part)
        }
        defer { curl_free(zone) }
        return "\(String(cString: part).dropLast())%25\(String(cString: zone))]"
    }
}

extension String {
    /// With an IPv6 address as formatted by the system; libcurl keeps any spelling that is not longer.
    fileprivate var shortestAddress: String {
        guard hasPrefix("[") else { return self }
        let inside = dropFirst().dropLast()
        let digits = inside.prefix { $0 != "%" }
        var address = in6_addr()
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_pton(AF_INET6, String(digits), &address) == 1,
            inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil
        else { return self }
        return "[\(text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })\(inside[digits.endIndex...])]"
    }
}

extension JSONKey {
    /// Whether no index requires thousands of empty elements, which would be slow without any use.
    fileprivate var isShort: Bool {
        parts.allSatisfy { if case .index(let index) = $0.step { index < 100 } else { true } }
    }
}
