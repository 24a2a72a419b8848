public import FoundationEssentials

/// Asynchronous access to a streamed response.
///
/// Each method returns a separate stream of the chunks received from then on, and starts the request. An unread chunk
/// applies back-pressure to the server, so that memory stays constant: a stream that is stored but not read blocks the
/// others, too. A buffering policy other than `unbounded` drops chunks instead.
public struct DataStreamTask: Sendable {
    /// The chunks in order, followed by the completion of the request.
    public typealias Stream<Success: Sendable, Failure: Error> = StreamOf<DataStreamRequest.Stream<Success, Failure>>

    private let request: DataStreamRequest

    fileprivate init(_ request: DataStreamRequest) { self.request = request }

    /// Returns a stream of the chunks.
    ///
    /// - Parameter automaticallyCancelling: Cancels the request when its reader ends: its task is canceled, or it
    ///   leaves the loop before the end.
    public func streamingData(
        automaticallyCancelling: Bool = true,
        bufferingPolicy: Stream<Data, Never>.BufferingPolicy = .unbounded
    ) -> Stream<Data, Never> {
        stream(.passthrough, on: .inline, automaticallyCancelling, bufferingPolicy)
    }

    /// Returns a stream of the body as UTF-8 text; see ``DataStreamRequest/responseStreamString(on:stream:)``.
    public func streamingStrings(
        automaticallyCancelling: Bool = true,
        bufferingPolicy: Stream<String, Never>.BufferingPolicy = .unbounded
    ) -> Stream<String, Never> {
        stream(.text(), on: request.conversionQueue, automaticallyCancelling, bufferingPolicy)
    }

    /// Returns a stream of values, each decoded from one chunk as JSON.
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

    /// Returns a stream of the chunks, serialized by a serializer.
    public func streamingResponses<Serializer: DataStreamSerializer>(
        serializedUsing serializer: Serializer,
        automaticallyCancelling: Bool = true,
        bufferingPolicy: Stream<Serializer.SerializedObject, AFError>.BufferingPolicy = .unbounded
    ) -> Stream<Serializer.SerializedObject, AFError> {
        stream(.serializer(serializer), on: request.conversionQueue, automaticallyCancelling, bufferingPolicy)
    }

    /// Cancels the request; the streams end with its completion.
    public func cancel() { request.cancel() }

    /// Starts or resumes the request.
    public func resume() { request.resume() }

    /// Suspends the transfer until ``resume()``.
    public func suspend() { request.suspend() }

    private func stream<Success: Sendable, Failure: Error>(
        _ conversion: StreamConversion<Success, Failure>,
        on queue: CallbackQueue,
        _ isCancelling: Bool,
        _ policy: Stream<Success, Failure>.BufferingPolicy
    ) -> Stream<Success, Failure> {
        // A canceled task would not read the chunks, so no request is sent.
        if isCancelling, Task.isCancelled { request.cancel() }
        let token = DataStreamRequest.CancellationToken(request: request)
        let buffer = StreamBuffer<DataStreamRequest.Stream<Success, Failure>>(policy) {
            if isCancelling { token.cancel() }
        }
        let end = OnDeinit { buffer.finish() }
        request.handle(conversion, on: queue, calling: .inline) { stream, release in
            buffer.yield(stream, release: release)
            if stream.completion != nil { end.run() }
        }
        return Stream(buffer)
    }
}

extension DataStreamRequest {
    /// Returns the asynchronous access to the chunks of the body. Does not start the request.
    public func streamTask() -> DataStreamTask { DataStreamTask(self) }
}
