#include "server/http/auth/signature_verifier.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/client/signing/signature.h"
#include "server/http/auth/credential_file.h"

namespace magneto::server::http {
namespace {

using api::ErrorType;
using std::chrono::seconds;

constexpr std::string_view kVerifiedKeys =
    "[ana]\naws_access_key_id = ANA\naws_secret_access_key = secret/of+ana\n"
    "principal_arn = arn:aws:iam::123456789012:user/ana\n"
    "[bo]\naws_access_key_id = BO\naws_secret_access_key = secret-of-bo\n"
    "aws_account_id = 123456789012\n"
    "[session]\naws_access_key_id = SESSION\naws_secret_access_key = s\n"
    "aws_session_token = to/ken+==\n"
    "aws_credential_expiration = 2026-01-02T00:10:00Z\n";

constexpr std::string_view kTarget = "DynamoDB_20120810.ListTables";
constexpr client::SigningCredentials kAna = {"ANA", "secret/of+ana"};
constexpr client::SigningCredentials kSession = {"SESSION", "s", "to/ken+=="};

// A client's request on its way; it may be changed before it arrives.
struct Sent {
  std::string uri = "/";
  std::vector<client::OwnedField> fields = {{"Host", "localhost:8000"},
                                            {"Content-Type", "application/x-amz-json-1.0"},
                                            {"X-Amz-Target", std::string(kTarget)}};
  std::string body = R"({"Limit":10})";

  std::string* find(std::string_view name) {
    for (client::OwnedField& field : fields) {
      if (field.name == name) return &field.value;
    }
    return nullptr;
  }
  void replace(std::string_view name, std::string_view from, std::string_view to) {
    std::string& value = *find(name);
    value.replace(value.find(from), from.size(), to);
  }
};

class SignatureVerifierTest : public testing::Test {
 protected:
  Sent sign(const client::SigningCredentials& credentials = kAna, Sent sent = Sent()) const {
    std::vector<client::HeaderField> fields;
    for (const client::OwnedField& field : sent.fields) fields.push_back({field.name, field.value});
    client::SignableRequest request;
    request.uri = sent.uri;
    request.fields = fields;
    for (client::OwnedField& field : client::sign_request(
             request, sent.body, credentials, {.date = "", .region = "eu-west-2"}, signed_at_)) {
      sent.fields.push_back(std::move(field));
    }
    return sent;
  }

  // With everything that is signed in the query.
  Sent presign(const client::SigningCredentials& credentials, std::string_view expires) const {
    Sent sent;
    const std::string time = client::format_time(signed_at_);
    const std::string date = time.substr(0, 8);
    const client::SigningScope scope{.date = date, .region = "eu-west-2"};
    const auto add = [&](std::string_view name, std::string_view value) {
      sent.uri.append(sent.uri.ends_with('/') ? "?" : "&").append(name).append("=");
      client::append_escaped(value, sent.uri);
    };
    add("X-Amz-Algorithm", client::kSignatureAlgorithm);
    add("X-Amz-Credential",
        std::string(credentials.access_key) + "/" + date + "/eu-west-2/dynamodb/aws4_request");
    add("X-Amz-Date", time);
    if (!expires.empty()) add("X-Amz-Expires", expires);
    if (!credentials.session_token.empty()) {
      add("X-Amz-Security-Token", credentials.session_token);
    }
    add("X-Amz-SignedHeaders", "host;x-amz-target");
    std::vector<client::HeaderField> fields;
    for (const client::OwnedField& field : sent.fields) fields.push_back({field.name, field.value});
    const std::string hash = client::to_hex(client::sha256(sent.body));
    const std::vector<std::string_view> names = {"host", "x-amz-target"};
    const std::string canonical =
        client::canonical_request({"POST", sent.uri, fields, hash}, names);
    add("X-Amz-Signature",
        client::to_hex(client::derive_signing_key(credentials.secret_key, scope)
                           .sign(client::string_to_sign(time, scope, canonical))));
    return sent;
  }

