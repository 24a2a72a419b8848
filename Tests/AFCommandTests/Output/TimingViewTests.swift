import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting

@Suite struct TimingViewTests {
    private static let redirect: TimingRow = {
        var row = TimingRow(label: "GET http://example.org/", start: 0, total: 0.04)
        (row.lookup, row.connect, row.waiting, row.transfer) = (0.006, 0.008, 0.022, 0.004)
        (row.status, row.protocolName, row.remoteEndpoint) = (301, "HTTP/1.1", "93.184.216.34:80")
        (row.requestHeadSize, row.responseHeadSize) = (80, 210)
        return row
    }()

    private static let page: TimingRow = {
        var row = TimingRow(label: "GET https://example.org/", start: 0.04, total: 0.16)
        (row.lookup, row.connect, row.tls, row.waiting, row.transfer) = (0.01, 0.01, 0.04, 0.06, 0.04)
        (row.status, row.protocolName, row.remoteEndpoint) = (200, "HTTP/2", "93.184.216.34:443")
        (row.tlsVersion, row.tlsCipher) = ("TLSv1.3", "TLS_AES_256_GCM_SHA384")
        (row.responseHeadSize, row.responseBodySize) = (431, 1_234_567)
        return row
    }()

    @Test func `a waterfall shows all hops on one axis`() {
        let expected = """
                                         0 ms       50 ms      100 ms     150 ms     200 ms
            GET http://example.org/  301 ░▒▒─────█                                      40.0 ms
              HTTP/1.1, 93.184.216.34:80
            GET https://example.org/ 200          ░░▒▒▓▓▓▓▓▓▓▓▓─────────────█████████    160 ms
              HTTP/2, 93.184.216.34:443, TLSv1.3, received 1.2 MB at 30.9 MB/s
                                         ░ lookup  ▒ connect  ▓ TLS  ─ waiting  █ transfer

            """
        #expect(Waterfall(rows: [Self.redirect, Self.page], width: 84).render() == expected)
    }

    @Test func `a hop shows the connection details that fit`() {
        var row = Self.page
        (row.isReused, row.requestBodySize) = (true, 6_000_000)
        let wide = Waterfall(rows: [row], width: 160).render()
        let connection = "HTTP/2, 93.184.216.34:443, connection reused, TLSv1.3"
        let amounts = "received 1.2 MB at 30.9 MB/s, sent 6.0 MB at 100.0 MB/s"
        #expect(wide.contains("\n  \(connection), \(amounts), TLS_AES_256_GCM_SHA384\n"))
        #expect(Waterfall(rows: [row], width: 60).render().contains("\n  \(connection)\n"))
    }

    @Test func `a locale without UTF-8 gets ASCII`() {
        let text = Waterfall(rows: [Self.redirect, Self.page], width: 84, isUTF8: false).render()
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(text.contains("..++%%%%%%%%%-------------#########"))
    }

    @Test(arguments: [
        ("sr_RS.UTF-8@latin", true), ("de_DE.utf8@euro", true), ("C.UTF-8", true), ("de_DE@euro", false), ("C", false),
    ])
    func `the modifier of a locale does not hide its charset`(locale: String, isUTF8: Bool) {
        #expect(ToolWorld(variables: ["LC_ALL": locale]).environment.isUTF8 == isUTF8)
    }

    @Test func `colors take no columns`() {
        let rows = [Self.redirect, Self.page]
        let plain = Waterfall(rows: rows, width: 84).render()
        #expect(Waterfall(rows: rows, width: 84, palette: .standard).render().withoutColors == plain)
    }

    @Test(
        arguments: [40, 55, 80, 120, 200], ["x", "GET https://example.org/東京/\u{1B}[2J/a/very/long/path/to/some/where"])
    func `no line is wider than the terminal`(width: Int, label: String) {
        var rows = [Self.redirect, Self.page]
        rows[1].label = label
        rows[1].retry = 2
        for line in Waterfall(rows: rows, width: width).render().split(separator: "\n").dropLast() {
            #expect(line.columnCount <= width)
            #expect(!String(line).holdsTerminalControls)
        }
    }

    @Test func `a failed hop and a run without duration have a bar`() {
        let text = Waterfall(rows: [TimingRow(label: "GET x", start: 0, total: 0)], width: 80).render()
        #expect(text.contains("GET x   – ─"))
        #expect(Waterfall(rows: [], width: 80).render().isEmpty)
    }

