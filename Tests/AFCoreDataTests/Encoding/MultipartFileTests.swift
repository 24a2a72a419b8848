import AFCore
import FoundationEssentials
import Glibc
import TestSupport
import Testing

struct MultipartFileTests {
    private func reason(_ form: MultipartFormData) -> AFError.MultipartEncodingFailureReason? {
        guard
            case .multipartEncodingFailed(let reason) = #expect(throws: AFError.self, performing: { try form.encode() })
        else { return nil }
        return reason
    }

    @Test func `a file is named and typed by its URL`() throws {
        try withScratchFolder { folder in
            let file = folder.appending(path: "Ü 1.PNG")
            try Data("bytes".utf8).write(to: file)
            let form = MultipartFormData(boundary: "B")
            form.append(file, withName: "f")
            #expect(form.contentLength == 5)
            let text = String(decoding: try form.encode(), as: UTF8.self)
            #expect(text.contains("; filename=\"Ü 1.PNG\"\r\nContent-Type: image/png\r\n\r\nbytes\r\n--B--"))
            #expect(form.encodedLength == Int64(text.utf8.count))
            #expect(try form.encode() == Data(text.utf8), "files can be read twice")
        }
    }

    @Test func `a file with an unknown extension is application/octet-stream`() throws {
        try withScratchFolder { folder in
            let file = folder.appending(path: "a.unheard-of")
            try Data().write(to: file)
            let form = MultipartFormData()
            form.append(file, withName: "f")
            #expect(
                String(decoding: try form.encode(), as: UTF8.self).contains("application/octet-stream\r\n\r\n\r\n--"))
        }
    }

    @Test func `a large file arrives byte for byte`() throws {
        try withScratchFolder { folder in
            let file = folder.appending(path: "large.bin")
            let bytes = Data((0..<200_003).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try bytes.write(to: file)
            let form = MultipartFormData(boundary: "B")
            form.append(file, withName: "f", fileName: "g", mimeType: "a/b")
            let output = folder.appending(path: "body")
            try form.writeEncodedData(to: output)
            let written = try Data(contentsOf: output)
            #expect(written == (try form.encode()))
            #expect(written.dropLast("\r\n--B--\r\n".utf8.count).suffix(bytes.count) == bytes)
        }
    }

    @Test func `each kind of unreadable file has its own error`() throws {
        try withScratchFolder { folder in
            let nameless = MultipartFormData()
            nameless.append(folder.appending(path: "Makefile"), withName: "f")
            guard case .bodyPartFilenameInvalid = reason(nameless) else { Issue.record(); return }

            let remote = MultipartFormData()
            remote.append(try "http://h/a.png".asURL(), withName: "f")
            guard case .bodyPartURLInvalid = reason(remote) else { Issue.record(); return }

            let missing = MultipartFormData()
            missing.append(folder.appending(path: "none.txt"), withName: "f")
            guard case .bodyPartFileNotReachableWithError(_, let error) = reason(missing) else {
                Issue.record(); return
            }
            #expect(error.explanation == "No such file or directory")

            let directory = MultipartFormData()
            directory.append(folder, withName: "f", fileName: "f", mimeType: "a/b")
            guard case .bodyPartFileIsDirectory = reason(directory) else { Issue.record(); return }

            let device = MultipartFormData()
            device.append(URL(filePath: "/dev/null"), withName: "f", fileName: "f", mimeType: "a/b")
            guard case .bodyPartFileSizeNotAvailable = reason(device) else { Issue.record(); return }
        }
    }

    @Test func `the first error is the one that is thrown`() throws {
        let form = MultipartFormData()
        form.append(Data(), withName: "fine")
        form.append(URL(filePath: "/nowhere/first.txt"), withName: "f")
        form.append(URL(filePath: "/nowhere/second.txt"), withName: "f")
        let errors = [
            #expect(throws: AFError.self) { try form.encode() },
            #expect(throws: AFError.self) { try form.makeBody() },
            #expect(throws: AFError.self) { try form.writeEncodedData(to: URL(filePath: "/nowhere/body")) },
        ]
        #expect(errors.allSatisfy { $0?.url?.path == "/nowhere/first.txt" })
    }

    @Test func `a file that shrinks after it was appended is an error`() throws {
        try withScratchFolder { folder in
            let file = folder.appending(path: "a.txt")
            try Data("12345".utf8).write(to: file)
            let form = MultipartFormData(boundary: "B")
            form.append(file, withName: "f")
            #expect(truncate(file.path, 2) == 0)
            guard case .inputStreamReadFailed(let error) = reason(form) else { Issue.record(); return }
            let expected = AFError.UnexpectedInputStreamLength(bytesExpected: 5, bytesRead: 2)
            #expect(error as? AFError.UnexpectedInputStreamLength == expected)
        }
    }

    @Test func `a virtual file is sent with its contents, not its reported size`() throws {
        for path in ["/proc/version", "/sys/kernel/mm/transparent_hugepage/enabled"] {
            let content = try Data(contentsOf: URL(filePath: path))
            let form = MultipartFormData(boundary: "B")
            form.append(URL(filePath: path), withName: "f", fileName: "g", mimeType: "a/b")
            let body = try form.encode()
            let sent = body.dropLast("\r\n--B--\r\n".utf8.count)
            #expect(!content.isEmpty)
            #expect(sent.suffix(content.count + 4) == Data("\r\n\r\n".utf8) + content)
            #expect(form.encodedLength == Int64(body.count))
        }
    }

    @Test func `the body is written to new files only, and to files only`() throws {
        try withScratchFolder { folder in
            let form = MultipartFormData(boundary: "B")
            form.append(Data("x".utf8), withName: "a")
            let file = folder.appending(path: "body")
            try form.writeEncodedData(to: file)
            var status = stat()
            #expect(stat(file.path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)

            let exists = #expect(throws: AFError.self) { try form.writeEncodedData(to: file) }
            guard case .multipartEncodingFailed(.outputStreamFileAlreadyExists) = exists else { Issue.record(); return }
            let remote = #expect(throws: AFError.self) { try form.writeEncodedData(to: "http://h/p".asURL()) }
            guard case .multipartEncodingFailed(.outputStreamURLInvalid) = remote else { Issue.record(); return }
            let nowhere = folder.appending(path: "none/body")
            let lost = #expect(throws: AFError.self) { try form.writeEncodedData(to: nowhere) }
            guard case .multipartEncodingFailed(.outputStreamCreationFailed) = lost else { Issue.record(); return }
        }
    }
}