  static HttpRequest receive(const Sent& sent) {
    HttpRequest request;
    request.method = Method::kPost;
    request.set(Field::kUri, sent.uri);
    request.body = sent.body;
    for (const client::OwnedField& field : sent.fields) {
      request.keep(field.name, field.value);
      if (field.name == "Authorization") request.set(Field::kAuthorization, field.value);
      if (field.name == "X-Amz-Date") request.set(Field::kAmzDate, field.value);
      if (field.name == "Date") request.set(Field::kDate, field.value);
    }
    return request;
  }

  std::optional<client::AuthError> verify(const Sent& sent) const {
    HttpRequest request = receive(sent);
    api::Caller caller;
    return verifier_.verify(request, caller);
  }
  void expect_taken(const Sent& sent) const {
    const std::optional<client::AuthError> error = verify(sent);
    EXPECT_FALSE(error) << error->message;
  }
  void expect_refused(const Sent& sent, ErrorType type, std::string_view beginning) const {
    const std::optional<client::AuthError> error = verify(sent);
    ASSERT_TRUE(error) << beginning;
    EXPECT_EQ(error->type, type) << error->message;
    EXPECT_TRUE(error->message.starts_with(beginning)) << error->message;
  }
  void expect_mismatch(const Sent& sent) const {
    expect_refused(sent, ErrorType::kInvalidSignature,
                   "The request signature we calculated does not match the signature you provided. "
                   "Check your AWS Secret Access Key and signing method. Consult the service "
                   "documentation for details.\n\nThe Canonical String for this request should "
                   "have been\n'POST\n/\n");
  }

