import Foundation

/// An account of the service.
struct Account: Codable, Equatable, Sendable {
    let id: Int
    let name: String
    let createdAt: Date
}

/// The data for opening an account.
struct NewAccount: Encodable, Sendable {
    let name: String
    let tags: [String]
}

/// How the service words its refusals.
struct ServiceError: Decodable, Error, Equatable, Sendable {
    let message: String
}

/// One line of the service's feed.
struct FeedItem: Decodable, Equatable, Sendable {
    let number: Int
}

extension JSONDecoder {
    static var service: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
