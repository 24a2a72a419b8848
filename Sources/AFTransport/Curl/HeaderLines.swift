internal import AFHTTP

/// The header fields of a transfer for libcurl (`CURLOPT_HTTPHEADER`), such that libcurl adds nothing but Host.
struct HeaderLines {
    var originFields: [String] = []
    /// The fields for a plain proxy; not sent within a tunnel or if the proxy is bypassed.
    var forProxy: [String] = []

    init(_ transfer: Transfer, bodyLength: Int64?) {
        originFields.reserveCapacity(transfer.headers.count + 4)
        var (hasAccept, hasType, hasExpect) = (false, false, transfer.body == nil)
        // libcurl writes Content-Length for a body.
        var hasLength = transfer.body != nil
        let leavesChunks = transfer.leavesChunksToLibrary
        let removed = transfer.options.removedHeaders.filter { !$0.framesBody }
        // A set, so that the time is not proportional to fields times removals.
        let removedNames = Set(removed.map { $0.lowercased() })
        for header in transfer.headers {
            let name = header.name
            if !removedNames.isEmpty, removedNames.contains(name.lowercased()) { continue }
            // libcurl sends a Connection field of its own, and some servers read only one.
            if transfer.upgradesToHTTP2, name.isSameFieldName(as: "Connection"),
                header.value.lowercased() == "keep-alive"
            {
                continue
            }
            // They share one field with stored cookies; see ``ActiveTransfer``.
            if name.isSameFieldName(as: "Cookie") { continue }
            if name.isSameFieldName(as: "Content-Length") {
                if hasLength { continue }
                hasLength = true
            }
            if leavesChunks, name.isSameFieldName(as: "Transfer-Encoding") { continue }
            if Safety.refuses("12-tunnel", transfer.options.proxy != nil),
                name.isSameFieldName(as: "Proxy-Authorization")
            {
                forProxy.append(header.curlDescription)
                continue
            }
            if name.isSameFieldName(as: "Accept") { hasAccept = true }
            if name.isSameFieldName(as: "Content-Type") { hasType = true }
            if name.isSameFieldName(as: "Expect") { hasExpect = true }
            let line = header.curlDescription
            originFields.append(transfer.options.messages.spellings[line] ?? line)
        }
        // A name with a colon and no value keeps libcurl from adding its own field.
        if !hasAccept { originFields.append("Accept:") }
        // libcurl adds one to a body only, and compares each line with eight names: 700 instructions.
        if !hasType, transfer.body != nil || transfer.method != .get { originFields.append("Content-Type:") }
        for name in removed {
            // With this line, libcurl would ignore `CURLOPT_COOKIE`.
            if name.isSameFieldName(as: "Cookie") { continue }
            // libcurl recognizes only this spelling of Host: any other would be sent with an empty value.
            originFields.append(name.isSameFieldName(as: "Host") ? "Host:" : "\(name):")
            if name.isSameFieldName(as: "Expect") { hasExpect = true }
        }
        // libcurl would announce the stream as a chunked body.
        if transfer.upgradeStream != nil { originFields += ["Transfer-Encoding:", "Expect:"] }
        if !hasExpect, let line = Self.expectLine(transfer.options.expectContinue, bodyLength) {
            originFields.append(line)
        }
    }

    /// The `Expect` line that overrides libcurl's default; `nil` if the default is right.
    private static func expectLine(_ expect: ExpectContinue, _ bodyLength: Int64?) -> String? {
        switch expect {
        case .automatic: expectsContinue(bodyLength) ? nil : "Expect:"
        case .always: "Expect: 100-continue"
        case .never: "Expect:"
        }
    }
}

extension HeaderLines {
    /// Whether a body is so large that `Expect: 100-continue` is worth a round trip.
    static func expectsContinue(_ bodyLength: Int64?) -> Bool { (bodyLength ?? 0) > 1 << 20 }
}
