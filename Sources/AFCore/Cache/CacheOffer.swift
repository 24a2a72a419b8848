/// A response that somebody has still to say yes to, maybe long after it came.
///
/// Only one word counts, and none after the cache has forgotten what answers the question.
final class CacheOffer: Sendable {
    let number: UInt64
    private let cache: ResponseCache

    init(of question: CacheQuestion, to cache: ResponseCache) {
        number = cache.beginOffer(of: question)
        self.cache = cache
    }

    /// Nobody can say anything any more.
    deinit { cache.endOffer(number) }
}
