internal import CCurl
internal import CLinux
internal import Glibc

extension TransferFailure {
    /// Returns the failure of a system call that lacked a resource.
    static func outOfResources(_ number: Int32) -> TransferFailure {
        let detail =
            switch number {
            case EMFILE: "too many open files"
            case ENFILE: "too many open files on this system"
            case EAGAIN: "the system allows no more threads"
            default: "the system is out of memory"
            }
        return TransferFailure(.outOfResources, detail, osErrorNumber: number)
    }

    /// Whether a system call failed because a resource was exhausted, and not because of its arguments.
    static func isShortage(_ number: Int32) -> Bool { [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(number) }

    /// Creates a failure for the resource that libcurl lacked, if that explains the code: libcurl does not report the
    /// cause.
    ///
    /// - Parameter socketError: The error number of the last failed attempt to open a socket.
    init?(shortageBehind code: CURLcode, saying detail: String, socketError: Int32?) {
        switch code {
        case CURLE_COULDNT_CONNECT, CURLE_PROXY:
            guard let socketError, Self.isShortage(socketError) else { return nil }
            self = .outOfResources(socketError)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            // libcurl's socket pair, a file and the socket to the name server; the pair is closed by now.
            if let number = errorOfOpening(4) {
                self = .outOfResources(number)
            } else if detail.hasPrefix("getaddrinfo() thread failed to start") {
                self = .outOfResources(EAGAIN)
            } else {
                return nil
            }
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CRL_BADFILE, CURLE_PEER_FAILED_VERIFICATION:
            // The connection, which is closed by now, and a file of certificates.
            guard let number = errorOfOpening(2) else { return nil }
            self = .outOfResources(number)
        case CURLE_SSL_CONNECT_ERROR where detail.hasSuffix("Too many open files"): self = .outOfResources(EMFILE)
        default: return nil
        }
    }
}

/// Whether the process can open this number of descriptors now.
package func canOpenDescriptors(_ count: Int) -> Bool { errorOfOpening(count) == nil }

/// Returns the error number of opening this number of descriptors now; `nil` if the process can open them.
private func errorOfOpening(_ count: Int) -> Int32? {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
        let descriptor = af_eventfd()
        guard descriptor >= 0 else { return errno }
        opened.append(descriptor)
    }
    return nil
}
