import AFCore
import AFHTTP
import FoundationEssentials
import Testing

@testable import AFDownloads

/// Each transition of the file of an attempt, without a file, a request or a thread.
struct DownloadFileTests {
    private typealias File = DownloadFile<String, String>

    private let path = "/tmp/file"

    private func pending(_ kind: DownloadWriter.Kind = .resumable(nil), length: Int? = nil) -> PendingFile {
        let headers: HTTPHeaders = length.map { ["Content-Length": "\($0)"] } ?? []
        let response = HTTPURLResponse(url: URL(string: "http://a.test/file"), statusCode: 200, headers: headers)
        return PendingFile(response: response, kind: kind)
    }

    private func destination(isDecoded: Bool? = nil) -> PendingFile.Destination {
        PendingFile.Destination(path: path, options: [], checksums: [], isDecoded: isDecoded)
    }

    /// Receives bytes; returns a word for what happens to them.
    private func receive(_ count: Int, in file: inout File) -> String {
        switch [UInt8](repeating: 1, count: count).withUnsafeBytes({ file.receive($0) }) {
        case .buffered: "buffered"
        case .split: "split"
        case .pause: "pause"
        case .write(let output): "write to \(output.writer)" + (output.segments.map { " and \($0)" } ?? "")
        case .stop: "stop"
        }
    }

    /// A file whose header was received.
    private func begun(chunkLength: Int? = nil) -> File {
        var file = File.waiting
        file.begin(pending(), BodyBuffer(chunkLength: chunkLength))
        return file
    }

    /// A file with a chosen destination.
    private func chosen(chunkLength: Int? = nil, isDecoded: Bool? = nil) -> File {
        var file = begun(chunkLength: chunkLength)
        _ = file.choose(destination(isDecoded: isDecoded))
        return file
    }

    /// A file to which bytes are written.
    private func writing(isDecoded: Bool? = nil) -> File {
        var file = chosen(isDecoded: isDecoded)
        file.open("writer")
        _ = file.drain()
        return file
    }

    // The header

    @Test func `without a response nothing is received`() {
        var file = File.waiting
        #expect(receive(1, in: &file) == "stop")
        #expect(file.output?.writer == nil)
        #expect(file.path == nil)
        #expect(file.failure?.cause == nil)
    }

    @Test func `bytes are buffered while the destination is chosen`() {
        var file = begun()
        #expect(receive(10, in: &file) == "buffered")
        #expect(file.uncreated?.destination.path == nil)
        #expect(file.choose(destination()) == File.Choice(isAwaited: false, createsFile: true))
        #expect(file.uncreated?.destination.path == path)
        #expect(file.bufferedCount == 10)
        #expect(receive(10, in: &file) == "buffered")
        #expect(file.bufferedCount == 20)
    }

    @Test func `a destination is chosen once`() {
        var file = chosen()
        #expect(file.choose(destination()) == nil)
        file = writing()
        #expect(file.choose(destination()) == nil)
    }

    @Test func `an encoded body waits for the choice of the destination`() {
        var file = begun()
        #expect(file.decodesBody() == nil)
        #expect(file.choose(destination(isDecoded: true)) == File.Choice(isAwaited: true, createsFile: true))
        #expect(file.decodesBody() == true)
        file.open("writer")
        #expect(file.decodesBody() == true)
        _ = file.drain()
        #expect(file.decodesBody() == true)
    }

    @Test(arguments: [nil, false])
    func `a body that is stored as received is not decoded`(isDecoded: Bool?) {
        var file = chosen(isDecoded: isDecoded)
        #expect(file.decodesBody() == false)
        file = writing(isDecoded: isDecoded)
        #expect(file.decodesBody() == false)
    }

    @Test func `an existing file that is kept needs no body`() {
        var file = begun()
        #expect(receive(10, in: &file) == "buffered")
        #expect(file.decodesBody() == nil)
        #expect(file.keep(at: path) == true)
        #expect(file.path == path)
        #expect(file.decodesBody() == true)
        #expect(receive(10, in: &file) == "stop")
        #expect(file.end()?.writer == nil)
        #expect(file.path == path)
        var other = begun()
        #expect(other.keep(at: path) == false)
    }

    // Bodies of one chunk

    @Test func `the file of a body that may arrive in one chunk is created after its end`() {
        var file = begun(chunkLength: 10)
        #expect(file.choose(destination()) == File.Choice(isAwaited: false, createsFile: false))
        #expect(receive(10, in: &file) == "buffered")
        #expect(file.bufferedCount == 10)
        #expect(file.uncreated?.destination.path == path)
    }

    @Test(arguments: [4, 11])
    func `a chunk of another length needs the file at once`(count: Int) {
        var file = chosen(chunkLength: 10)
        #expect(receive(count, in: &file) == "split")
        #expect(receive(1, in: &file) == "buffered")
    }

    @Test func `a chunk after the only one needs the file at once`() {
        var file = chosen(chunkLength: 10)
        #expect(receive(10, in: &file) == "buffered")
        #expect(receive(1, in: &file) == "split")
    }

    @Test func `a chunk of another length before the choice creates the file after the choice`() {
        var file = begun(chunkLength: 10)
        #expect(receive(4, in: &file) == "split")
        #expect(file.choose(destination()) == File.Choice(isAwaited: false, createsFile: true))
    }

    // Writing

