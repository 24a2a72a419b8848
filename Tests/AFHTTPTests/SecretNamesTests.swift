import AFHTTP
import Testing

struct SecretNamesTests {
    @Test(arguments: [
        "pass", "user_password", "userPassword", "api_token", "apiToken", "APIToken", "authtoken", "private_key",
        "secret_key", "access_key", "x-api-key", "API_KEY", "apikey", "otp", "dbPass", "DBPass", "code", "PHPSESSID",
        "client_secret", "X-Amz-Credential", "login[password]", "login.password", "passwords[0]", "password2", "key_2",
        "password_confirmation", "api%5Fkey", "ConnectionString", "ключ.token",
    ])
    func `names of secrets are recognized`(name: String) {
        #expect(SecretNames().contains(name))
    }

    @Test(arguments: [
        "", "0", "user", "monkey", "bypass", "compass", "author", "country_code", "password.hint", "passwordHint",
        "token_count", "max_tokens", "public_key", "pageToken", "spinner", "%zz", "[]", "sidebar",
    ])
    func `other names are not recognized as secrets`(name: String) {
        #expect(!SecretNames().contains(name))
    }

    @Test func `additional names of secrets match in any notation`() {
        let names = SecretNames(["customer-id"])
        #expect(names.contains("CustomerID") && names.contains("customer_id") && names.contains("token"))
        #expect(!names.contains("customer"))
    }
}
