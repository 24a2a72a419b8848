public import FoundationEssentials

/// The awaited face of a streamed response.
///
/// Each call gives a stream of its own of all pieces, from where the body is, and starts the request. A piece that nobody has
/// taken holds the server back, so that memory stays flat: a stream that is kept but not read stops the others too. A
/// buffering policy other than `unbounded` drops pieces instead.
public struct DataStreamTask: Sendable {
    /// The pieces in order, the completion of the request last.
    public typealias Stream<Success: Sendable, Failure: Error> = StreamOf<DataStreamRequest.Stream<Success, Failure>>

    private let request: DataStreamRequest

    fileprivate init(_ request: DataStreamRequest) { self.request = request }

    /// The pieces as they are.
    ///
    /// - Parameter automaticallyCancelling: Cancels the request when the reader goes: its task is cancelled, or it leaves
    ///   the loop before the end.
    public func streamingData(
        automaticallyCancelling: Bool = true,
        bufferingPolicy: Stream<Data, Never>.BufferingPolicy = .unbounded
    ) -> Stream<Data, Never> {
        stream(.passthrough, on: .inline, automaticallyCancelling, bufferingPolicy)
    }

    /// The body as UTF-8 text; see ``DataStreamRequest/responseStreamString(on:stream:)``.
    public func streamingStrings(
        automaticallyCancelling: Bool = true,
        bufferingPolicy: Stream<String, Never>.BufferingPolicy = .unbounded
    ) -> Stream<String, Never> {
        stream(.text(of: request), on: request.conversionQueue, automaticallyCancelling, bufferingPolicy)
    }

    /// The pieces, each decoded as JSON by itself.
    public func streamingDecodables<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        automaticallyCancelling: Bool = true,
        bufferingPolicy: Stream<Value, AFError>.BufferingPolicy = .unbounded
    ) -> Stream<Value, AFError> {
        streamingResponses(
            serializedUsing: DecodableStreamSerializer<Value>(),
            automaticallyCancelling: automaticallyCancelling,
            bufferingPolicy: bufferingPolicy
        )
    }

    /// What a serializer makes of each piece.
    public func streamingResponses<Serializer: DataStreamSerializer>(
        serializedUsing serializer: Serializer,
        automaticallyCancelling: Bool = true,
        bufferingPolicy: Stream<Serializer.SerializedObject, AFError>.BufferingPolicy = .unbounded
    ) -> Stream<Serializer.SerializedObject, AFError> {
        stream(.serializer(serializer), on: request.conversionQueue, automaticallyCancelling, bufferingPolicy)
    }

    /// Cancels the request; the streams end with its completion.
    public func cancel() { request.cancel() }

    /// Starts the request, or lets it go on.
    public func resume() { request.resume() }

    /// Stops the transfer until ``resume()``.
    public func suspend() { request.suspend() }

    private func stream<Success: Sendable, Failure: Error>(
        _ conversion: StreamConversion<Success, Failure>,
        on queue: CallbackQueue,
        _ isCancelling: Bool,
        _ policy: Stream<Success, Failure>.BufferingPolicy
    ) -> Stream<Success, Failure> {
        // Nobody will want the pieces: nothing is sent.
        if isCancelling, Task.isCancelled { request.cancel() }
        let token = DataStreamRequest.CancellationToken(request: request)
        let buffer = StreamBuffer<DataStreamRequest.Stream<Success, Failure>>(policy) {
            if isCancelling { token.cancel() }
        }
        let source = StreamSource(buffer)
        request.handle(conversion, on: queue, calling: .inline) { stream, release in
            source.buffer.yield(stream, release: release)
            if stream.completion != nil { source.buffer.finish() }
        }
        return Stream(buffer)
    }
}

extension DataStreamRequest {
    /// The means to await the pieces of the body. It starts nothing by itself.
    public func streamTask() -> DataStreamTask { DataStreamTask(self) }
}
