internal import AFHTTP
public import Dispatch
public import FoundationEssentials
internal import Synchronization

/// Stream handlers. Each receives all chunks, one at a time and in order on any queue, and the completion last. A
/// handler that throws ends the request and receives only the completion from then on. Adding one starts the request.
///
/// The request ends after every handler has returned from every chunk. A handler that throws or cancels, even at the
/// last chunk, ends the request with its error, which is in every handler's completion.
///
/// Chunks are passed as received from the network: they are not aligned to values.
extension DataStreamRequest {
    /// Calls the handler with the chunks as bytes.
    @discardableResult
    public func responseStream(
        on queue: DispatchQueue = .main,
        stream: @escaping Handler<Data, Never>
    ) -> Self {
        responseStream(on: CallbackQueue(queue), stream: stream)
    }

    /// Calls the handler with the chunks as bytes, on any executor.
    @discardableResult
    public func responseStream(on queue: CallbackQueue, stream: @escaping Handler<Data, Never>) -> Self {
        handle(.passthrough, on: .inline, calling: queue, releasing(stream))
        return self
    }

    /// Calls the handler with a value serialized from each chunk. An error concerns one chunk only, unless the request
    /// was created with `automaticallyCancelOnStreamError`.
    @discardableResult
    public func responseStream<Serializer: DataStreamSerializer>(
        using serializer: Serializer,
        on queue: DispatchQueue = .main,
        stream: @escaping Handler<Serializer.SerializedObject, AFError>
    ) -> Self {
        handle(.serializer(serializer), on: conversionQueue, calling: CallbackQueue(queue), releasing(stream))
        return self
    }

    /// Calls the handler with the body as UTF-8 text, in which invalid bytes become U+FFFD.
    ///
    /// A character that is split across chunks is passed complete with the second one, unlike with
    /// ``StringStreamSerializer``, which processes single chunks.
    @discardableResult
    public func responseStreamString(
        on queue: DispatchQueue = .main,
        stream: @escaping Handler<String, Never>
    ) -> Self {
        handle(.text(), on: conversionQueue, calling: CallbackQueue(queue), releasing(stream))
        return self
    }

    /// Calls the handler with a value decoded from each chunk, by default from JSON.
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

    // For asynchronous access, which releases a chunk after it was read.

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

    /// Returns a handler that releases a chunk when it returns.
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
        StreamConversion { chunk in
            let result = Result<Success, AFError>(serializing: { try serializer.serialize(chunk.data) })
            let request = chunk.request
            request.observers?.notify { $0.request(request, didParseStream: result) }
            if request.automaticallyCancelOnStreamError, result.failure != nil { request.cancel() }
            return result
        }
    }
}

extension StreamConversion where Success == String, Failure == Never {
    /// Returns a conversion to text, in which incomplete characters wait for their rest.
    static func text() -> StreamConversion {
        let assembler = TextAssembler()
        let parsed = { @Sendable (text: String?, request: DataStreamRequest) -> Result<String, Never>? in
            guard let text else { return nil }
            request.observers?.notify { $0.request(request, didParseStream: .success(text)) }
            return .success(text)
        }
        return StreamConversion(
            convert: { parsed(assembler.append($0.data), $0.request) },
            finish: { parsed(assembler.finish(), $0) },
            restart: { _ = assembler.finish() }
        )
    }
}

/// Assembles UTF-8 text from chunks.
private final class TextAssembler: Sendable {
    /// The start of an incomplete character.
    private let rest = Mutex(Data())

    /// Returns the complete text; `nil` if no character is complete.
    func append(_ data: Data) -> String? {
        rest.withLock { rest in
            var bytes = rest + data
            let tailLength = bytes.incompleteTail
            rest = Data(bytes.suffix(tailLength))
            bytes.removeLast(tailLength)
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Returns the incomplete rest.
    func finish() -> String? {
        rest.withLock { rest in
            defer { rest = Data() }
            return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
        }
    }
}

extension Data {
    /// The length of an incomplete UTF-8 sequence at the end; at most three.
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
