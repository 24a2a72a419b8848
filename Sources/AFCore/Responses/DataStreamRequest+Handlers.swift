internal import AFHTTP
public import Dispatch
public import FoundationEssentials
internal import Synchronization

/// What to do with the pieces of the body. Each handler gets them all, one at a time and in order on any queue, and the end
/// last. A handler that throws ends the request, and is told of nothing but the end from then on. Adding one starts the
/// request.
///
/// The request ends after every handler has returned from every chunk. A handler that throws or cancels, at the last
/// chunk too, therefore ends the request with its error, which every handler's completion holds.
///
/// Pieces are as the network gave them: nothing puts together what belongs together.
extension DataStreamRequest {
    /// Hands over the pieces as they are.
    @discardableResult
    public func responseStream(
        on queue: DispatchQueue = .main,
        stream: @escaping Handler<Data, Never>
    ) -> Self {
        responseStream(on: CallbackQueue(queue), stream: stream)
    }

    /// The same on a queue that need not be Dispatch's.
    @discardableResult
    public func responseStream(on queue: CallbackQueue, stream: @escaping Handler<Data, Never>) -> Self {
        handle(.passthrough, on: .inline, calling: queue, releasing(stream))
        return self
    }

    /// Makes a value of each piece. One that fails is a failure of that piece only, unless the request was made with
    /// `automaticallyCancelOnStreamError`.
    @discardableResult
    public func responseStream<Serializer: DataStreamSerializer>(
        using serializer: Serializer,
        on queue: DispatchQueue = .main,
        stream: @escaping Handler<Serializer.SerializedObject, AFError>
    ) -> Self {
        handle(.serializer(serializer), on: conversionQueue, calling: CallbackQueue(queue), releasing(stream))
        return self
    }

    /// Gives the body as UTF-8 text, where bytes that are none become U+FFFD.
    ///
    /// A character that the network cut in two comes whole with the second piece, unlike with
    /// ``StringStreamSerializer``, which sees one piece only.
    @discardableResult
    public func responseStreamString(
        on queue: DispatchQueue = .main,
        stream: @escaping Handler<String, Never>
    ) -> Self {
        handle(.text(), on: conversionQueue, calling: CallbackQueue(queue), releasing(stream))
        return self
    }

    /// Decodes each piece by itself, as JSON unless another decoder is given.
    @discardableResult
    public func responseStreamDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        on queue: DispatchQueue = .main,
        using decoder: any DataDecoder = JSONDecoder(),
        preprocessor: any DataPreprocessor = PassthroughPreprocessor(),
        stream: @escaping Handler<Value, AFError>
    ) -> Self {
        let serializer = DecodableStreamSerializer<Value>(decoder: decoder, dataPreprocessor: preprocessor)
        return responseStream(using: serializer, on: queue, stream: stream)
    }

    // For the awaited face, which releases a piece when somebody has taken it.

    func handle<Success, Failure>(
        _ conversion: StreamConversion<Success, Failure>,
        on conversionQueue: CallbackQueue,
        calling queue: CallbackQueue,
        _ handler: @escaping StreamHandler<Success, Failure>.Handler
    ) {
        let token = CancellationToken(request: self)
        attach(StreamHandler(conversion, on: conversionQueue, calling: queue, token: token, handler))
    }

    var conversionQueue: CallbackQueue { CallbackQueue(serializationQueue) }

    /// A handler that is through with a piece when it returns.
    private func releasing<Success, Failure>(
        _ handler: @escaping Handler<Success, Failure>
    ) -> StreamHandler<Success, Failure>.Handler {
        { stream, release in
            defer { release() }
            try handler(stream)
        }
    }
}

extension StreamConversion where Success == Data, Failure == Never {
    static var passthrough: StreamConversion { StreamConversion { .success($0.data) } }
}

extension StreamConversion where Failure == AFError {
    static func serializer<Serializer: DataStreamSerializer<Success>>(_ serializer: Serializer) -> StreamConversion {
        StreamConversion { piece in
            let result = Result<Success, AFError>(serializing: { try serializer.serialize(piece.data) })
            let request = piece.request
            request.tell { $0.request(request, didParseStream: result) }
            if request.automaticallyCancelOnStreamError, result.failure != nil { request.cancel() }
            return result
        }
    }
}

extension StreamConversion where Success == String, Failure == Never {
    /// Text, of which characters that are cut in two wait for their rest.
    static func text() -> StreamConversion {
        let assembler = TextAssembler()
        let parsed = { @Sendable (text: String?, request: DataStreamRequest) -> Result<String, Never>? in
            guard let text else { return nil }
            request.tell { $0.request(request, didParseStream: .success(text)) }
            return .success(text)
        }
        return StreamConversion(
            convert: { parsed(assembler.append($0.data), $0.request) },
            finish: { parsed(assembler.finish(), $0) },
            startOver: { _ = assembler.finish() }
        )
    }
}

/// UTF-8 text in pieces.
private final class TextAssembler: Sendable {
    /// The beginning of a character.
    private let rest = Mutex(Data())

    /// The text that is complete; `nil` where there is none.
    func append(_ data: Data) -> String? {
        rest.withLock { rest in
            var bytes = rest + data
            let kept = bytes.incompleteTail
            rest = Data(bytes.suffix(kept))
            bytes.removeLast(kept)
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
    }

    /// What will not become complete any more.
    func finish() -> String? {
        rest.withLock { rest in
            defer { rest = Data() }
            return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
        }
    }
}

extension Data {
    /// The length of the UTF-8 sequence at the end that more bytes may complete; at most three.
    fileprivate var incompleteTail: Int {
        for (index, byte) in suffix(3).reversed().enumerated() {
            switch byte {
            case 0x80..<0xC0: continue
            case 0xC2..<0xE0: return index < 1 ? index + 1 : 0
            case 0xE0..<0xF0: return index < 2 ? index + 1 : 0
            case 0xF0..<0xF5: return index < 3 ? index + 1 : 0
            default: return 0
            }
        }
        return 0
    }
}
