internal import FoundationEssentials
internal import Glibc

/// The error of a failed system call.
package struct SystemError: Error, Hashable {
    /// The error number (`errno`).
    package let number: Int32

    package init(number: Int32) {
        self.number = number
    }

    /// The error of the system call that just failed on this thread.
    package static var last: SystemError { SystemError(number: errno) }
}

extension SystemError: LocalizedError {
    package var errorDescription: String? {
        // Since glibc 2.32 the text is thread-local.
        String(cString: strerror(number))
    }
}
