/// An error in a `.http` or `.rest` file.
package struct EditorFileError: Error, Equatable, Sendable {
    /// The reason, with the values of its sentence.
    package enum Kind: Equatable, Sendable {
        case requestLine, missingURL, missingHost
        case curlCommand
        case method(String)
        case unsupportedProtocol(String)
        case version(String)
        case header
        case headerName(String)
        case definition
        case variableName(String)
        case cycle(String)
        case missingName
        case missingPrompt
        case missingDuration
        case duration(String)
        case missingPath
        case encoding(String)
        case unclosedScript
        case unclosedPlaceholder, emptyPlaceholder
        case systemVariable(String)
        case arguments(String, usage: String)
        case unknownRequest(String)
        case reference
        case referencePath(String)
        case multipartBoundary
    }

    /// The reason.
    package let kind: Kind
    /// The invalid part of the file.
    package let range: SourceRange

    init(_ kind: Kind, at range: SourceRange) { (self.kind, self.range) = (kind, range) }
}

extension EditorFileError {
    /// The subject of the error.
    package var title: String {
        switch kind {
        case .requestLine, .missingURL, .missingHost, .curlCommand, .method, .unsupportedProtocol, .version:
            "Parsing request line"
        case .header, .headerName, .multipartBoundary: "Parsing header"
        case .definition, .variableName, .cycle: "Parsing variable"
        case .missingName, .missingPrompt, .missingDuration, .duration: "Parsing directive"
        case .missingPath, .encoding: "Parsing file"
        case .unclosedScript: "Parsing script"
        case .unclosedPlaceholder, .emptyPlaceholder, .systemVariable, .arguments, .unknownRequest, .reference,
            .referencePath:
            "Parsing placeholder"
        }
    }

    /// The reason, which follows the caret.
    package var reason: String {
        switch kind {
        case .requestLine: "expected a method and a URL, such as GET https://example.org"
        case .missingURL: "expected a URL after the method"
        case .curlCommand: "a curl command is no request of a file: run it with afcli curl"
        case .missingHost: "a path needs the header field Host"
        case .method(let name): "unknown method '\(name)'\(Self.suggestion(name, EditorFileParser.methods))"
        case .unsupportedProtocol(let name): "\(name) requests are not supported"
        case .version(let text): "expected HTTP/1.0, HTTP/1.1, HTTP/2 or HTTP/3, got '\(text)'"
        case .header: "expected 'Name: value', or an empty line before the body"
        case .headerName(let name): "'\(name)' is no name of a header field"
        case .definition: "expected '@name = value'"
        case .variableName(let name): "'\(name)' is no name of a variable"
        case .cycle(let name): "the value of '\(name)' contains '\(name)'"
        case .missingName: "expected a name, such as # @name login"
        case .missingPrompt: "expected the name of a variable, such as # @prompt user"
        case .missingDuration: "expected a duration, such as 10, 500 ms or 2 m"
        case .duration(let text): "expected a duration such as 10, 500 ms or 2 m, got '\(text)'"
        case .missingPath: "expected the path of a file"
        case .encoding(let name): "unknown encoding '\(name)'"
        case .unclosedScript: "the script has no end '%}'"
        case .unclosedPlaceholder: "the placeholder has no end '}}'"
        case .emptyPlaceholder: "expected the name of a variable"
        case .systemVariable(let name):
            "unknown variable '\(name)'\(Self.suggestion(name, EditorFileParser.systemNames))"
        case .arguments(let name, let usage): "expected {{\(usage)}}, as \(name) has other arguments"
        case .unknownRequest(let name): "no request before this one has the name '\(name)'"
        case .reference: "expected NAME.response.body.PATH or NAME.response.headers.NAME, or 'request' in place of it"
        case .referencePath(let path): "expected a path that begins with $ or /, or *, got '\(path)'"
        case .multipartBoundary: "the type of a multipart body needs a boundary"
        }
    }

    private static func suggestion(_ name: String, _ valid: [String]) -> String {
        valid.first { $0.lowercased().isWithinOneEdit(of: name.lowercased()) }.map { "; did you mean \($0)?" } ?? ""
    }

    /// Returns the error as text: its title, the line of the file, and carets below the part.
    ///
    /// - Parameters:
    ///   - filename: The name of the file for the message.
    ///   - content: The contents of the file.
    package func text(filename: String, content: String) -> String {
        SourceExcerpt(content, filename: filename).text(title: title, reason: reason, range: range, entryLine: nil)
    }
}
