/// The body of a streamed response as an asynchronous sequence of lines; see ``BodyChunks``.
///
/// Lines end with LF, CR or CRLF, which are removed; the last line needs no end. Invalid UTF-8 becomes U+FFFD.
public struct BodyLines: AsyncSequence, Sendable {
    /// The error of the sequence.
    public typealias Failure = AFError
    /// The iterator over the lines of the body.
    public typealias AsyncIterator = Iterator

    private let chunks: BodyChunks
    private let maximumLength: Int

    init(_ chunks: BodyChunks, maximumLength: Int) {
        self.chunks = chunks
        self.maximumLength = maximumLength
    }

    /// Returns an iterator; all iterators of a sequence share its chunks.
    public func makeAsyncIterator() -> Iterator { Iterator(chunks.makeAsyncIterator(), maximumLength) }

    /// An iterator over the lines, in order.
    public struct Iterator: AsyncIteratorProtocol {
        private var chunks: BodyChunks.Iterator
        private var parser: LineParser

        fileprivate init(_ chunks: BodyChunks.Iterator, _ maximumLength: Int) {
            self.chunks = chunks
            parser = LineParser(maximumLength: maximumLength)
        }

        /// Returns the next line; `nil` at the end of the body.
        ///
        /// - Throws: The request's error, after the complete lines that arrived before it. A line that is too long
        ///   cancels the request: `customSerializationFailed` with a ``StreamLimitExceeded``.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(AFError) -> String?
        {
            while true {
                do throws(StreamLimitExceeded) {
                    if let line = try parser.next() { return String(decoding: line, as: UTF8.self) }
                } catch {
                    chunks.close()
                    throw error.asAFError
                }
                guard let chunk = try await chunks.next(isolation: actor) else {
                    return parser.finish().map { String(decoding: $0, as: UTF8.self) }
                }
                parser.append(chunk)
            }
        }
    }
}