  const std::shared_ptr<const client::CredentialSet> credentials_ =
      parse_credentials(kVerifiedKeys, "keys");
  client::SignatureTime now_ = *client::parse_time("20260102T000000Z");
  client::SignatureTime signed_at_ = now_;
  SignatureVerifier verifier_{[this] { return credentials_; }, [this] { return now_; }};
};

TEST_F(SignatureVerifierTest, LetsInWhoSigned) {
  HttpRequest request = receive(sign());
  api::Caller caller;
  const std::optional<client::AuthError> error = verifier_.verify(request, caller);
  ASSERT_FALSE(error) << error->message;
  EXPECT_EQ(caller.region, "eu-west-2");
  EXPECT_EQ(caller.access_key, "ANA");
  EXPECT_EQ(caller.account, "123456789012");
  EXPECT_EQ(caller.principal_arn, "arn:aws:iam::123456789012:user/ana");
  HttpRequest other = receive(sign({"BO", "secret-of-bo"}));
  ASSERT_FALSE(verifier_.verify(other, caller));
  EXPECT_EQ(caller.account, "123456789012");
  EXPECT_EQ(caller.principal_arn, "arn:aws:iam::123456789012:user/bo");
}

// A call that needs a worker is repeated, with its body inflated by then.
TEST_F(SignatureVerifierTest, VerifiesARequestOnce) {
  HttpRequest request = receive(sign());
  api::Caller caller;
  ASSERT_FALSE(verifier_.verify(request, caller));
  request.body = "{}";
  api::Caller again;
  EXPECT_FALSE(verifier_.verify(request, again));
  EXPECT_EQ(again.access_key, "ANA");
  EXPECT_EQ(again.region, "eu-west-2");
  request.clear();
  EXPECT_TRUE(verifier_.verify(request, again));
}

TEST_F(SignatureVerifierTest, TakesWhatProxiesDoToFields) {
  Sent sent;
  sent.fields.push_back({"X-Twice", "one"});
  sent.fields.push_back({"X-Twice", "two  three"});
  sent = sign(kAna, sent);
  expect_taken(sent);
  sent.find("X-Twice")->append(" ");
  sent.fields.insert(sent.fields.begin(), {"Via", "proxy"});
  sent.fields.push_back({"X-Forwarded-For", "127.0.0.1"});
  expect_taken(sent);
  sent.fields.push_back({"x-twice", "four"});
  expect_mismatch(sent);
}

TEST_F(SignatureVerifierTest, TakesADateHeaderForXAmzDate) {
  Sent sent = sign();
  sent.replace("Authorization", ";x-amz-date", "");
  const std::string time = client::format_time(now_);
  sent.fields.push_back({"Date", time});
  std::erase_if(sent.fields,
                [](const client::OwnedField& field) { return field.name == "X-Amz-Date"; });
  // Signed again without it.
  std::vector<client::HeaderField> fields;
  for (const client::OwnedField& field : sent.fields) fields.push_back({field.name, field.value});
  const std::vector<std::string_view> names = {"content-type", "host", "x-amz-target"};
  const std::string hash = client::to_hex(client::sha256(sent.body));
  const client::SigningScope scope{.date = "20260102", .region = "eu-west-2"};
  std::string& authorization = *sent.find("Authorization");
  authorization.erase(authorization.find("Signature=") + 10);
  authorization += client::to_hex(
      client::derive_signing_key(kAna.secret_key, scope)
          .sign(client::string_to_sign(
              time, scope, client::canonical_request({"POST", "/", fields, hash}, names))));
  expect_taken(sent);
}

TEST_F(SignatureVerifierTest, RefusesWhatWasChangedUnderWay) {
  expect_taken(sign());
  Sent sent = sign();
  sent.body += ' ';
  expect_mismatch(sent);
  sent = sign();
  sent.replace("X-Amz-Target", "ListTables", "DeleteTable");
  expect_mismatch(sent);
  sent = sign();
  sent.replace("Host", "localhost", "elsewhere");
  expect_mismatch(sent);
  sent = sign();
  sent.uri = "/?a=b";
  expect_mismatch(sent);
  sent = sign();
  sent.replace("X-Amz-Date", "000000Z", "000001Z");
  expect_mismatch(sent);
  sent = sign();
  sent.replace("Authorization", "eu-west-2", "us-east-1");
  expect_mismatch(sent);
  sent = sign();
  sent.replace("Authorization", "content-type;", "");
  expect_mismatch(sent);
  for (const std::string_view signature : {"0", "x"}) {
    sent = sign();
    std::string& header = *sent.find("Authorization");
    header.erase(header.find("Signature=") + 10).append(signature);
    expect_mismatch(sent);
  }
}

TEST_F(SignatureVerifierTest, RefusesOtherSecretsAndKeys) {
  expect_mismatch(sign({"ANA", "secret/of+anb"}));
  // Also after the right signature was seen, and cached.
  expect_taken(sign());
  expect_mismatch(sign({"ANA", "secret-of-bo"}));
  for (const std::string_view key : {"ana", "AN", "NOBODY"}) {
    expect_refused(sign({key, "secret/of+ana"}), ErrorType::kUnrecognizedClient,
                   "The security token included in the request is invalid.");
  }
}

TEST_F(SignatureVerifierTest, SaysWhatShouldHaveBeenSigned) {
  const std::optional<client::AuthError> error = verify(sign({"ANA", "wrong"}));
  ASSERT_TRUE(error);
  const std::string canonical =
      "POST\n/\n\ncontent-type:application/x-amz-json-1.0\nhost:localhost:8000\n"
      "x-amz-date:20260102T000000Z\nx-amz-target:DynamoDB_20120810.ListTables\n\n"
      "content-type;host;x-amz-date;x-amz-target\n" +
      client::to_hex(client::sha256(R"({"Limit":10})"));
  EXPECT_EQ(error->message,
            "The request signature we calculated does not match the signature you provided. Check "
            "your AWS Secret Access Key and signing method. Consult the service documentation for "
            "details.\n\nThe Canonical String for this request should have been\n'" +
                canonical +
                "'\n\nThe String-to-Sign should have been\n'AWS4-HMAC-SHA256\n20260102T000000Z\n"
                "20260102/eu-west-2/dynamodb/aws4_request\n" +
                client::to_hex(client::sha256(canonical)) + "'\n");
}

TEST_F(SignatureVerifierTest, AllowsClocksToBeOffByFifteenMinutes) {
  for (const int offset : {-900, 900}) {
    signed_at_ = now_ + seconds(offset);
    expect_taken(sign());
  }
  signed_at_ = now_ - seconds(901);
  expect_refused(sign(), ErrorType::kInvalidSignature,
                 "Signature expired: 20260101T234459Z is now earlier than 20260101T234500Z "
                 "(20260102T000000Z - 15 min.)");
  signed_at_ = now_ + seconds(901);
  expect_refused(sign(), ErrorType::kInvalidSignature,
                 "Signature not yet current: 20260102T001501Z is still later than "
                 "20260102T001500Z (20260102T000000Z + 15 min.)");
  Sent sent = sign();
  sent.replace("X-Amz-Date", "20260102", "20261302");
  sent.replace("Authorization", "20260102", "20261302");
  expect_refused(sent, ErrorType::kIncompleteSignature,
                 "Date must be in ISO-8601 'basic format'. Got '20261302T001501Z'.");
}

TEST_F(SignatureVerifierTest, WantsTheTokenOfASession) {
  expect_taken(sign(kSession));
  for (const std::string_view token : {"", "to/ken+=", "other"}) {
    expect_refused(sign({"SESSION", "s", token}), ErrorType::kUnrecognizedClient,
                   "The security token included in the request is invalid.");
  }
  expect_refused(sign({"ANA", "secret/of+ana", "token"}), ErrorType::kUnrecognizedClient,
                 "The security token included in the request is invalid.");
  now_ += std::chrono::minutes(10);
  expect_refused(sign(kSession), ErrorType::kExpiredToken,
                 "The security token included in the request is expired");
}

TEST_F(SignatureVerifierTest, TakesPresignedRequests) {
  expect_taken(presign(kAna, ""));
  expect_taken(presign(kAna, "60"));
  expect_taken(presign(kSession, "60"));
  Sent sent = presign(kAna, "60");
  sent.body += ' ';
  expect_refused(sent, ErrorType::kInvalidSignature, "The request signature we calculated");
  sent = presign(kAna, "60");
  sent.uri.replace(sent.uri.find("Expires=60"), 10, "Expires=99");
  expect_refused(sent, ErrorType::kInvalidSignature, "The request signature we calculated");
  sent = presign(kAna, "60");
  sent.fields.push_back({"Authorization", "AWS4-HMAC-SHA256 Credential=ANA"});
  expect_refused(sent, ErrorType::kInvalidSignature, "Found both 'X-Amz-Algorithm'");
  sent = presign({"SESSION", "s"}, "60");
  expect_refused(sent, ErrorType::kUnrecognizedClient, "The security token");
}

TEST_F(SignatureVerifierTest, HoldsPresignedRequestsToTheirTime) {
  signed_at_ = now_ - seconds(60);
  expect_taken(presign(kAna, "60"));
  expect_refused(presign(kAna, "59"), ErrorType::kInvalidSignature,
                 "Signature expired: 20260101T235900Z is now earlier than 20260101T235901Z "
                 "(20260102T000000Z - 59 sec.)");
  signed_at_ = now_ - kMaxPresignedTime;
  expect_taken(presign(kAna, "604800"));
  expect_refused(presign(kAna, ""), ErrorType::kInvalidSignature, "Signature expired:");
  for (const std::string_view expires : {"604801", "0", "-1", "x", "1x", "99999999999"}) {
    expect_refused(presign(kAna, expires), ErrorType::kIncompleteSignature,
                   "X-Amz-Expires must be a number of seconds from 1 to 604800, not '" +
                       std::string(expires) + "'.");
  }
  signed_at_ = now_ + seconds(901);
  expect_refused(presign(kAna, "60"), ErrorType::kInvalidSignature, "Signature not yet current:");
}

// Text before the signed target must not be read in its place.
TEST_F(SignatureVerifierTest, TakesNoLongerTimeFromAnotherTarget) {
  signed_at_ = now_ - seconds(60);
  Sent sent = presign(kAna, "60");
  sent.uri.insert(0, "http://elsewhere");
  expect_taken(sent);
  signed_at_ = now_ - seconds(61);
  const Sent old = presign(kAna, "60");
  expect_refused(old, ErrorType::kInvalidSignature, "Signature expired:");
  const std::string longer = old.uri.substr(2, old.uri.find("&X-Amz-Expires=") - 2) +
                             "&X-Amz-Expires=604800&X-Amz-SignedHeaders=host%3Bx-amz-target"
                             "&X-Amz-Signature=" +
                             old.uri.substr(old.uri.find("X-Amz-Signature=") + 16);
  for (const std::string_view front : {"q?", "?", "/?", "#?", "q#?", "a:b?", "a:?"}) {
    sent.uri = std::string(front) + longer + "&z=://h" + old.uri;
    EXPECT_TRUE(verify(sent)) << sent.uri;
    sent.uri = std::string(front) + longer + "#://h" + old.uri;
    EXPECT_TRUE(verify(sent)) << sent.uri;
    sent.uri = std::string(front) + "X-Amz-Expires=604800&z=://h" + old.uri;
    EXPECT_TRUE(verify(sent)) << sent.uri;
  }
}

void append_as_escape(char c, std::string& text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  text.append("%").append(kDigits.substr(byte >> 4, 1)).append(kDigits.substr(byte & 15, 1));
}

TEST_F(SignatureVerifierTest, KnowsEscapedNamesInQueries) {
  signed_at_ = now_ - seconds(60);
  const Sent good = presign(kSession, "60");
  const Sent expired = presign(kSession, "59");
  for (const std::string_view name :
       {"X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires",
        "X-Amz-Security-Token", "X-Amz-SignedHeaders", "X-Amz-Signature"}) {
    for (const std::size_t letter : {std::size_t{0}, name.size() - 1}) {
      std::string escaped(name.substr(0, letter));
      append_as_escape(name[letter], escaped);
      escaped.append(name.substr(letter + 1));
      Sent sent = good;
      sent.uri.replace(sent.uri.find(name), name.size(), escaped);
      expect_taken(sent);
      sent = expired;
      sent.uri.replace(sent.uri.find(name), name.size(), escaped);
      expect_refused(sent, ErrorType::kInvalidSignature, "Signature expired:");
    }
  }
}

TEST_F(SignatureVerifierTest, BoundsFieldsAndParameters) {
  Sent sent;
  sent.uri = "/?0";
  for (std::size_t i = 1; i < kMaxSignableParameters; ++i) sent.uri += "&" + std::to_string(i);
  sent = sign(kAna, sent);
  while (sent.fields.size() < kMaxSignableFields) sent.fields.push_back({"X-More", "x"});
  expect_taken(sent);
  Sent more = sent;
  more.fields.push_back({"X-Unsigned", "x"});
  expect_refused(more, ErrorType::kIncompleteSignature,
                 "A signed request must have at most 256 header fields.");
  more = sent;
  more.uri += "&more";
  expect_refused(more, ErrorType::kIncompleteSignature,
                 "A signed request must have at most 128 query parameters.");
}

TEST_F(SignatureVerifierTest, WantsTargetAndBodySigned) {
  Sent sent = sign();
  sent.replace("Authorization", ";x-amz-target", "");
  expect_refused(sent, ErrorType::kInvalidSignature,
                 "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.");
  for (const std::string_view hash : {"UNSIGNED-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
                                      "STREAMING-UNSIGNED-PAYLOAD-TRAILER"}) {
    sent = Sent();
    sent.fields.push_back({"x-amz-content-sha256", std::string(hash)});
    expect_refused(sign(kAna, sent), ErrorType::kInvalidSignature,
                   "X-Amz-Content-Sha256 '" + std::string(hash) +
                       "' is not supported: the signature must cover the body.");
  }
  sent = Sent();
  sent.fields.push_back({"x-amz-content-sha256", client::to_hex(client::sha256(sent.body))});
  expect_taken(sign(kAna, sent));
}

TEST_F(SignatureVerifierTest, RefusesOtherAlgorithmsByName) {
  Sent sent = sign();
  sent.replace("Authorization", "AWS4-HMAC-SHA256", "AWS4-ECDSA-P256-SHA256");
  expect_refused(sent, ErrorType::kIncompleteSignature,
                 "Unsupported AWS 'algorithm': 'AWS4-ECDSA-P256-SHA256' "
                 "(only AWS4-HMAC-SHA256 for now). ");
  sent.fields = Sent().fields;
  expect_refused(sent, ErrorType::kMissingAuthenticationToken,
                 "Request is missing Authentication Token");
}

TEST_F(SignatureVerifierTest, BoundsWhatIsSigned) {
  std::string names = "SignedHeaders=";
  for (std::size_t i = 0; i < client::kMaxSignedHeaders; ++i)
    names.append(std::to_string(i)).append(";");
  Sent sent = sign();
  sent.replace("Authorization", "SignedHeaders=", names);
  expect_refused(sent, ErrorType::kIncompleteSignature,
                 "SignedHeaders must name between 1 and 128 headers.");
}

}  // namespace
}  // namespace magneto::server::http
