import TestSupport
import Testing

@testable import AFFormatting

@Suite struct XMLFormatterTests {
    private func laidOut(_ text: String, indent: Int = 2) throws -> String {
        try shown(text, by: XMLFormatter(limit: 1 << 20, indent: indent, painter: VerbatimFormatter()))
    }

    @Test(
        arguments: [
            ("<a><b>1</b><c/></a>", "<a>\n  <b>1</b>\n  <c/>\n</a>"),
            ("<a>\n\n   <b>1</b>\n</a>\n\n", "<a>\n  <b>1</b>\n</a>"),
            ("<?xml version='1.0' encoding=\"UTF-8\" ?><a/>", "<?xml version='1.0' encoding=\"UTF-8\" ?>\n<a/>"),
            ("<a></a>", "<a/>"), ("<a  x = '1' ></a >", "<a  x = '1'/>"), ("<a> </a>", "<a> </a>"),
            ("<a x='>' y=\"it's\n2\"><b/></a>", "<a x='>' y=\"it's\n2\">\n  <b/>\n</a>"),
            ("<p>one <b>two</b> <i> </i></p>", "<p>one <b>two</b> <i> </i></p>"),
            ("<a><p> <b/> text</p><q><r/></q></a>", "<a>\n  <p> <b/> text</p>\n  <q>\n    <r/>\n  </q>\n</a>"),
            ("<a><![CDATA[ <x> ]] > ]]></a>", "<a><![CDATA[ <x> ]] > ]]></a>"),
            (
                "<!-- one\n two --><a><!--x--><b/></a><!--y-->",
                "<!-- one\n two -->\n<a>\n  <!--x-->\n  <b/>\n</a>\n<!--y-->"
            ),
            ("<a>t<!--x--></a>", "<a>t<!--x--></a>"),
            ("<?s href='x'?><a><?p a?></a>", "<?s href='x'?>\n<a>\n  <?p a?>\n</a>"),
            (
                "<!DOCTYPE a [<!ENTITY e '>]'><!-- ]> -->]><a>&e;</a>",
                "<!DOCTYPE a [<!ENTITY e '>]'><!-- ]> -->]>\n<a>&e;</a>"
            ),
            ("<a xml:space='preserve'> <b/> </a>", "<a xml:space='preserve'> <b/> </a>"),
            ("<ns:a.b-1 é='&#228;'><ns:c/></ns:a.b-1>", "<ns:a.b-1 é='&#228;'>\n  <ns:c/>\n</ns:a.b-1>"),
            ("\u{FEFF}<a/>", "<a/>"), ("", ""), (" \n", " \n"),
        ] as [(String, String)])
    func `each element is written on its own line, and text is unchanged`(text: String, expected: String) throws {
        #expect(try laidOut(text) == expected)
        for pieces in cuts(of: Array(text.utf8)) {
            let formatter = XMLFormatter(limit: 1 << 20, indent: 2, painter: VerbatimFormatter())
            #expect(try shown(pieces, by: formatter) == (expected, nil))
        }
    }

    @Test func `formatting XML is idempotent`() throws {
        let text = "<a><b c='d'><e/>\n<f>x <g/> y</f></b><!-- h --></a>"
        let once = try laidOut(text, indent: 3)
        #expect(once.contains("\n      <f>x <g/> y</f>"))
        #expect(try laidOut(once, indent: 3) == once)
    }

    @Test(
        arguments: [
            ("<a><b></a>", 6), ("<a>", 3), ("text", 0), ("<a/><b/>", 4), ("<a/>x", 4), ("<a b></a>", 4),
            ("<a b='<'/>", 6), ("<a b='1'c='2'/>", 8), ("<a>&</a>", 3), ("<a>& b;</a>", 3), ("<a><!-- -- --></a>", 10),
            ("<a><![CDATA[</a>", 3), ("<a/><!DOCTYPE a>", 4), ("<a><?xml version='1.0'?></a>", 3), ("< a/>", 1),
            ("<a", 2), ("<!-- x -->", 10), ("<![CDATA[x]]>", 0), ("<a b='", 6), ("<!DOCTYPE a [ <a/>", 0),
            ("<a></a", 3),
        ] as [(String, Int)])
    func `malformed XML is written unchanged, and the error offset is reported`(text: String, offset: Int) throws {
        for pieces in cuts(of: Array(text.utf8)) {
            let formatter = XMLFormatter(limit: 1 << 20, indent: 2, painter: VerbatimFormatter())
            #expect(try shown(pieces, by: formatter) == (text, offset))
        }
    }

