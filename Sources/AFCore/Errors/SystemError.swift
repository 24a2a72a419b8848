internal import FoundationEssentials
internal import Glibc

/// What a system call said when it failed.
package struct SystemError: Error, Hashable {
    /// An `errno` number.
    package let number: Int32

    package init(number: Int32) {
        self.number = number
    }

    /// The error of the system call that just failed on this thread.
    package static var last: SystemError { SystemError(number: errno) }
}

extension SystemError: LocalizedError {
    package var errorDescription: String? {
        // Since glibc 2.32 the text is the calling thread's own.
        String(cString: strerror(number))
    }
}
