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
            purpose: "Sends an HTTP request and shows or saves the response.",
            examples: Self.examples,
            items: Self.items,
            sections: options.sections.map { title, options in
                Section(title: title, rows: options.map { Row(term: $0.synopsis, meaning: $0.summary) })
            },
            footer: [
                "--help=OPTION describes an option; --no-OPTION resets it.",
                "Long options can be abbreviated to an unambiguous prefix; the last of several counts.",
            ]
        )
    }

    private static let examples = [
        Row(term: "afcli example.org", meaning: "GET, formatted"),
        Row(term: "afcli :8080/search q=='two words'", meaning: "GET localhost, a query"),
        Row(term: "afcli put api.test/users/7 name=Ada age:=36", meaning: "PUT a JSON object"),
        Row(term: "afcli -f api.test/notes text=@note.txt", meaning: "POST a form"),
        Row(term: "afcli api.test/photos -F photo=@cat.jpg", meaning: "Upload a file"),
        Row(term: "afcli -d example.org/big.iso --resume", meaning: "Download or resume"),
        Row(term: "afcli -v -a ada example.org Accept:text/html", meaning: "Show request and response"),
    ]

    private static let items = Section(
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
