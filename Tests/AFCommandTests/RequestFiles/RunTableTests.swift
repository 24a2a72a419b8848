import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// Runs the cases of `Table`.
@Suite(.timeLimit(.minutes(5))) struct RunTableTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Table")
    static let cases: [RunTableCase] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().flatMap { name in
            let text = (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
            return RunTableCase.cases(in: text)
        }
    }()

    @Test func `the table has at least 150 files`() {
        #expect(Self.cases.count >= 150)
        #expect(Set(Self.cases.map(\.title)).count == Self.cases.count)
    }

    @Test(arguments: cases.indices)
    func `a file has its requests, output, errors and exit number`(index: Int) async throws {
        let test = Self.cases[index]
        if test.hurl.contains("xpath"), XMLLibrary.shared == nil { return }
        let folder = try ScratchFolder()
        let file = folder.file("f.hurl")
        let count = Atomic(0)
        let base = Mutex("")
        try await withServer { request in
            let index = count.wrappingAdd(1, ordering: .relaxed).oldValue
            let bytes = test.response(index, to: request.method)
            let text = base.withLock(\.self)
            return .raw(
                text.isEmpty ? bytes : bytes.replacing(Array("URL/".utf8), with: Array(text.utf8)), keepsOpen: true)
        } _: { server in
            base.withLock { $0 = server.url() }
            func filled(_ text: String) -> String {
                text.replacing("URL/", with: server.url()).replacing("FILE", with: file)
                    .replacing("FOLDER", with: folder.path)
            }
            try folder.write(filled(test.hurl).replacing("\\r\n", with: "\r\n"), to: "f.hurl")
            for (name, text) in test.files { try folder.write(filled(text).bytesOfEscapes, to: name) }
            var world = ToolWorld().with(variables: test.variables.mapValues(filled))
            if let input = test.input.map(filled) {
                world.standardInput = .fixed(.stream, delivery: .bytes, content: input)
            }
            let words = test.words.map(filled)
            let path = words.contains("--") || test.input != nil ? [] : [file]
            let run = await runTool(["run"] + words.filter { $0 != "--" } + path, in: world)
            #expect(run.status == test.status, "\(test.title)")
            if let output = test.output { #expect(run.outputBytes == filled(output).bytesOfEscapes, "\(test.title)") }
            let errors = filled(test.errors ?? "").trimmingCharacters(in: .newlines)
            #expect(
                run.errors.trimmingCharacters(in: .newlines).matches(errors),
                "\(test.title):\n\(run.errors)instead of\n\(errors)")
            let requests = server.requests
            if !test.requests.isEmpty { #expect(requests.count == test.requests.count, "\(test.title)") }
            for (request, lines) in zip(requests, test.requests) {
                #expect(test.problems(of: request, lines.map(filled)) == [], "\(test.title)")
            }
        }
    }
}