    @Test func `the metrics of one hop follow the elapsed time`() {
        let expected = """
            Elapsed time: 0.2000s
            Name lookup:    10.0 ms
            Connect:        10.0 ms
            TLS handshake:  40.0 ms
            Waiting:        60.0 ms
            Transfer:       40.0 ms
            Received:       1.2 MB body + 431 B header, 30.9 MB/s
            Protocol:       HTTP/2
            Remote address: 93.184.216.34:443
            TLS:            TLSv1.3, TLS_AES_256_GCM_SHA384

            """
        #expect(MetaView(rows: [Self.page], elapsed: 0.2).render() == expected)
    }

    @Test func `each of several hops has a title`() {
        var reused = Self.page
        (reused.isReused, reused.connect, reused.retry) = (true, 0, 1)
        let text = MetaView(rows: [Self.redirect, reused], elapsed: 0.2, palette: .standard).render().withoutColors
        #expect(text.hasPrefix("Elapsed time: 0.2000s\n\nGET http://example.org/ 301\nName lookup:"))
        #expect(text.contains("\n\nGET https://example.org/ 200\n"))
        #expect(text.contains("Connect:        connection reused\n"))
        #expect(text.hasSuffix("Retry:          1\n"))
    }
}

@Suite struct HumanUnitsTests {
    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (8149, "8.1 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"),
            (1_234_567_890, "1.2 GB"), (Int64.max, "9223.4 PB"),
        ] as [(Int64, String)])
    func `bytes have decimal units`(count: Int64, text: String) {
        #expect(HumanUnits.bytes(count) == text)
    }

    @Test(arguments: [
        (0, "0.00 ms"), (0.00042, "0.42 ms"), (0.0931, "93.1 ms"), (0.1, "100 ms"), (0.09994, "99.9 ms"),
        (0.9994, "999 ms"), (0.9996, "1.00 s"),
        (12.345, "12.35 s"), (125, "2 min 5 s"), (180, "3 min"), (3599.7, "1 h"), (3723, "1 h 2 min"), (-1, "0.00 ms"),
        (.infinity, "2399 h 59 min"),
    ])
    func `durations have about three digits`(seconds: Double, text: String) {
        #expect(HumanUnits.duration(seconds) == text)
    }

    @Test func `very large numbers are formatted`() {
        #expect(HumanUnits.rate(.infinity) == "? B/s")
        #expect(HumanUnits.decimal(1e300, places: 3).count > 10)
    }
}

@Suite struct TerminalTextTests {
    @Test func `wide characters take two columns, combining ones none`() {
        #expect("abc".columnCount == 3)
        #expect("東京".columnCount == 4)
        #expect("e\u{301}".columnCount == 1)
        #expect("😀".columnCount == 2)
        // Terminals that do not join their parts show them side by side.
        #expect("🇩🇪".columnCount == 2)
        #expect("👩‍👩‍👧".columnCount == 6)
        #expect("क्षि".columnCount == 3)
        #expect("\u{1112}\u{1161}\u{11AB}".columnCount == 2)
    }

    @Test func `long text is shortened in the middle`() {
        #expect("abcdefghij".shortened(toColumns: 5, isUTF8: true) == "ab…ij")
        #expect("abcdefghij".shortened(toColumns: 7, isUTF8: false) == "ab...ij")
        #expect("東京東京".shortened(toColumns: 5, isUTF8: true) == "東…京")
        #expect("abc".shortened(toColumns: 3, isUTF8: true) == "abc")
        #expect("abcd".shortened(toColumns: 0, isUTF8: true).isEmpty)
    }

    @Test func `a long line loses its end`() {
        #expect("abcdefghij".shortenedAtEnd(toColumns: 5, isUTF8: true) == "abcd…")
        #expect("abcdefghij".shortenedAtEnd(toColumns: 7, isUTF8: false) == "abcd...")
        #expect("東京東京".shortenedAtEnd(toColumns: 6, isUTF8: true) == "東京…")
        #expect("abc".shortenedAtEnd(toColumns: 3, isUTF8: true) == "abc")
        #expect("abcd".shortenedAtEnd(toColumns: 1, isUTF8: true).isEmpty)
    }
}
