internal import AFCore
internal import AFHTTP
internal import Dispatch
internal import Synchronization

/// Shows messages as they come, in the order they come.
///
/// Everything is called on ``queue``. After the output has failed once, nothing more is written; ``failure`` tells.
final class Printer: Sendable {
    fileprivate struct Contents: ~Copyable {
        var buffer: OutputBuffer
        var body: BodyFormatter?
        /// Whether somebody waits for each piece of the body: the events of a stream are of use only while they are new.
        var isLive = false
        /// Whether a body stands at the end of the output, to be set off from what follows.
        var isAfterBody = false
        var failure: OutputFailure?
    }

    let queue = DispatchQueue(label: "afcli.printer")
    let plan: OutputPlan
    private let contents: Mutex<Contents>
    private let messages: Messages

    init(_ plan: OutputPlan, output: any ByteOutput, messages: Messages) {
        self.plan = plan
        self.messages = messages
        contents = Mutex(Contents(buffer: OutputBuffer(output)))
    }

    var failure: OutputFailure? { contents.withLock { $0.failure } }

    func showHead(_ head: [UInt8]) {
        write { contents in
            contents.separate()
            plan.heads.format(head, into: &contents.buffer)
        }
    }

    func showHead(startLine: String, headers: HTTPHeaders) {
        write { contents in
            contents.separate()
            plan.heads.format(startLine: startLine, headers: headers, into: &contents.buffer)
        }
    }

    /// Begins a body; its pieces follow.
    func beginBody(of type: MediaType?) {
        write { contents in
            contents.separate()
            let kind = BodyKind(type)
            contents.isLive = kind == .eventStream
            contents.body = BodyFormatter(kind: kind, presentation: plan.bodies)
        }
    }

    func showBody(_ bytes: UnsafeRawBufferPointer) {
        write { contents throws(OutputFailure) in
            try contents.body?.consume(bytes, into: &contents.buffer)
        }
    }

    /// Whether the body turned out to be none that is shown, so that reading more of it is useless.
    var isBodySuppressed: Bool { contents.withLock { $0.body?.isBinary ?? false } }

    func endBody() {
        var broken: Int?
        write { contents throws(OutputFailure) in
            try contents.body?.finish(into: &contents.buffer)
            broken = contents.body?.brokenOffset
            (contents.body, contents.isLive) = (nil, false)
            if plan.isForTerminal { contents.buffer.append("\n\n") } else { contents.isAfterBody = true }
        }
        flush()
        if let broken {
            messages.warning("the body is no JSON from byte \(broken) on; from there it is shown as it came")
        }
    }

    func showText(_ text: String) {
        write { contents in
            contents.separate()
            contents.buffer.append(text)
        }
        flush()
    }

    func flush() {
        contents.withLock { contents in
            guard contents.failure == nil else { return }
            do throws(OutputFailure) { try contents.buffer.flush() } catch { contents.failure = error }
        }
    }

    private func write(_ body: (inout Contents) throws(OutputFailure) -> Void) {
        contents.withLock { contents in
            guard contents.failure == nil else { return }
            do throws(OutputFailure) {
                try body(&contents)
                try plan.isFlushed || contents.isLive ? contents.buffer.flush() : contents.buffer.drain()
            } catch {
                contents.failure = error
            }
        }
    }
}

extension Printer.Contents {
    /// Two line ends between one message's body and the next message.
    fileprivate mutating func separate() {
        if isAfterBody { buffer.append("\n\n") }
        isAfterBody = false
    }
}
