internal import AFCommand
internal import Glibc

// Writes a document about the options of afcli to standard output.
if CommandLine.arguments.dropFirst() == ["curl"] {
    print(CurlPage.text, terminator: "")
    exit(0)
}
guard CommandLine.arguments.count == 2, let document = GeneratedDocument(rawValue: CommandLine.arguments[1]) else {
    print("Usage: afcli-docs", (["curl"] + GeneratedDocument.allCases.map(\.rawValue)).joined(separator: "|"))
    exit(64)
}
print(document.text(about: OptionEntry.all), terminator: "")
