package import AFHTTP
package import AFRequests
internal import Synchronization

extension ResumableUpload: ExchangeSource {
    package var hasBody: Bool { state.withLock { $0.exchange?.hasBody == true } }
}

extension ResumableUpload: ExchangeObserver {
    package func didReceiveInterim(_ response: HTTPURLResponse) {
        let events = state.withLock { state -> [UploadEvent] in
            guard var opened = state.opened else { return [] }
            let hasChanged = opened.machine.receiveInterim(response)
            let isNew = state.opened?.machine.resource != opened.machine.resource
            state.opened = opened
            guard hasChanged else { return state.takeEvents() }
            state.add(opened.machine.secretResources)
            // Once a second suffices: a resume queries the offset anyway.
            if isNew || state.lastWrite.map({ .now - $0 > .seconds(1) }) ?? true {
                state.lastWrite = .now
                state.opened?.store()
            }
            return state.takeEvents()
        }
        events.forEach(onEvent)
    }

    package func didReceiveBody(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            guard state.exchange?.readsBody == true, let count = state.body?.count else { return }
            if count + bytes.count > Self.maximumBody {
                state.body = nil
            } else {
                state.body?.append(contentsOf: bytes)
            }
        }
    }

    package func startsNextExchange() -> Bool {
        state.withLock { state in
            defer { state.isNextExchange = false }
            return state.isNextExchange
        }
    }

    package func overallProgress(_ progress: TransferProgress) -> TransferProgress {
        state.withLock { state in
            state.sent = progress.completedUnitCount
            if options.segments > 1, let overall = state.overallProgress() { return overall }
            guard let opened = state.opened, let exchange = state.exchange, exchange.hasBody else { return progress }
            let sent = exchange.range == nil ? 0 : progress.completedUnitCount
            let overall = TransferProgress(
                completedUnitCount: exchange.precedingBytes + sent, totalUnitCount: opened.machine.length,
                resumedUnitCount: state.resumedBytes ?? 0)
            state.progress = overall
            return overall
        }
    }
}
