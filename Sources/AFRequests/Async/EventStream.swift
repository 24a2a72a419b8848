/// The server-sent events of a resource as an asynchronous sequence, which reconnects (HTML standard, "Server-sent
/// events").
///
/// ```swift
/// for try await event in session.eventStream("https://example.org/events") {
///     print(event.event, event.data)
/// }
/// ```
///
/// Each iterator has a connection of its own, which begins with its first `next()`. If a connection ends or fails for a
/// temporary reason (``RetryPolicy/defaultRetryableFailures``), the iterator connects again with `Last-Event-ID`.
/// The sequence ends after a response with the status 204. It throws for any other status but 200, for a media type
/// other than `text/event-stream`, for permanent failures, and if its task is canceled.
///
/// A slow reader applies back-pressure. Leaving the loop or canceling its task cancels the request.
public struct EventStream: AsyncSequence, Sendable {
    /// The error of the sequence.
    public typealias Failure = AFError
    /// The iterator over the events of the resource.
    public typealias AsyncIterator = Iterator

    /// The options of an event stream.
    public struct Options: Hashable, Sendable {
        /// The ID of the last event that the program knows; empty for none.
        public var lastEventID = ""
        /// The seconds before a reconnection, until the server sets another time with `retry`.
        public var reconnectionTime = 3.0
        /// The maximum number of seconds before a reconnection. The time doubles with each consecutive connection that
        /// brought no event.
        public var maximumReconnectionDelay = 60.0
        /// The number of consecutive connections without an event after which the last error is thrown, or the sequence
        /// ends if there was none; 0 never reconnects, `nil` has no limit.
        public var maximumFailures: Int?
        /// The maximum size of a line, and of the data of an event, in bytes.
        public var maximumEventSize = 1 << 20

        /// Creates the default options.
        public init() {}
    }

    let session: Session
    let convertible: any URLRequestConvertible
    let interceptor: (any RequestInterceptor)?
    let options: Options

    /// Returns an iterator with a connection of its own.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension Session {
    /// Returns the server-sent events of a resource.
    public func eventStream(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        options: EventStream.Options = EventStream.Options()
    ) -> EventStream {
        let request = RequestConvertible(url: convertible, method: method, headers: headers)
        return eventStream(request, interceptor: interceptor, options: options)
    }

    /// Returns the server-sent events that respond to a request, which may have any method and body.
    public func eventStream(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        options: EventStream.Options = EventStream.Options()
    ) -> EventStream {
        EventStream(session: self, convertible: convertible, interceptor: interceptor, options: options)
    }
}

/// The request of a connection: a request with the header fields of the standard.
struct EventStreamRequest: URLRequestConvertible {
    let request: any URLRequestConvertible
    let lastEventID: String

    /// Returns the request, with the body that the original has.
    static func make(_ original: any URLRequestConvertible, lastEventID: String) -> any URLRequestConvertible {
        let request = EventStreamRequest(request: original, lastEventID: lastEventID)
        guard let uploadable = original as? any UploadableConvertible else { return request }
        return Upload(request: request, uploadable: uploadable)
    }

    func asURLRequest() throws -> URLRequest {
        var request = try request.asURLRequest()
        if request.headers.value(for: "Accept") == nil { request.headers.add(.accept("text/event-stream")) }
        request.headers.update(name: "Cache-Control", value: "no-store")
        if !lastEventID.isEmpty { request.headers.update(name: "Last-Event-ID", value: lastEventID) }
        return request
    }
}
