import Foundation
import Testing

@testable import AFHurl

/// Parses each file of `Corpus` and compares its tree, or its error with the caret, with the text file beside it.
@Suite struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")
    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".hurl") }.sorted()
    }()

    private func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: Self.folder.appending(path: name)), as: UTF8.self)
    }

    @Test func `the corpus has valid and malformed files`() {
        #expect(Self.names.count { $0.hasPrefix("bad-") } >= 100)
        #expect(Self.names.count { !$0.hasPrefix("bad-") } >= 60)
    }

    @Test(arguments: names)
    func `a file has the expected tree or error`(name: String) throws {
        let expected = try read(name.replacing(".hurl", with: ".txt"))
        #expect(HurlTree.text(of: try read(name), filename: name) == expected)
        #expect(expected.hasPrefix("error: ") == name.hasPrefix("bad-"))
    }

    @Test(arguments: names)
    func `every prefix of a file has a tree or an error`(name: String) throws {
        let content = try read(name)
        for end in content.unicodeScalars.indices where content.count < 250 {
            #expect(!HurlTree.text(of: String(content.unicodeScalars[..<end]), filename: name).contains("error: \n"))
        }
    }
}
