import Glibc
import Testing

@testable import AFCommand
@testable import AFFormatting

@Suite struct ThemeTests {
    @Test(arguments: [
        ("ember", Theme.ember), ("OCEAN", .ocean), ("pie-dark", .dusk), ("solarized", .ocean), ("gruvbox-dark", .ember),
        ("bw", .mono),
    ])
    func `the style names of HTTPie select a theme`(name: String, theme: Theme) throws {
        let style = try StyleName(argument: name)
        #expect(style.theme == theme && style.unknown == nil)
    }

    @Test func `an unknown style is a warning`() async throws {
        let run = await runTool("--style", "rainbow_dash", "--offline", "example.org")
        #expect(run.status == 0)
        #expect(run.errors == "afcli: warning: unknown style 'rainbow_dash': using auto\n")
    }

    @Test(arguments: ["S", "fS", "http://h/", "-o", "o", "w"])
    func `curl's -s is not a style`(name: String) {
        let error = #expect(throws: UsageError.self) { try StyleName(argument: name) }
        #expect(error?.hint == "curl's --silent is not needed here: omit it")
    }

    @Test(arguments: ["L", "SL", "fSL"])
    func `curl's -sL is -L`(letters: String) {
        let error = #expect(throws: UsageError.self) { try StyleName(argument: letters) }
        #expect(error?.hint == "of curl's -s\(letters), only -L is needed here")
    }

    @Test(arguments: [("Lo", "-L and -o"), ("SLO", "-L and -d"), ("LfSo", "-L and -o")])
    func `curl's -sLo and -sLO save the body`(letters: String, options: String) {
        let error = #expect(throws: UsageError.self) { try StyleName(argument: letters) }
        #expect(error?.hint == "of curl's -s\(letters), only \(options) are needed here")
    }

    @Test(arguments: Theme.allCases)
    func `every color of a theme is readable on black and on white`(theme: Theme) {
        for style in theme.palette(hasManyColors: true).styles {
            switch style {
            case .color(let index), .boldColor(let index):
                let light = luminance(of: index)
                #expect((light + 0.05) / 0.05 >= 3.7 && 1.05 / (light + 0.05) >= 3.7, "\(index)")
            default: break
            }
        }
    }

    @Test func `themes differ, except with sixteen colors`() {
        let many = Theme.allCases.map { $0.palette(hasManyColors: true) }
        #expect(Set(many).count == Theme.allCases.count)
        for theme in Theme.allCases where theme != .mono {
            #expect(theme.palette(hasManyColors: false) == .standard)
        }
        #expect(Theme.mono.palette(hasManyColors: false) == .mono)
    }

    @Test func `the index of a color is written in decimal`() {
        for (index, text) in [(7, "7"), (42, "42"), (105, "105"), (200, "200")] as [(UInt8, String)] {
            let output = MemoryOutput()
            var buffer = OutputBuffer(output)
            buffer.begin(.color(index))
            buffer.end(.color(index))
            buffer.begin(.boldColor(index))
            try? buffer.flush()
            #expect(output.text == "\u{1B}[38;5;\(text)m\u{1B}[0m\u{1B}[1;38;5;\(text)m")
            #expect(TextStyle.color(index).applied(to: "x") == "\u{1B}[38;5;\(text)mx\u{1B}[0m")
        }
    }

    @Test func `the help of the option names every theme`() throws {
        let option = try #require(Invocation.options.entries.first { $0.name == "--style" })
        for theme in Theme.allCases { #expect(option.summary.contains(theme.rawValue)) }
    }

    @Test(
        arguments: [
            (["TERM": "xterm"], false), (["TERM": "xterm-256color"], true), (["TERM": "linux"], false), ([:], false),
            (["TERM": "xterm", "COLORTERM": "truecolor"], true), (["TERM": "xterm-direct"], true),
            (["COLORTERM": ""], false),
        ] as [([String: String], Bool)])
    func `the environment determines the number of colors`(variables: [String: String], hasMany: Bool) {
        #expect(ColorDecision.hasManyColors(Variables(variables)) == hasMany)
    }

    /// The luminance of one of the 256 colors, as xterm defines them (WCAG 2.2).
    private func luminance(of index: UInt8) -> Double {
        let levels = [0.0, 95, 135, 175, 215, 255]
        let place = Int(index) - 16
        let parts =
            index >= 232
            ? [Double](repeating: Double(8 + 10 * (Int(index) - 232)), count: 3)
            : [levels[place / 36], levels[place / 6 % 6], levels[place % 6]]
        let linear = parts.map { part in
            let part = part / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}

extension Palette {
    /// All of them, by reflection: none can be forgotten.
    fileprivate var styles: [TextStyle] { Mirror(reflecting: self).children.compactMap { $0.value as? TextStyle } }
}
