#if Metrics
    internal import AFCore
    internal import Metrics
    internal import Synchronization

    /// The counters, timers and gauges, each created once.
    final class Instruments: Sendable {
        private struct State: OrderedState {
            static var runsProgram: Bool { true }

            var counters: [String: Counter] = [:]
            var timers: [String: Timer] = [:]
            var gauges: [String: Gauge] = [:]
        }

        private let prefix: String
        private let factory: any MetricsFactory
        private let state = OrderedMutex(State())

        init(prefix: String, factory: any MetricsFactory) {
            self.prefix = prefix
            self.factory = factory
        }

        func counter(_ label: String, _ dimensions: [(String, String)]) -> Counter {
            find(\.counters, label, dimensions) { Counter(label: $0, dimensions: dimensions, factory: factory) }
        }

        func timer(_ label: String, _ dimensions: [(String, String)]) -> Timer {
            find(\.timers, label, dimensions) { Timer(label: $0, dimensions: dimensions, factory: factory) }
        }

        func gauge(_ label: String) -> Gauge {
            find(\.gauges, label, []) { Gauge(label: $0, dimensions: [], factory: factory) }
        }

        private func find<Instrument: Sendable>(
            _ path: any WritableKeyPath<State, [String: Instrument]> & Sendable,
            _ label: String,
            _ dimensions: [(String, String)],
            make: (String) -> Instrument
        ) -> Instrument {
            let key = dimensions.reduce(label) { "\($0)\n\($1.1)" }
            return state.withLock { state in
                if let known = state[keyPath: path][key] { return known }
                let new = make("\(prefix).\(label)")
                state[keyPath: path][key] = new
                return new
            }
        }
    }

    extension Timer {
        func record(seconds: Double) { recordNanoseconds(Int64(max(0, seconds) * 1e9)) }
    }
#endif
