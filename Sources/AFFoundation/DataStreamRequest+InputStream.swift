public import AFCore
internal import Dispatch
public import Foundation

extension DataStreamRequest {
    /// The body as one of Foundation's streams, to be read on any one thread but the main one. Resumes the request.
    ///
    /// Reading waits for the server, and the server for whoever reads: not much more than `bufferSize` bytes, and what is
    /// in flight, are held. The stream ends where the body does; after a failure, `read` gives −1 and `streamError` is the
    /// request's `AFError`. Closing the stream, or letting go of it, before its end cancels the request.
    ///
    /// - Parameter bufferSize: In bytes.
    public func asInputStream(bufferSize: Int = 1024) -> InputStream? {
        let pipe = BytePipe(capacity: bufferSize) { [weak self] in self?.cancel() }
        responseStream(on: DispatchQueue(label: "org.afcli.inputStream")) { stream in
            switch stream.event {
            case .stream(.success(let data)): pipe.write(data)
            case .complete(let completion): pipe.end(completion.error)
            }
        }
        resume()
        return PipeInputStream(pipe)
    }
}