    @Test func `random documents keep everything but white space between tags`() throws {
        var numbers = SeededNumbers(seed: 7)
        let words = [
            "<a>", "</a>", "<b x='1'>", "</b>", "<c/>", " ", "\n", "t", "<!--n-->", "<![CDATA[]]>", "&l;", "<?p?>",
        ]
        var laidOutCount = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...9, using: &numbers)
            let text = (0..<count).compactMap { _ in words.randomElement(using: &numbers) }.joined()
            let document = "<r>\(text)</r>"
            let formatter = XMLFormatter(limit: 1 << 20, indent: 2, painter: VerbatimFormatter())
            let (result, offset) = try shown([Array(document.utf8)], by: formatter)
            if offset != nil {
                #expect(result == document)
                continue
            }
            laidOutCount += 1
            let again = try laidOut(result)
            #expect(again == result, "\(document)")
            #expect(result.withoutSpaceAndEmptyTags == document.withoutSpaceAndEmptyTags, "\(document)")
        }
        #expect(laidOutCount > 1000)
    }

    @Test func `every prefix of a document is written unchanged`() throws {
        let text = "<!DOCTYPE r [<!ENTITY a \"x\">]><?p x?><r a='1'><!--n--><![CDATA[c]]>t&a;<b c=\"d\"/> </r>"
        for length in 0..<text.utf8.count {
            let beginning = Array(text.utf8.prefix(length))
            let formatter = XMLFormatter(limit: 1 << 20, indent: 2, painter: VerbatimFormatter())
            let (result, _) = try shown([beginning], by: formatter)
            #expect(result == String(decoding: beginning, as: UTF8.self))
        }
    }

    @Test func `a document above the limit is written unchanged, with a warning`() throws {
        let text = "<a>" + String(repeating: "<b/>", count: 100) + "</a>"
        var formatter = XMLFormatter(limit: 100, indent: 2, painter: VerbatimFormatter())
        #expect(try shown(text, by: formatter) == text)
        var buffer = OutputBuffer(DiscardedOutput())
        try Array(text.utf8).withUnsafeBytes { try formatter.consume($0, into: &buffer) }
        #expect(formatter.warning?.contains("--max-formatted") == true)
        #expect(formatter.brokenOffset == nil)
    }

    @Test func `the indentation of deep nesting is limited`() throws {
        let depth = 100_000
        let text = String(repeating: "<a>", count: depth) + "<b/>" + String(repeating: "</a>", count: depth)
        let result = try laidOut(text)
        #expect(result.utf8.count < text.utf8.count + 300 * 300)
        #expect(result.filter { !$0.isWhitespace } == text)
    }
}

@Suite struct MarkupPainterTests {
    private let page = """
        <!DOCTYPE html><!-- <b> --><p class="a>b" id=c  checked>1 < 2 &amp; <br/>é</p>
        <script>if (a<b) { "</p>" }</script ><title>A <b> C</title></x y='z'><?php x ?> <!> </>
        """

    private func painted(_ text: String, _ dialect: MarkupPainter.Dialect = .html) throws -> String {
        try shown(text, by: MarkupPainter(dialect, palette: .standard, isForTerminal: true))
    }

    @Test(arguments: [MarkupPainter.Dialect.html, .xml])
    func `colors do not change the text, for any division into chunks`(dialect: MarkupPainter.Dialect) throws {
        let whole = try painted(page, dialect)
        #expect(whole.withoutColors == page)
        for pieces in cuts(of: Array(page.utf8)) {
            let painter = MarkupPainter(dialect, palette: .standard, isForTerminal: true)
            #expect(try shown(pieces, by: painter).text == whole)
        }
    }

    @Test func `tags, attributes, values and comments have their own colors`() throws {
        let text = try painted("<p class='a'>x</p><!--c-->")
        let (tag, end) = ("\u{1B}[1;34m", "\u{1B}[0m")
        #expect(
            text == "\(tag)<p\(end) \u{1B}[36mclass\(end)=\u{1B}[32m'a'\(end)\(tag)>\(end)x\(tag)</p>\(end)"
                + "\u{1B}[35m<!--c-->\(end)")
    }

    @Test func `the content of a script element is text in HTML and markup in XML`() throws {
        let text = "<script>a<b</script><b>"
        #expect(try painted(text).contains("a<b\u{1B}[1;34m</script>"))
        #expect(try painted(text, .xml).contains("a\u{1B}[1;34m<b"))
    }

    @Test func `control characters in tags and comments are escaped on a terminal`() throws {
        let text = try painted("<a\u{1B}[2J b=\"\u{9B}\u{202E}\">\u{7}<!--\u{85}-->")
        #expect(!text.withoutColors.holdsTerminalControls)
        #expect(text.contains("\\u202e"))
    }
}

extension String {
    fileprivate var withoutSpaceAndEmptyTags: String {
        filter { !$0.isWhitespace }.replacing("<bx='1'></b>", with: "<bx='1'/>").replacing("<a></a>", with: "<a/>")
            .replacing("<r></r>", with: "<r/>")
    }
}
