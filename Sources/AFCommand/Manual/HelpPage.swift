/// The contents of the help, independent of its layout.
package struct HelpPage: Equatable, Sendable {
    package struct Row: Equatable, Sendable {
        package let term: String
        package let meaning: String
    }

    package struct Section: Equatable, Sendable {
        let title: String
        package let rows: [Row]

        init(title: String, rows: [Row]) {
            self.title = title
            self.rows = rows
        }

        init(title: String, _ options: [OptionEntry]) {
            self.init(title: title, rows: options.map { Row(term: $0.synopsis, meaning: $0.summary) })
        }
    }

    /// Usage, items and options, in this order.
    let sections: [Section]
    let footer: [String]
}

extension HelpPage {
    static let usage = "afcli [OPTIONS] [METHOD] URL [ITEM ...]"

    /// Creates the overview, which fits a terminal of 80 columns and 45 lines.
    init(overviewOf options: [OptionEntry]) {
        let common = Self.common.compactMap { name in options.first { $0.name == name } }
        let rows = common.map { Row(term: $0.shortSynopsis, meaning: $0.summary) }
        self.init(
            sections: [
                Section(title: "Examples", rows: Array(Self.examples.prefix(3))), Self.items,
                Section(title: "Common options", rows: rows),
            ],
            footer: [
                "--help=all lists all options, --help=cookie those about a word, and",
                "--help=timeout describes an option. The manual: man afcli",
                "afcli curl ... runs a curl command unchanged, and afcli run FILE a Hurl file.",
            ]
        )
    }

    /// Creates the page with the examples and all options.
    init(describing options: [OptionEntry]) {
        let offered = options.filter(\.isOffered)
        let sections = offered.filter { !$0.isRare }.sections + [offered.rareSection]
        self.init(
            sections: [Section(title: "Examples", rows: Self.examples), Self.items]
                + sections.map { Section(title: $0.title, $0.options) },
            footer: [
                "--help=OPTION describes an option. --no-OPTION resets an option, unless it is an option of its own.",
                "Long options can be abbreviated to an unambiguous prefix. If options contradict, the last one applies.",
                "-q applies at any position.",
            ]
        )
    }

    /// The names of the options in the overview, in the order of use.
    static let common = [
        "--form", "--part", "--raw", "--header", "--auth", "--follow", "--session", "--insecure", "--timeout",
        "--retry", "--download", "--output", "--resume", "--headers", "--body", "--verbose", "--quiet", "--filter",
        "--expect-status", "--curl",
    ]

    /// Commands with descriptions. The first three are also in the overview.
    package static let examples = [
        Row(term: "afcli example.org/search q=='two words'", meaning: "GET; with data, POST"),
        Row(term: "afcli :3000/people name=Ada born:=1815", meaning: "POST JSON to localhost:3000"),
        Row(term: "afcli -d example.org/big.iso --resume", meaning: "Download, or resume"),
        Row(term: "afcli put api.test/users/7 name=Ada age:=36", meaning: "PUT a JSON object"),
        Row(term: "afcli -f api.test/notes text=@note.txt", meaning: "POST a form"),
        Row(term: "afcli api.test/photos -F photo=@cat.jpg", meaning: "Upload a file"),
        Row(term: "afcli -I wss://example.org/ticks", meaning: "Show WebSocket messages"),
        Row(term: "afcli -v -a ada example.org Accept:text/html", meaning: "Show request and response"),
    ]

    /// The forms of an item.
    package static let items = Section(
        title: "Items",
        rows: [
            Row(term: "Name:Value", meaning: "Header field; 'Name;' is empty, 'Name:' removes it"),
            Row(term: "name==value", meaning: "Query parameter"),
            Row(term: "name=value", meaning: "String: JSON member or form field"),
            Row(term: "name:=json", meaning: "JSON: a number, true, [1, 2], ..."),
            Row(term: "a[b][]=value", meaning: "Nested JSON"),
            Row(term: "name@file", meaning: "File upload with --form; options ;type= ;filename="),
            Row(term: "@file", meaning: "The complete body; @- is standard input"),
            Row(term: "=@ :=@ ==@ :@", meaning: "The value from a file"),
        ]
    )
}
