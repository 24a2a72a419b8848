/// The contents of the help, independent of its layout.
struct HelpPage: Equatable, Sendable {
    struct Row: Equatable, Sendable {
        let term: String
        let meaning: String
    }

    struct Section: Equatable, Sendable {
        let title: String
        let rows: [Row]
    }

    let usage: String
    /// The sentence below the usage.
    let purpose: String
    /// Example commands with descriptions.
    let examples: [Row]
    /// The forms of an item.
    let items: Section
    let sections: [Section]
    let footer: [String]
}

extension HelpPage {
    /// Creates the overview: usage, examples, items, options.
    init(overviewOf options: [OptionEntry]) {
        self.init(
            usage: "afcli [OPTIONS] [METHOD] URL [ITEM ...]",
            purpose: "Sends an HTTP request and shows the response, or saves it.",
            examples: Self.examples,
            items: Self.items,
            sections: options.sections.map { title, options in
                Section(title: title, rows: options.map { Row(term: $0.synopsis, meaning: $0.summary) })
            },
            footer: [
                "--help=OPTION tells all about one option; --no-OPTION undoes one.",
                "Long options may be shortened while that is unambiguous; the last of contradicting ones wins.",
            ]
        )
    }

    private static let examples = [
        Row(term: "afcli example.org", meaning: "GET, shown formatted"),
        Row(term: "afcli :8080/search q=='two words'", meaning: "GET localhost, a query"),
        Row(term: "afcli put api.test/users/7 name=Ada age:=36", meaning: "PUT a JSON object"),
        Row(term: "afcli -f api.test/notes text=@note.txt", meaning: "POST a form"),
        Row(term: "afcli api.test/photos -F photo=@cat.jpg", meaning: "Upload a file"),
        Row(term: "afcli -d example.org/big.iso --resume", meaning: "Download or go on"),
        Row(term: "afcli -v -a ada example.org Accept:text/html", meaning: "Show both sides"),
    ]

    private static let items = Section(
        title: "Items",
        rows: [
            Row(term: "Name:Value", meaning: "Header; 'Name;' is empty, 'Name:' removes one"),
            Row(term: "name==value", meaning: "Query parameter"),
            Row(term: "name=value", meaning: "String: a JSON member or a form field"),
            Row(term: "name:=json", meaning: "JSON: a number, true, [1, 2], ..."),
            Row(term: "a[b][]=value", meaning: "Nested JSON"),
            Row(term: "name@file", meaning: "Upload, with --form; may end in ;type= ;filename="),
            Row(term: "@file", meaning: "The whole body; @- is standard input"),
            Row(term: "=@ :=@ ==@ :@", meaning: "The same, with the value from a file"),
        ]
    )
}
