internal import AFHTTP

/// The header fields of a transfer as libcurl takes them (`CURLOPT_HTTPHEADER`), so that nothing is added to them but Host.
struct HeaderLines {
    var forServer: [String] = []
    /// Inside a tunnel, and where the proxy is bypassed, nobody sees these.
    var forProxy: [String] = []

    init(_ transfer: Transfer, bodyLength: Int64?) {
        forServer.reserveCapacity(transfer.headers.count + 4)
        var (hasAccept, hasType, hasExpect) = (false, false, transfer.body == nil)
        // libcurl writes the length of a body.
        var hasLength = transfer.body != nil
        let leavesChunks = transfer.leavesChunksToLibrary
        let removed = transfer.options.removedHeaders.filter { !$0.framesBody }
        // The time must not grow with headers times removals.
        let removedNames = Set(removed.map { $0.lowercased() })
        for header in transfer.headers {
            let name = header.name
            if !removedNames.isEmpty, removedNames.contains(name.lowercased()) { continue }
            // These share one field with the engine's, see ``EasyHandle``.
            if name.isSameFieldName(as: "Cookie") { continue }
            if name.isSameFieldName(as: "Content-Length") {
                if hasLength { continue }
                hasLength = true
            }
            if leavesChunks, name.isSameFieldName(as: "Transfer-Encoding") { continue }
            if transfer.options.proxy != nil, name.isSameFieldName(as: "Proxy-Authorization") {
                forProxy.append(header.curlDescription)
                continue
            }
            if name.isSameFieldName(as: "Accept") { hasAccept = true }
            if name.isSameFieldName(as: "Content-Type") { hasType = true }
            if name.isSameFieldName(as: "Expect") { hasExpect = true }
            forServer.append(header.curlDescription)
        }
        // A name with a colon alone keeps libcurl from adding a field of its own.
        if !hasAccept { forServer.append("Accept:") }
        if !hasType { forServer.append("Content-Type:") }
        for name in removed {
            // Host only in this spelling: any other would send it empty.
            forServer.append(name.isSameFieldName(as: "Host") ? "Host:" : "\(name):")
            if name.isSameFieldName(as: "Expect") { hasExpect = true }
        }
        if !hasExpect, let line = Self.expectLine(transfer.options.expectContinue, bodyLength) {
            forServer.append(line)
        }
    }

    /// What keeps libcurl from asking, or makes it ask, before a body is sent; `nil` where its own field is right.
    private static func expectLine(_ expect: ExpectContinue, _ bodyLength: Int64?) -> String? {
        switch expect {
        case .automatic: isWorthAsking(bodyLength) ? nil : "Expect:"
        case .always: "Expect: 100-continue"
        case .never: "Expect:"
        }
    }
}

extension HeaderLines {
    /// Whether a body is so long that the server should be asked before it is sent.
    static func isWorthAsking(_ bodyLength: Int64?) -> Bool { (bodyLength ?? 0) > 1 << 20 }
}
