internal import AFHTTP

extension Redaction {
    /// Returns the header of a request or a response with its secrets masked; `nil` if it has none.
    func maskedHead(_ head: [UInt8]) -> [UInt8]? {
        var (masked, isMasked, isSecret) = ([UInt8](), false, false)
        for (index, line) in head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if index > 0 { masked.append(UInt8(ascii: "\n")) }
            let isFolded = line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t")
            // The rest of a secret value (RFC 9112 §5.2).
            let replacement = index == 0 ? maskedStart(line) : isFolded && isSecret ? "" : maskedField(line)
            if !isFolded { isSecret = replacement != nil }
            isMasked = isMasked || replacement != nil
            if let replacement {
                masked += replacement.utf8
                if line.last == UInt8(ascii: "\r") { masked.append(UInt8(ascii: "\r")) }
            } else {
                masked += line
            }
        }
        return isMasked ? masked : nil
    }

    /// Returns the line of a request with the secrets of its URL masked; `nil` if it has none.
    private func maskedStart(_ line: ArraySlice<UInt8>) -> String? {
        let words = line.split(separator: UInt8(ascii: " "))
        guard words.count == 3, !line.starts(with: "HTTP/".utf8) else { return nil }
        let target = String(decoding: words[1], as: UTF8.self)
        guard case let shown = url(target), shown != target else { return nil }
        let version = words[2].filter { $0 != UInt8(ascii: "\r") }
        return "\(String(decoding: words[0], as: UTF8.self)) \(shown) \(String(decoding: version, as: UTF8.self))"
    }

    /// Returns the line of a field with its secret masked; `nil` if it has none.
    private func maskedField(_ line: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: line, as: UTF8.self)
        guard let (name, rest) = text.halves(around: ":") else { return nil }
        let value = String(decoding: Array(rest.utf8)[...].trimmed, as: UTF8.self)
        let shown = self.value(of: HTTPHeader(name: String(name), value: value))
        return shown == value ? nil : "\(name): \(shown)"
    }
}
