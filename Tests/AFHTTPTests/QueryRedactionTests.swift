import AFHTTP
import Testing

struct QueryRedactionTests {
    @Test(arguments: [
        ("http://h/?access_token=x&page=2", "http://h/?access_token=•••&page=2"),
        ("http://h/?access%5Ftoken=x", "http://h/?access%5Ftoken=•••"),
        ("http://h/p#access_token=x", "http://h/p"),
        ("http://h/p?token=x#y", "http://h/p?token=•••"),
        ("http://h/p?", "http://h/p?"),
        ("http://h/p?a?token=b", "http://h/p?a?token=b"),
    ])
    func `a URL loses the secrets of its query`(url: String, redacted: String) {
        #expect(QueryRedaction().url(url) == redacted)
    }

    @Test(arguments: [
        ("user=ada&password=x", "user=ada&password=•••"),
        ("login%5Bpassword%5D=x&login[name]=ada", "login%5Bpassword%5D=•••&login[name]=ada"),
        ("login.password=x&password.hint=y", "login.password=•••&password.hint=y"),
        ("Refresh-Token=x&token=&token&=&", "Refresh-Token=•••&token=&token&=&"),
        ("q=eyJhbGciOi.eyJzdWIi.c2ln", "q=•••"),
        ("", ""),
    ])
    func `a form loses its secrets and nothing else`(form: String, redacted: String) {
        #expect(QueryRedaction().query(form) == redacted)
    }

    @Test func `what is secret, and what stands for it, can be told`() {
        let redaction = QueryRedaction(secretNames: ["pin"], replacement: "?")
        #expect(redaction.query("pin=1&password=2") == "pin=?&password=2")
    }
}
