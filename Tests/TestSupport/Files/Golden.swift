/// Compares a text with the file `Golden/NAME` beside the test's source file.
///
/// With `UPDATE_GOLDEN=1` in the environment it writes the file instead; review the changes in the diff.
///
/// ```swift
/// try expectGolden(help, "help.txt")
/// ```
///
/// - Throws: ``GoldenMismatch`` with the first different line.
public func expectGolden(_ text: String, _ name: String, sourceFile: String = #filePath) throws {
    let folder = sourceFile.prefix(upTo: sourceFile.lastIndex(of: "/") ?? sourceFile.startIndex) + "/Golden"
    let file = "\(folder)/\(name)"
    if environmentVariable("UPDATE_GOLDEN") == "1" {
        try makeFolder(String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)]))
        try writeBytes(Array(text.utf8), to: file)
    } else if let golden = fileText(file) {
        if let mismatch = GoldenMismatch(file: file, golden: golden, actual: text) { throw mismatch }
    } else {
        throw GoldenMismatch(file: file, difference: "the file is missing")
    }
}

/// The difference between a text and its golden file.
public struct GoldenMismatch: Error, CustomStringConvertible {
    public let file: String
    public let difference: String

    init(file: String, difference: String) {
        self.file = file
        self.difference = difference
    }

    init?(file: String, golden: String, actual: String) {
        // Not `==` of strings, for which a composed and a decomposed ü are equal.
        guard Array(golden.utf8) != Array(actual.utf8) else { return nil }
        let expected = golden.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let found = actual.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let place = zip(expected, found).enumerated().first { $1.0 != $1.1 }?.offset ?? min(expected.count, found.count)
        func line(_ lines: [String]) -> String { place < lines.count ? lines[place].debugDescription : "(the end)" }
        self.init(
            file: file,
            difference: "line \(place + 1) is \(line(found)) instead of \(line(expected))"
        )
    }

    public var description: String { "\(file): \(difference); update it with UPDATE_GOLDEN=1" }
}
