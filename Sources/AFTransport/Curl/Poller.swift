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

    /// The socket of a connection. Taking it out of the set after each transfer, and putting it back for the next, would
    /// cost two system calls.
    private struct Connection {
        /// What epoll watches it for; zero while it is not in the set.
        var interest: Int32 = 0
        var group: UInt32 = 0
        /// Whether nobody wants to hear of it.
        var isResting = false
    }

    private let descriptor: Int32
    /// By socket.
    private var connections: [Connection?] = []
    private let slots: UnsafeMutableBufferPointer<epoll_event>
    private(set) var readyCount = 0

    /// `nil` if the system refuses the descriptor; `errno` is its reason.
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

    /// A connection has opened a socket; ``closed(_:)`` will tell when it is gone.
    func opened(_ socket: Int32) {
        while connections.count <= socket { connections.append(nil) }
        connections[Int(socket)] = Connection()
    }

    /// Stops watching a connection's socket. Must be called before the socket is closed.
    ///
    /// Closing it removes it from epoll's set only if no child process holds a copy. Otherwise epoll reports events of a
    /// socket that libcurl no longer knows, again and again.
    func closed(_ socket: Int32) {
        guard let known = connection(socket) else { return }
        if known.interest != 0 { _ = af_epoll_remove(descriptor, socket) }
        connections[Int(socket)] = nil
    }

    /// Watches a descriptor, or changes what it is watched for (`CURL_POLL_IN`, `_OUT`, `_INOUT`).
    func watch(_ target: Int32, for interest: Int32, group: UInt32, isNew: Bool) {
        guard let known = connection(target) else {
            // libcurl opens the sockets of look-ups itself, without SOCK_CLOEXEC.
            if isNew { _ = fcntl(target, F_SETFD, FD_CLOEXEC) }
            return set(target, interest, group, isNew: isNew)
        }
        connections[Int(target)] = Connection(interest: interest, group: group)
        if known.interest != interest || known.group != group {
            set(target, interest, group, isNew: known.interest == 0)
        }
    }

    /// Stops watching, but for a connection that waits for its next transfer: that rests in epoll's set.
    func forget(_ target: Int32) {
        if connection(target)?.interest == CURL_POLL_IN {
            connections[Int(target)]?.isResting = true
        } else {
            remove(target)
        }
    }

    private func connection(_ socket: Int32) -> Connection? {
        connections.indices.contains(Int(socket)) ? connections[Int(socket)] : nil
    }

    private func remove(_ target: Int32) {
        _ = af_epoll_remove(descriptor, target)
        if connection(target) != nil { connections[Int(target)] = Connection() }
    }

    private func set(_ target: Int32, _ interest: Int32, _ group: UInt32, isNew: Bool) {
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

    /// Waits for at most so many milliseconds (−1: for ever); ``events`` tells what is ready then.
    func wait(_ milliseconds: Int32) {
        readyCount = max(0, Int(epoll_wait(descriptor, slots.baseAddress, Int32(slots.count), milliseconds)))
    }

    /// What the last ``wait(_:)`` found.
    var events: some Sequence<Event> { slots[..<readyCount].lazy.compactMap(event) }

    private func event(_ slot: epoll_event) -> Event? {
        var slot = slot
        let events = Int32(bitPattern: af_epoll_events(&slot))
        let tag = af_epoll_tag(&slot)
        let target = Int32(bitPattern: UInt32(truncatingIfNeeded: tag))
        if connection(target)?.isResting == true {
            // The server has closed it. libcurl looks before it takes the connection up again; until then, nobody cares.
            remove(target)
            return nil
        }
        var readiness: Int32 = 0
        if events & af_epoll_in != 0 { readiness |= CURL_CSELECT_IN }
        if events & af_epoll_out != 0 { readiness |= CURL_CSELECT_OUT }
        if events & af_epoll_trouble != 0 { readiness |= CURL_CSELECT_ERR }
        return Event(descriptor: target, group: UInt32(tag >> 32), readiness: readiness)
    }
}
