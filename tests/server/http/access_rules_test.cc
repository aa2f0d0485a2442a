#include "server/http/access_rules.h"

#include <gtest/gtest.h>

#include <string>

namespace magneto::server::http {
namespace {

HttpRequest with_origin(std::string_view origin) {
  HttpRequest request;
  request.set(Field::kOrigin, origin);
  return request;
}

HttpRequest with_host(std::string_view host) {
  HttpRequest request;
  request.set(Field::kHost, host);
  return request;
}

bool serves_origin(const AccessRules& rules, std::string_view origin) {
  return rules.refuse_origin(with_origin(origin)).empty();
}

bool serves_host(const AccessRules& rules, std::string_view host) {
  return rules.refuse_host(with_host(host)).empty();
}

const AccessRules kDefault({.host = "127.0.0.1", .address = "127.0.0.1:8000"});

TEST(AccessRules, ServePagesOfThisMachine) {
  EXPECT_TRUE(kDefault.refuse_origin(HttpRequest()).empty());
  for (const std::string_view origin :
       {"http://localhost", "https://localhost", "http://localhost:3000", "HTTP://LocalHost:65535",
        "http://app.localhost:8080", "http://127.0.0.1", "https://127.255.0.3:9", "http://[::1]",
        "http://[::1]:3000", "http://[0:0:0:0:0:0:0:1]", "http://[::ffff:127.0.0.1]:1"}) {
    EXPECT_TRUE(serves_origin(kDefault, origin)) << origin;
  }
}

TEST(AccessRules, RefusePagesOfElsewhere) {
  for (const std::string_view origin : {"https://evil.example",
                                        "http://evil.example:8000",
                                        "null",
                                        "",
                                        "*",
                                        "localhost",
                                        "localhost:3000",
                                        "http://",
                                        "://localhost",
                                        "http:localhost",
                                        "http:///localhost",
                                        "ftp://localhost",
                                        "file://localhost",
                                        "chrome-extension://localhost",
                                        "http://localhost.evil.example",
                                        "http://evil.example.",
                                        "http://evillocalhost",
                                        "http://127.0.0.1.evil.example",
                                        "http://127.evil.example",
                                        "http://127.0.0.1:80.evil.example",
                                        "http://127.1",
                                        "http://127.0.0.256",
                                        "http://2130706433",
                                        "http://128.0.0.1",
                                        "http://0.0.0.0",
                                        "http://[::2]",
                                        "http://[::]",
                                        "http://[::1].evil.example",
                                        "http://[::1",
                                        "http://[]",
                                        "http://[",
                                        "http://[::ffff:128.0.0.1]",
                                        "http://[127.0.0.1]",
                                        "http://localhost/",
                                        "http://localhost:3000/path",
                                        "http://a@localhost",
                                        "http://localhost:123456",
                                        "http://localhost:-1",
                                        "http://localhost:80:80",
                                        "http://localhost, https://evil.example",
                                        "http://localhost https://evil.example",
                                        "https://evil.example#http://localhost",
                                        "http://127.0.0.1111111111111111111111111111"
                                        "111111111111111111111111111111111111111111"}) {
    EXPECT_FALSE(serves_origin(kDefault, origin)) << origin;
  }
}

TEST(AccessRules, ServeTheOriginsTheyAreGiven) {
  const AccessRules rules(
      {.origins = {"https://app.example", "http://other.example:3000", "null"}});
  for (const std::string_view origin : {"https://app.example", "HTTPS://App.Example",
                                        "http://other.example:3000", "null", "http://localhost"}) {
    EXPECT_TRUE(serves_origin(rules, origin)) << origin;
    EXPECT_EQ(rules.allowed_origin(with_origin(origin)), origin);
  }
  for (const std::string_view origin :
       {"http://app.example", "https://app.example:444", "https://sub.app.example",
        "http://other.example", "http://other.example:30000", ""}) {
    EXPECT_FALSE(serves_origin(rules, origin)) << origin;
  }
  const AccessRules any({.origins = {"*"}});
  EXPECT_TRUE(serves_origin(any, "https://evil.example"));
  EXPECT_TRUE(serves_origin(any, "null"));
  EXPECT_EQ(any.allowed_origin(with_origin("http://localhost")), "*");
}

TEST(AccessRules, AnswerToNamesOfThisMachineOnLoopback) {
  for (const std::string_view host :
       {"localhost", "localhost:8000", "LOCALHOST", "localhost.:8000", "db.localhost:1",
        "127.0.0.1", "127.0.0.1:8000", "127.8.9.10:1", "[::1]", "[::1]:8000", "localhost:"}) {
    EXPECT_TRUE(serves_host(kDefault, host)) << host;
  }
  for (const std::string_view host :
       {"evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.nip.io", "",
        "192.168.0.1", "0.0.0.0:8000", "[::]:8000", "::1", "localhost:x", "localhost:8000:8000",
        "localhost@evil.example", "localhost evil.example", "localhost,evil.example", ":8000"}) {
    EXPECT_FALSE(serves_host(kDefault, host)) << host;
  }
}

TEST(AccessRules, NeedAHostExceptInTheOldHttp) {
  HttpRequest request;
  EXPECT_FALSE(kDefault.refuse_host(request).empty());
  request.http11 = false;
  EXPECT_TRUE(kDefault.refuse_host(request).empty());
  request.set(Field::kHost, "");
  EXPECT_FALSE(kDefault.refuse_host(request).empty());
  EXPECT_TRUE(AccessRules({.on_loopback = false}).refuse_host(HttpRequest()).empty());
}

TEST(AccessRules, AnswerToTheNameTheyListenOn) {
  const AccessRules rules({.host = "devbox"});
  EXPECT_TRUE(serves_host(rules, "DevBox:8000"));
  EXPECT_TRUE(serves_host(rules, "localhost"));
  EXPECT_FALSE(serves_host(rules, "devbox.example"));
}

TEST(AccessRules, AnswerToAnyNameBeyondLoopback) {
  const AccessRules open({.host = "0.0.0.0", .on_loopback = false});
  for (const std::string_view host :
       {"dynamodb:8000", "my_service", "192.168.0.1:8000", "magneto.namespace.svc.cluster.local",
        "[fd00::1]:8000", "localhost", "xn--bcher-kva.example"}) {
    EXPECT_TRUE(serves_host(open, host)) << host;
  }
  // No name, so there would be no way back by it.
  for (const std::string_view host : {"a/b", "a b", "a\"b", "\xc3\xa4", "a:b", "<x>"}) {
    EXPECT_FALSE(serves_host(open, host)) << host;
  }
  // A page's origin counts there too.
  EXPECT_FALSE(serves_origin(open, "https://evil.example"));
}

TEST(AccessRules, AnswerToTheNamesTheyAreGiven) {
  using Names = std::vector<std::string>;
  for (const bool on_loopback : {false, true}) {
    const AccessRules rules(
        {.host = "0.0.0.0", .on_loopback = on_loopback, .hosts = Names{"db.example", "[fd00::1]"}});
    for (const std::string_view host :
         {"db.example:8000", "DB.example", "[fd00::1]:8000", "localhost", "0.0.0.0"}) {
      EXPECT_TRUE(serves_host(rules, host)) << host;
    }
    for (const std::string_view host : {"evil.example", "a.db.example", "[fd00::2]"}) {
      EXPECT_FALSE(serves_host(rules, host)) << host;
    }
  }
  EXPECT_TRUE(serves_host(AccessRules({.hosts = Names{"*"}}), "evil.example"));
}

TEST(AccessRules, TellTheAddressARequestCameTo) {
  EXPECT_EQ(kDefault.address_for(with_host("localhost:9000")), "localhost:9000");
  EXPECT_EQ(kDefault.address_for(HttpRequest()), "127.0.0.1:8000");
}

TEST(CanonicalOrigin, IsWhatBrowsersSend) {
  EXPECT_EQ(canonical_origin("*"), "*");
  EXPECT_EQ(canonical_origin("null"), "null");
  EXPECT_EQ(canonical_origin("http://a.example"), "http://a.example");
  EXPECT_EQ(canonical_origin("http://a.example:80"), "http://a.example");
  EXPECT_EQ(canonical_origin("https://a.example:443"), "https://a.example");
  EXPECT_EQ(canonical_origin("https://a.example:80"), "https://a.example:80");
  EXPECT_EQ(canonical_origin("app://obsidian.md"), "app://obsidian.md");
  for (const std::string_view text :
       {"", "a.example", "http://a.example/", "http://", "http://a b", "http://*.example/x"}) {
    EXPECT_EQ(canonical_origin(text), std::nullopt) << text;
  }
}

TEST(CanonicalHost, HasNoPort) {
  EXPECT_EQ(canonical_host("*"), "*");
  EXPECT_EQ(canonical_host("db"), "db");
  EXPECT_EQ(canonical_host("10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(canonical_host("fd00::1"), "[fd00::1]");
  EXPECT_EQ(canonical_host("[fd00::1]"), "[fd00::1]");
  for (const std::string_view text : {"", "db:8000", "[::1]:80", "http://db", "a b", "a,b"}) {
    EXPECT_EQ(canonical_host(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace magneto::server::http