    @Test func `buffered bytes are written before further bytes go to the file`() {
        var file = chosen()
        #expect(receive(3, in: &file) == "buffered")
        file.open("writer")
        #expect(file.output?.writer == "writer")
        #expect(file.drain() == .write([1, 1, 1]))
        #expect(receive(2, in: &file) == "buffered")
        #expect(file.drain() == .write([1, 1]))
        #expect(file.drain() == .done(isPaused: false))
        #expect(receive(2, in: &file) == "write to writer")
        #expect(file.drain() == .done(isPaused: false))
    }

    @Test func `a full buffer pauses the transfer until it is empty`() {
        var file = chosen()
        #expect(receive(256 << 10, in: &file) == "buffered")
        #expect(receive(1, in: &file) == "pause")
        file.open("writer")
        #expect(file.drain() == .write([UInt8](repeating: 1, count: 256 << 10)))
        #expect(file.drain() == .done(isPaused: true))
        #expect(receive(1, in: &file) == "write to writer")
    }

    @Test func `a file is created once`() {
        var file = writing()
        file.open("other")
        #expect(file.output?.writer == "writer")
        file = begun()
        file.open("early")
        #expect(file.output?.writer == nil)
    }

    @Test func `several transfers may share the file as soon as it exists`() {
        var file = chosen()
        file.divide(among: "segments")
        file.open("writer")
        #expect(file.output?.segments == nil)
        file.divide(among: "segments")
        #expect(file.output?.segments == "segments")
        _ = file.drain()
        #expect(receive(1, in: &file) == "write to writer and segments")
        var sequential = writing()
        sequential.divide(among: "rest")
        #expect(sequential.output?.segments == "rest")
    }

    // The end

    @Test func `a failure before there is a file ends the body that waits`() {
        var file = begun()
        #expect(file.decodesBody() == nil)
        #expect(file.fail(DownloadFailure(.busy, path: ""), unusableDestination: path) == true)
        #expect(file.failure?.cause.reason == .busy)
        #expect(file.failure?.unusableDestination == path)
        #expect(file.decodesBody() == true)
        #expect(receive(1, in: &file) == "stop")
        #expect(file.end()?.writer == nil)
        #expect(file.failure?.cause.reason == .busy)
    }

    @Test func `a failed file keeps its bytes until the end of the attempt`() {
        var file = writing()
        file.divide(among: "segments")
        #expect(file.fail(DownloadFailure(.differentBytes, path: "")) == false)
        #expect(receive(1, in: &file) == "stop")
        let output = file.end()
        #expect(output?.writer == "writer")
        #expect(output?.segments == "segments")
        #expect(file.output?.writer == nil)
        #expect(file.failure?.cause.reason == .differentBytes)
    }

    @Test func `the first failure counts`() {
        var file = writing()
        #expect(file.fail(DownloadFailure(.differentBytes, path: "a")) == false)
        #expect(file.fail(DownloadFailure(.busy, path: "b"), unusableDestination: path) == false)
        #expect(file.failure?.cause == DownloadFailure(.differentBytes, path: "a"))
        #expect(file.failure?.unusableDestination == nil)
        #expect(file.end()?.writer == "writer")
        #expect(file.fail(DownloadFailure(.busy, path: "b")) == false)
        #expect(file.keep(at: path) == false)
        #expect(file.path == nil)
        #expect(file.failure?.cause.reason == .differentBytes)
    }

    @Test func `a failure while buffered bytes are written ends their writing`() {
        var file = chosen()
        #expect(receive(3, in: &file) == "buffered")
        file.open("writer")
        #expect(file.fail(DownloadFailure(.changedFile, path: "")) == false)
        #expect(file.drain() == .done(isPaused: false))
        #expect(file.output?.writer == "writer")
    }

    @Test func `a complete file has its URL after the end`() {
        var file = writing()
        #expect(file.end()?.writer == "writer")
        #expect(file.path == nil)
        #expect(receive(1, in: &file) == "stop")
        file.complete(at: path)
        #expect(file.path == path)
        #expect(file.fail(DownloadFailure(.busy, path: "")) == false)
        #expect(file.path == path)
    }

    @Test func `an attempt that ends before its file exists leaves nothing`() {
        var file = chosen(chunkLength: 10)
        #expect(receive(10, in: &file) == "buffered")
        #expect(file.end()?.writer == nil)
        #expect(file.uncreated?.destination.path == nil)
        #expect(file.bufferedCount == 0)
    }

    // The buffer of a response

    @Test func `only a body up to the size of a chunk may arrive in one`() {
        #expect(pending(length: 16 << 10).makeBuffer(mayWaitForEnd: true).chunkLength == 16 << 10)
        #expect(pending(length: 16 << 10).makeBuffer(mayWaitForEnd: false).chunkLength == nil)
        #expect(pending(length: (16 << 10) + 1).makeBuffer(mayWaitForEnd: true).chunkLength == nil)
        #expect(pending(length: 0).makeBuffer(mayWaitForEnd: true).chunkLength == nil)
        #expect(pending().makeBuffer(mayWaitForEnd: true).chunkLength == nil)
        #expect(pending(.discardable, length: 10).makeBuffer(mayWaitForEnd: false).chunkLength == 10)
        let record = DownloadRecord(url: "", partialPath: "")
        #expect(pending(.resumable(record), length: 10).makeBuffer(mayWaitForEnd: true).chunkLength == nil)
    }

    @Test func `a failure after the end of the attempt has no effect`() {
        var file = writing()
        #expect(file.end() != nil)
        #expect(file.fail(DownloadFailure(.busy, path: "")) == false)
        #expect(file.failure?.cause == nil)
        file.complete(at: path)
        #expect(file.path == path)
    }
}
