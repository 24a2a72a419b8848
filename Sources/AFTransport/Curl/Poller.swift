internal import CCurl
internal import CLinux
internal import Glibc

/// A wrapper of epoll: reports ready descriptors at a cost independent of the number of idle ones.
final class Poller {
    struct Event {
        let descriptor: Int32
        /// The number of the ``ConnectionGroup`` of the descriptor.
        let group: UInt32
        /// The readiness for `curl_multi_socket_action`: `CURL_CSELECT_IN`, `_OUT`, `_ERR`.
        let readiness: Int32
    }

    /// The socket of a connection. Removing it from epoll's set after each transfer and adding it for the next would
    /// cost two system calls.
    private struct Connection {
        /// The events that epoll watches; zero if the socket is not in the set.
        var interest: Int32 = 0
        var group: UInt32 = 0
        /// Whether the connection is idle and its events are ignored.
        var isIdle = false
    }

    private let descriptor: Int32
    /// The connections, indexed by socket.
    private var connections: [Connection?] = []
    private let slots: UnsafeMutableBufferPointer<epoll_event>
    /// The number of events of the last ``wait(_:)``.
    private(set) var readyCount = 0

    /// Returns `nil` if the system refuses the descriptor; `errno` has the reason.
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

    /// Records the new socket of a connection; ``closed(_:)`` must be called before it is closed.
    func opened(_ socket: Int32) {
        while connections.count <= socket { connections.append(nil) }
        connections[Int(socket)] = Connection()
    }

    /// Stops watching a connection's socket. Must be called before the socket is closed.
    ///
    /// Closing it removes it from epoll's set only if no child process holds a copy. Otherwise epoll continues to
    /// report events of a socket that libcurl no longer knows.
    func closed(_ socket: Int32) {
        guard let known = connection(socket) else { return }
        if known.interest != 0 { _ = af_epoll_remove(descriptor, socket) }
        connections[Int(socket)] = nil
    }

    /// Watches a descriptor, or changes the events to watch (`CURL_POLL_IN`, `_OUT`, `_INOUT`).
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

    /// Stops watching a descriptor; an idle connection's socket stays in epoll's set.
    func forget(_ target: Int32) {
        if connection(target)?.interest == CURL_POLL_IN {
            connections[Int(target)]?.isIdle = true
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
        // A closed descriptor leaves the set by itself, and its number is reused: then the other operation is right.
        if first(descriptor, target, UInt32(events), tag) != 0 { _ = second(descriptor, target, UInt32(events), tag) }
    }

    /// Watches a descriptor without a group, edge-triggered.
    func watchEdges(_ target: Int32) {
        _ = af_epoll_add(
            descriptor, target, UInt32(bitPattern: af_epoll_in | af_epoll_edges), UInt64(UInt32(bitPattern: target)))
    }

    /// Waits up to a number of milliseconds (−1: no limit); ``readyCount`` and ``event(_:)`` have the result.
    func wait(_ milliseconds: Int32) {
        readyCount = max(0, Int(epoll_wait(descriptor, slots.baseAddress, Int32(slots.count), milliseconds)))
    }

    /// Returns an event of the last ``wait(_:)``, by its index; `nil` if it is of no interest.
    func event(_ index: Int) -> Event? {
        let events = Int32(bitPattern: af_epoll_events(&slots[index]))
        let tag = af_epoll_tag(&slots[index])
        let target = Int32(bitPattern: UInt32(truncatingIfNeeded: tag))
        if connection(target)?.isIdle == true {
            // The server has closed an idle connection. libcurl checks it before reuse, so that the event can be
            // dropped.
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
