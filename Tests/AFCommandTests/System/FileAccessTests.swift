import Glibc
import Testing

@testable import AFCommand

@Suite struct FileAccessTests {
    private let files = FileAccess.system(homeDirectory: nil)

    /// Runs a test in its own directory, which is removed afterwards.
    private func inFolder(_ test: (_ folder: String) throws -> Void) throws {
        var template = Array("/tmp/afcli-files-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        let folder = String(cString: made)
        defer {
            for name in ["file", "fifo", "closed"] { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        try test(folder)
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(descriptor >= 0)
        #expect(bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == bytes.count)
        close(descriptor)
    }

    @Test func `a file is read and described`() throws {
        try inFolder { folder in
            let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
            try write(content, to: "\(folder)/file")
            #expect(try files.read("\(folder)/file", .text) == content)
            #expect(try files.describe("\(folder)/file") == .init(kind: .regular, size: 200_000))
        }
    }

    @Test func `a FIFO is described without being opened`() throws {
        try inFolder { folder in
            #expect(mkfifo("\(folder)/fifo", 0o600) == 0)
            let description = try files.describe("\(folder)/fifo")
            #expect(description == .init(kind: .pipe, size: nil))
        }
    }

    @Test func `an unreadable file is reported with the reason`() throws {
        try inFolder { folder in
            let operations: [(String) throws -> Void] = [
                { _ = try files.read($0, .text) }, { _ = try files.describe($0) },
            ]
            for operation in operations {
                #expect(throws: FileProblem(path: folder, reason: .isDirectory)) { try operation(folder) }
                #expect(throws: FileProblem(path: "\(folder)/no", reason: .isMissing)) {
                    try operation("\(folder)/no")
                }
            }
            try write([], to: "\(folder)/closed")
            #expect(chmod("\(folder)/closed", 0) == 0)
            // Root reads everything.
            if geteuid() != 0 {
                #expect(throws: FileProblem.self) { try files.describe("\(folder)/closed") }
            }
            let reason = FileProblem.Reason.other("a part of the path is not a directory")
            #expect(throws: FileProblem(path: "\(folder)/closed/x", reason: reason)) {
                try files.read("\(folder)/closed/x", .text)
            }
        }
    }

    @Test func `a tilde is replaced by the home directory`() {
        let files = FileAccess.fixed([String: String]())
        #expect(files.expanding("~/a") == "/home/ada/a")
        #expect(files.expanding("~") == "/home/ada")
        #expect(files.expanding("~b/a") == "~b/a")
        #expect(files.expanding("a/~/b") == "a/~/b")
    }
}
