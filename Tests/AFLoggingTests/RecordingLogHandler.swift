#if Logging
    import Logging
    import Synchronization
    import TestSupport

    /// The log entries in order.
    final class LogBook: Sendable {
        struct Entry: Sendable {
            let level: Logger.Level
            let message: String
            let metadata: Logger.Metadata

            subscript(_ key: String) -> String? { metadata[key].map { "\($0)" } }
            /// All of it, for looking through.
            var text: String { "\(level) \(message) \(metadata)" }
        }

        private let contents = Mutex<[Entry]>([])

        var entries: [Entry] { contents.withLock(\.self) }

        func add(_ entry: Entry) { contents.withLock { $0.append(entry) } }

        func logger(from level: Logger.Level = .trace) -> Logger {
            var logger = Logger(label: "test") { _ in Handler(book: self) }
            logger.logLevel = level
            return logger
        }

        /// The entry with this message, once it is there.
        nonisolated(nonsending) func entry(_ message: String) async throws -> Entry {
            try await eventually("“\(message)” is logged; there is \(entries.map(\.message))") {
                entries.contains { $0.message == message }
            }
            return entries.first { $0.message == message } ?? entries[0]
        }

        private struct Handler: LogHandler {
            let book: LogBook
            var metadata: Logger.Metadata = [:]
            var logLevel = Logger.Level.trace

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) {
                book.add(
                    Entry(level: event.level, message: "\(event.message)", metadata: event.metadata ?? [:]))
            }
        }
    }
#endif
