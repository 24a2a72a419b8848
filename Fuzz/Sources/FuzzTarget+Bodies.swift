import AFHTTP
import FoundationEssentials

@testable import AFCommand
@testable import AFFormatting
@testable import AFRequests

/// Bodies of other kinds, as they are shown.
extension FuzzTarget {
    static let bodies = [
        FuzzTarget("xml", longest: 4096) { bytes in
            let verbatim = XMLFormatter(limit: 1 << 20, indent: 2, painter: VerbatimFormatter())
            let laidOut = try shown(bytes, by: verbatim)
            if (try? XMLLayout(bytes, indent: 2)) == nil {
                require(laidOut == bytes, "what is no XML is shown as it came")
            } else {
                require(try shown(laidOut, by: verbatim) == laidOut, "XML that is laid out stays so")
            }
            try check(bytes, MarkupPainter(.xml, palette: .standard, isForTerminal: false))
            try checkForTerminal(bytes, MarkupPainter(.xml, palette: .standard, isForTerminal: true))
        },
        FuzzTarget("html", longest: 4096) { bytes in
            try check(bytes, MarkupPainter(.html, palette: .standard, isForTerminal: false))
            try checkForTerminal(bytes, MarkupPainter(.html, palette: .standard, isForTerminal: true))
        },
        FuzzTarget("event-stream", longest: 4096) { bytes in
            let plain = try shown(bytes, by: EventStreamFormatter(palette: nil, isForTerminal: false))
            require(plain == bytes.withLineFeeds, "nothing but line ends changes")
            let colored = try shown(bytes, by: EventStreamFormatter(palette: .standard, isForTerminal: false))
            if !bytes.contains(0x1B) { require(colored.withoutStyles == plain, "colors are all that colors add") }
            try checkForTerminal(bytes, EventStreamFormatter(palette: .standard, isForTerminal: true))
        },
        FuzzTarget("form") { bytes in
            try check(bytes, FormFormatter(palette: .standard, isForTerminal: false))
            try checkForTerminal(bytes, FormFormatter(palette: .standard, isForTerminal: true))
            _ = QueryRedaction().query(String(decoding: bytes, as: UTF8.self))
        },
        // The first byte selects the presentation; the rest is the body.
        FuzzTarget("body", longest: 4096) { bytes in
            guard let choice = bytes.first.map({ Int($0) }) else { return }
            let kinds: [BodyKind] = [.json, .ndjson, .xml, .html, .form, .eventStream, .text, .unknown]
            var presentation = BodyPresentation()
            presentation.isFormatted = choice & 1 != 0
            presentation.palette = choice & 2 != 0 ? .standard : nil
            presentation.isForTerminal = choice & 4 != 0
            presentation.isSorted = choice & 8 != 0
            presentation.holdingLimit = 1024
            let formatter = BodyFormatter(kind: kinds[choice >> 4 & 7], presentation: presentation)
            let output = try shown(Array(bytes.dropFirst()), by: formatter)
            if presentation.isForTerminal {
                require(output.withoutStyles.isHarmlessOnTerminal, "a terminal obeys no body")
            } else if presentation.isVerbatim {
                require(output[...] == bytes.dropFirst(), "a body passes as it came")
            }
        },
        // The first byte decides the character set.
        FuzzTarget("charset") { bytes in
            let names = [
                "utf-16be", "utf-7", "iso-2022-jp", "shift_jis", "gb18030", "big5-hkscs", "windows-1258", "euc-jp",
                "tscii", "utf-32le", "iso-2022-kr", "euc-jisx0213", "latin1", "koi8-r", "hz-gb-2312", "utf-8",
            ]
            guard let first = bytes.first else { return }
            let (name, body) = (names[Int(first) % names.count], Array(bytes.dropFirst()))
            guard let whole = decoded([body[...]], name) else { return }
            require(decoded(body.indices.map { body[$0...$0] }, name) == whole, "pieces are decoded as a whole")
            if let text = Charset(ianaName: name)?.decode(Data(body)), !body.startsWithMark {
                require(Array(text.utf8) == whole, "both decoders agree on what is text")
            }
            for kind in [BodyKind.xml, .html] {
                var decoder = BodyDecoder(of: kind, charset: nil)
                let pieces = body.flatMap { byte in
                    [byte].withUnsafeBytes { decoder.decode($0) } ?? [byte]
                }
                require(
                    pieces + (decoder.finish() ?? []) == BodyDecoder.decode(body, of: kind, charset: nil),
                    "a declaration is found in any pieces")
            }
        },
    ]

    private static func check(_ bytes: [UInt8], _ painter: some BodyFormatting) throws {
        let colored = try shown(bytes, by: painter)
        if !bytes.contains(0x1B) { require(colored.withoutStyles == bytes, "colors are all that colors add") }
    }

    private static func checkForTerminal(_ bytes: [UInt8], _ formatter: some BodyFormatting) throws {
        require(try shown(bytes, by: formatter).withoutStyles.isHarmlessOnTerminal, "a terminal obeys no body")
    }

    private static func decoded(_ pieces: [ArraySlice<UInt8>], _ charset: String) -> [UInt8]? {
        guard let decoder = Charset(ianaName: charset).flatMap(CharsetDecoder.init) else { return nil }
        return pieces.flatMap { piece in piece.withUnsafeBytes { decoder.decode($0) } } + decoder.finish()
    }
}

extension [UInt8] {
    /// The bytes with LF in place of CR and CRLF.
    fileprivate var withLineFeeds: [UInt8] {
        indices.compactMap { index in
            let isSecond = self[index] == 0x0A && index > 0 && self[index - 1] == 0x0D
            return isSecond ? nil : self[index] == 0x0D ? 0x0A : self[index]
        }
    }

    fileprivate var startsWithMark: Bool {
        [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE], [0, 0, 0xFE, 0xFF]].contains { starts(with: $0) }
    }
}
