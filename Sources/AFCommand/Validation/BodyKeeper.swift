internal import AFCore
internal import Synchronization

/// What is there of a body for whoever must see all of it.
enum KeptBody: Equatable, Sendable {
    case whole([UInt8])
    /// It was longer than this many bytes.
    case tooLarge(limit: Int)
}

/// A body that fails what is expected of it, and so does not become a file. The complaints are told like all others.
struct UnexpectedBody: Error {}

/// Keeps the body of the answer for the expectations about it, up to a limit: memory stays bounded whatever comes.
final class BodyKeeper: Sendable {
    private let limit: Int
    private let contents = Mutex(KeptBody.whole([]))

    init(limit: Int) { self.limit = limit }

    var body: KeptBody { contents.withLock { $0 } }

    /// Forgets what there is: another answer begins.
    func begin() { contents.withLock { $0 = .whole([]) } }

    func add(_ bytes: UnsafeRawBufferPointer) {
        contents.withLock { contents in
            guard case .whole(var kept) = contents else { return }
            // Emptied so that the bytes are added in place instead of being copied.
            contents = .tooLarge(limit: limit)
            guard kept.count + bytes.count <= limit else { return }
            kept.append(contentsOf: bytes)
            contents = .whole(kept)
        }
    }

    /// Takes the body from the file that it was stored in. One that cannot be read any more counts as empty.
    func load(_ path: String) {
        begin()
        try? BodySource.file(path: path).forEachChunk { add($0) }
    }
}
