internal import CCurl
internal import CLinux
internal import Glibc

/// epoll: which descriptors are ready, at a cost that does not depend on how many are not.
final class Poller {
    struct Event {
        let descriptor: Int32
        /// Which ``ConnectionGroup`` the descriptor belongs to.
        let group: UInt32
        /// As `curl_multi_socket_action` wants it: `CURL_CSELECT_IN`, `_OUT`, `_ERR`.
        let readiness: Int32
    }

    private let descriptor: Int32
    private let slots: UnsafeMutableBufferPointer<epoll_event>
    private var readyCount = 0

    /// `nil` when the process has no descriptor to spare.
    init?() {
        let descriptor = af_epoll_create()
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        slots = .allocate(capacity: 1024)
    }

    deinit {
        slots.deallocate()
        close(descriptor)
    }

    /// Watches a descriptor, or changes what it is watched for (`CURL_POLL_IN`, `_OUT`, `_INOUT`).
    func watch(_ target: Int32, for interest: Int32, group: UInt32, isNew: Bool) {
        var events: Int32 = 0
        if interest & CURL_POLL_IN != 0 { events |= af_epoll_in }
        if interest & CURL_POLL_OUT != 0 { events |= af_epoll_out }
        let tag = UInt64(group) << 32 | UInt64(UInt32(bitPattern: target))
        let (first, second) = isNew ? (af_epoll_add, af_epoll_modify) : (af_epoll_modify, af_epoll_add)
        // A closed descriptor leaves the set by itself and its number comes back: then the other call is right.
        if first(descriptor, target, UInt32(events), tag) != 0 { _ = second(descriptor, target, UInt32(events), tag) }
    }

    /// Watches a descriptor that belongs to no group for news, not for what lies there unread.
    func watchEdges(_ target: Int32) {
        _ = af_epoll_add(
            descriptor, target, UInt32(bitPattern: af_epoll_in | af_epoll_edges), UInt64(UInt32(bitPattern: target)))
    }

    func forget(_ target: Int32) {
        _ = af_epoll_remove(descriptor, target)
    }

    /// Waits for at most so many milliseconds (−1: for ever); ``events`` tells what is ready then.
    func wait(_ milliseconds: Int32) {
        readyCount = max(0, Int(epoll_wait(descriptor, slots.baseAddress, Int32(slots.count), milliseconds)))
    }

    /// What the last ``wait(_:)`` found.
    var events: some Sequence<Event> {
        slots[..<readyCount].lazy.map { slot in
            var slot = slot
            let events = Int32(bitPattern: af_epoll_events(&slot))
            let tag = af_epoll_tag(&slot)
            var readiness: Int32 = 0
            if events & af_epoll_in != 0 { readiness |= CURL_CSELECT_IN }
            if events & af_epoll_out != 0 { readiness |= CURL_CSELECT_OUT }
            if events & af_epoll_trouble != 0 { readiness |= CURL_CSELECT_ERR }
            let target = Int32(bitPattern: UInt32(truncatingIfNeeded: tag))
            return Event(descriptor: target, group: UInt32(tag >> 32), readiness: readiness)
        }
    }
}
