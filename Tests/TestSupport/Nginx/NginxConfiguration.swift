internal import Glibc

/// The text of `nginx.conf`.
struct NginxConfiguration {
    /// The ports of HTTP/1.1 without TLS, of TLS, and of HTTP/2 without TLS.
    let ports: [UInt16]
    let identity: TestCertificates.Identity
    let clientAuthority: String
    let clientCertificates: NginxServer.ClientCertificates
    let directives: String

    func write(to folder: ScratchFolder) throws {
        for name in ["files/uploads", "temporary"] { try folder.folder(name) }
        try folder.write(text(in: folder.path), to: "nginx.conf")
    }

    /// Returns the configuration, with a master and one worker: without a master, nginx 1.22 crashes if it inherits
    /// sockets.
    private func text(in folder: String) -> String {
        """
        daemon off;
        \(user)
        worker_processes 1;
        pid \(folder)/nginx.pid;
        error_log stderr info;
        events { worker_connections 16384; }
        http {
            log_format test '\(NginxRequest.logFormat)';
            access_log \(folder)/access.log test;
            types { text/plain txt; application/json json; text/html html; }
            default_type application/octet-stream;
            \(temporaryPaths(in: folder))
            server_tokens off;
            sendfile on;
            keepalive_requests 1000000;
            client_max_body_size 0;
            server {
                listen 127.0.0.1:\(ports[0]);
                listen 127.0.0.1:\(ports[1]) ssl http2;
                listen 127.0.0.1:\(ports[2]) http2;
                ssl_certificate \(identity.certificate);
                ssl_certificate_key \(identity.key);
                ssl_client_certificate \(clientAuthority);
                ssl_verify_client \(clientCertificates.rawValue);
                root \(folder)/files;
                location = /sink { return 200 "$content_length"; }
                location /uploads/ { dav_methods PUT DELETE; create_full_put_path on; }
        \(directives)
            }
        }

        """
    }

    /// The user of the worker: root's files are readable for root only, and only root can set the user.
    private var user: String { getuid() == 0 ? "user root;" : "" }

    /// Returns the directories that nginx creates at its start; the default ones belong to another user.
    private func temporaryPaths(in folder: String) -> String {
        ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/temporary/\($0);" }
            .joined(separator: " ")
    }
}

extension ScratchFolder {
    func write(_ file: NginxServer.File, to name: String) throws {
        switch file {
        case .text(let text): try write(text, to: name)
        case .bytes(let bytes): try write(bytes, to: name)
        case .pattern(let size): try writePattern(name, size: size)
        case .zeros(let size): try writeSparse(name, size: size)
        }
    }
}
