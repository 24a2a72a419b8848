internal import AFCommand
internal import Glibc

// Writes a document about the options of afcli to standard output.
guard CommandLine.arguments.count == 2, let document = GeneratedDocument(rawValue: CommandLine.arguments[1]) else {
    print("Usage: afcli-docs", GeneratedDocument.allCases.map(\.rawValue).joined(separator: "|"))
    exit(64)
}
print(document.text(about: OptionEntry.all), terminator: "")
