import AFHTTP

@testable import AFCache
@testable import AFCommand
@testable import AFDownloads
@testable import AFFormatting
@testable import AFRequests
@testable import AFTransport

/// The headers and trailers of a server.
extension FuzzTarget {
    static let heads = [
        FuzzTarget("head", longest: 4096) { bytes in
            var assembler = HeadAssembler(url: "https://example.org/a/b.txt", limits: TransferLimits())
            var head: [UInt8] = []
            for line in bytes.lines {
                let result = try line.withUnsafeBytes { line throws(TransferFailure) in try assembler.add(line) }
                switch result {
                case .headBegins: head = line
                case .incomplete: head += line
                case .trailer(let field): require(!field.name.isEmpty, "a trailer has a name")
                case .head(let response):
                    require(response.rawHead == head + line, "a head is kept as it came")
                    require((100...999).contains(response.statusCode), "a status has three digits")
                    check(response)
                }
            }
        },
        // libcurl's trailers after the body: field lines, and an empty one.
        FuzzTarget("trailers") { bytes in
            var limits = TransferLimits()
            (limits.headLines, limits.headBytes) = (20, 1024)
            var assembler = HeadAssembler(url: "https://example.org/", limits: limits)
            let start = Array("HTTP/1.1 200 OK\r\n".utf8)
            for line in [start, Array("\r\n".utf8)] { _ = try line.withUnsafeBytes { try assembler.add($0) } }
            var count = 0
            for line in bytes.lines where !line.starts(with: "HTTP/".utf8) {
                if case .trailer = try line.withUnsafeBytes({ try assembler.add($0) }) { count += 1 }
            }
            require(count <= 20, "trailers have limits")
        },
        FuzzTarget("head-view", longest: 4096) { bytes in
            for isSorted in [false, true] {
                let plain = try HeadFormatter(isSorted: isSorted).shown(bytes)
                if !isSorted { require(plain == bytes, "a head is shown as it came") }
                let colored = try HeadFormatter(palette: .standard, isSorted: isSorted, isForTerminal: true).shown(
                    bytes)
                require(colored.withoutStyles.isHarmlessOnTerminal, "a terminal obeys no head")
            }
        },
    ]

    /// Reads all properties of a response that are used anywhere.
    private static func check(_ response: HTTPURLResponse) {
        _ = (response.mimeType, response.textEncodingName, response.description, response.allHeaderFields)
        _ = (response.retryAfter, response.authenticationChallenges, response.announcedChecksums)
        _ = (response.contentRange, response.expectedContentLength, CacheControl(response.headers).isEmpty)
        response.suggestedFilename.map(requireHarmless)
        let record = DownloadRecord(url: "https://example.org/", partialPath: "a.part", response: response)
        require(record.validator?.hasPrefix("W/") != true, "no weak validator is kept")
        for field in response.headers { _ = Redaction(revealsSecrets: false).value(of: field) }
    }
}

/// Checks a file name from untrusted input.
func requireHarmless(_ name: String) {
    require(!name.isEmpty && name.utf8.count <= 255, "a name has 1 to 255 bytes")
    require(!name.hasPrefix(".") && !name.hasPrefix("-"), "a name begins with no dot and no dash")
    require(!name.utf8.contains { "/\\\0".utf8.contains($0) }, "a name holds no separator")
    require(
        name.unicodeScalars.allSatisfy {
            switch $0.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        },
        "a name holds no control and no bidi character"
    )
}

extension HeadFormatter {
    fileprivate func shown(_ head: [UInt8]) throws -> [UInt8] {
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        format(head, into: &buffer)
        try buffer.flush()
        return output.bytes
    }
}

extension [UInt8] {
    /// Each with the line feed at its end.
    var lines: [[UInt8]] {
        split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map { Array($0) + [0x0A] }
    }
}
