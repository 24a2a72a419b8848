internal import AFTransport
internal import Glibc

extension EventStream {
    /// An iterator over the events, in order.
    public struct Iterator: AsyncIteratorProtocol {
        private struct Connection {
            let request: DataStreamRequest
            var chunks: BodyChunks.Iterator
            var hasEvents = false
        }

        private let stream: EventStream
        private var parser: EventStreamParser
        private var connection: Connection?
        private var reconnectionTime: Double
        /// The number of consecutive connections without an event.
        private var failureCount = 0
        private var isOver = false

        init(_ stream: EventStream) {
            self.stream = stream
            reconnectionTime = stream.options.reconnectionTime
            parser = EventStreamParser(
                lastEventID: stream.options.lastEventID,
                maximumEventSize: stream.options.maximumEventSize
            )
        }

        /// The ID of the last event, from which another stream can continue (``EventStream/Options/lastEventID``).
        public var lastEventID: String { parser.lastEventID }

        /// Returns the next event; `nil` after a response with the status 204.
        ///
        /// - Throws: The error that ends the sequence, `explicitlyCancelled` if the task is canceled, and
        ///   `customSerializationFailed` with a ``StreamLimitExceeded`` for an event that is too large.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(AFError) -> ServerSentEvent? {
            guard !isOver else { return nil }
            do throws(AFError) {
                let event = try await nextEvent(isolation: actor)
                if event == nil { end() }
                return event
            } catch {
                end()
                throw error
            }
        }

        private mutating func nextEvent(isolation actor: isolated (any Actor)?) async throws(AFError)
            -> ServerSentEvent?
        {
            while true {
                do throws(StreamLimitExceeded) {
                    if let event = try parser.next() {
                        connection?.hasEvents = true
                        return event
                    }
                } catch {
                    throw error.asAFError
                }
                if connection == nil { connect() }
                let failure: AFError?
                do throws(AFError) {
                    if let chunk = try await connection?.chunks.next(isolation: actor) {
                        parser.append(chunk)
                        continue
                    }
                    if connection?.request.response?.statusCode == 204 { return nil }
                    failure = nil
                } catch {
                    guard error.isTemporary else { throw error }
                    failure = error
                }
                guard try await waitForReconnection(after: failure, isolation: actor) else { return nil }
            }
        }

        private mutating func connect() {
            let stream = stream
            let request = stream.session.streamRequest(
                EventStreamRequest.make(stream.convertible, lastEventID: parser.lastEventID),
                interceptor: stream.interceptor,
                shouldAutomaticallyResume: false
            )
            request.validate { _, response in response.eventStreamValidation }
            connection = Connection(request: request, chunks: request.chunks().makeAsyncIterator())
        }

        /// Waits before the next connection.
        ///
        /// - Returns: Whether there is to be one.
        private mutating func waitForReconnection(
            after failure: AFError?,
            isolation actor: isolated (any Actor)?
        ) async throws(AFError) -> Bool {
            failureCount = connection?.hasEvents == true ? 0 : failureCount + 1
            connection = nil
            reconnectionTime = parser.reconnectionTime ?? reconnectionTime
            // An incomplete event is discarded.
            parser = EventStreamParser(
                lastEventID: parser.lastEventID,
                maximumEventSize: stream.options.maximumEventSize
            )
            if let limit = stream.options.maximumFailures, failureCount >= limit {
                guard let failure else { return false }
                throw failure
            }
            do {
                try await Task.sleep(for: .seconds(stream.options.delay(reconnectionTime, failureCount)))
            } catch {
                throw .explicitlyCancelled
            }
            return true
        }

        private mutating func end() {
            isOver = true
            connection = nil
        }
    }
}

extension EventStream.Options {
    /// Returns the seconds before the next connection.
    fileprivate func delay(_ reconnectionTime: Double, _ failureCount: Int) -> Double {
        guard failureCount > 0 else { return min(reconnectionTime, maximumReconnectionDelay) }
        // A server that ends each connection at once must not be asked in a loop, even with `retry: 0`.
        return min(max(reconnectionTime, 0.1) * pow(2, Double(failureCount - 1)), maximumReconnectionDelay)
    }
}

extension AFError {
    /// Whether another connection may succeed.
    fileprivate var isTemporary: Bool {
        guard case .sessionTaskFailed(let error) = self, let failure = error.transferFailure else { return false }
        // `stopped`: a retrier repeated the request after events had arrived.
        return failure.kind == .stopped || RetryPolicy.defaultRetryableFailures.contains(failure.kind)
    }
}

extension HTTPURLResponse {
    fileprivate var eventStreamValidation: Request.ValidationResult {
        if statusCode == 204 { return .success(()) }
        return ResponseValidation.status(statusCode, acceptable: [200]).flatMap {
            ResponseValidation.contentType(of: self, acceptable: ["text/event-stream"], isBodyEmpty: false)
        }
    }
}
