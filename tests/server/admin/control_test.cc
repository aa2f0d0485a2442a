#include "server/admin/control.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "server/http/request_router.h"
#include "storage/clock.h"
#include "storage/databases.h"
#include "tests/support/idle_server.h"

namespace magneto::server::admin {
namespace {

class ControlTest : public testing::Test {
 protected:
  static http::HttpRequest request(http::Method method, std::string_view uri,
                                   std::string_view body = {}) {
    http::HttpRequest made;
    made.method = method;
    made.set(http::Field::kUri, uri);
    made.set(http::Field::kHost, "localhost:8000");
    made.set(http::Field::kAuthorization, "Bearer secret");
    made.body = body;
    return made;
  }
  static http::HttpRequest page(std::string_view host) {
    http::HttpRequest made;
    made.method = http::Method::kGet;
    made.set(http::Field::kUri, "/_/");
    if (!host.empty()) made.set(http::Field::kHost, host);
    return made;
  }
  http::HttpResponse answer(http::HttpRequest asked) {
    const http::RequestRouter router(service_, work_memory_, http::AuthMode::kOff,
                                     http::AccessRules({}), api::Profile::kAws, nullptr, nullptr,
                                     &namespaces_, &control_);
    http::HttpResponse response;
    storage::Effort effort;
    const http::Route route = router.find_route(asked);
    EXPECT_TRUE(router.answer(route, "ID", asked, response, effort));
    return response;
  }

  std::shared_ptr<api::ControlSettings> settings_ = std::make_shared<api::ControlSettings>("main");
  storage::Clock& clock_ = settings_->clock;
  api::Namespaces namespaces_{storage::Databases::open({}, clock_), settings_, {}};
  api::Service& service_ = namespaces_.main()->service();
  http::WorkMemory work_memory_{1 << 30};
  IdleServer server_;
  Control control_{{.token = "secret"}, namespaces_, server_};
};

TEST_F(ControlTest, IsFoundByItsPathAlone) {
  EXPECT_EQ(answer(request(http::Method::kGet, "/_/namespaces")).status, 200);
  EXPECT_EQ(answer(request(http::Method::kHead, "/_/status")).status, 200);
  EXPECT_EQ(answer(request(http::Method::kGet, "/_/nothing")).status, 404);
  // For a user who has only the binary.
  const std::string paths = answer(request(http::Method::kGet, "/_/foo")).body;
  EXPECT_NE(paths.find("the paths are /_/namespaces, /_/namespaces/NAME, "), std::string::npos)
      << paths;
  EXPECT_NE(paths.find(", /_/namespaces/NAME/clock"), std::string::npos) << paths;
  EXPECT_EQ(answer(request(http::Method::kGet, "/_")).body, "<UnknownOperationException/>\n");
  EXPECT_EQ(answer(request(http::Method::kGet, "/_/health")).content_type, "text/plain");
  EXPECT_EQ(answer(request(http::Method::kPost, "/_/health")).content_type, "application/json");
}

TEST_F(ControlTest, WantsItsToken) {
  for (const std::string_view given : {"", "secret", "Bearer", "Bearer ", "Bearer secre",
                                       "Bearer secret2", "Basic secret", "Bearer SECRET"}) {
    http::HttpRequest asked = page("localhost:8000");
    asked.set(http::Field::kAuthorization, given);
    const http::HttpResponse response = answer(asked);
    EXPECT_EQ(response.status, 401) << given;
    EXPECT_TRUE(response.body.starts_with(R"({"error":")")) << response.body;
  }
  http::HttpRequest asked = page("localhost:8000");
  asked.remove(http::Field::kUri);
  asked.set(http::Field::kUri, "/_/status");
  asked.set(http::Field::kAuthorization, "bearer  secret");
  EXPECT_EQ(answer(asked).status, 200);
}

TEST_F(ControlTest, RefusesSendersOfElsewhereFirst) {
  http::HttpRequest foreign = request(http::Method::kPost, "/_/namespaces", R"({"name":"a"})");
  foreign.set(http::Field::kOrigin, "http://localhost:3000");
  EXPECT_EQ(answer(foreign).status, 403);
  EXPECT_EQ(namespaces_.count(), 0U);
  foreign.method = http::Method::kOptions;
  const http::HttpResponse preflight = answer(foreign);
  EXPECT_EQ(preflight.status, 403);
  EXPECT_FALSE(preflight.preflight);
  EXPECT_EQ(preflight.allowed_origin, "");
  http::HttpRequest own = request(http::Method::kPost, "/_/namespaces", R"({"name":"a"})");
  own.set(http::Field::kOrigin, "http://localhost:8000");
  const http::HttpResponse made = answer(own);
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.allowed_origin, "");
}

TEST_F(ControlTest, ReportsCostsInThreeForms) {
  const auto report = [&](std::string_view body) {
    return answer(request(http::Method::kPost, "/_/namespaces/main/journal/report", body));
  };
  EXPECT_EQ(report("{}").content_type, "application/json");
  EXPECT_TRUE(
      report("").body.starts_with(R"({"namespace":"main","table":null,"region":"us-east-1")"));
  const http::HttpResponse csv = report(R"({"format":"csv"})");
  EXPECT_EQ(csv.content_type, "text/csv; charset=utf-8");
  EXPECT_TRUE(csv.body.starts_with("pattern,operation,")) << csv.body;
  const http::HttpResponse markdown = report(R"({"format":"markdown"})");
  EXPECT_EQ(markdown.content_type, "text/markdown; charset=utf-8");
  EXPECT_NE(markdown.body.find("| pattern |"), std::string::npos) << markdown.body;
  const http::HttpResponse refused = report(R"({"format":"pdf"})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.content_type, "application/json");
  EXPECT_NE(report(R"({"since":1})").body.find("unknown member 'since'"), std::string::npos);
  EXPECT_EQ(answer(request(http::Method::kGet, "/_/namespaces/main/journal/report")).status, 405);
}

TEST_F(ControlTest, RefusalsRepeatNamesWhole) {
  const http::HttpResponse refused =
      answer(request(http::Method::kPost, "/_/namespaces", R"({"a\u0000b":1})"));
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find(R"(unknown member 'a\u0000b')"), std::string::npos) << refused.body;
}

TEST_F(ControlTest, WhatIsMadeIsTakenBackWhenItsPortFails) {
  EXPECT_EQ(
      answer(request(http::Method::kPost, "/_/namespaces", R"({"name":"a","port":true})")).status,
      507);
  EXPECT_EQ(namespaces_.find("a"), nullptr);
}

TEST_F(ControlTest, WhatIsMadeBeginsWithTheDefaults) {
  const auto put = [&](std::string_view body) {
    return answer(request(http::Method::kPut, "/_/defaults", body));
  };
  const auto get = [&] { return answer(request(http::Method::kGet, "/_/defaults")).body; };
  const auto make = [&](std::string_view name) {
    const std::string body = R"({"name":")" + std::string(name) + R"("})";
    EXPECT_EQ(answer(request(http::Method::kPost, "/_/namespaces", body)).status, 201);
    return namespaces_.get(name);
  };
  EXPECT_EQ(get(), "{}");
  constexpr std::string_view kAll =
      R"({"clock":{"now":"2031-02-03T12:00:00Z","frozen":true},)"
      R"("faults":[{"operations":["PutItem"],"fault":{"error":"InternalServerError"}}],)"
      R"("journal":{"on":true},"consistency":{"index_lag":"held"}})";
  const http::HttpResponse done = put(kAll);
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(done.body, kAll);
  for (const std::string_view wrong :
       {R"({"clock":1})", R"({"clock":{}})", R"({"clock":{"now":"soon"}})", R"({"journal":[]})",
        R"({"journal":{"off":true}})", R"({"faults":{}})", R"({"faults":[1]})",
        R"({"faults":[{"operation":1}]})", R"({"faults":[{"fault":{"error":"None"}}]})",
        R"({"consistency":{"index_lag":"x"}})",
        R"({"consistency":{"read_staleness":{"probability":2}}})",
        R"({"consistency":{"lag":"1s"}})", R"({"settings":{}})", R"({"clock":null})"}) {
    EXPECT_EQ(put(wrong).status, 400) << wrong;
    EXPECT_EQ(get(), kAll) << wrong;
  }
  const auto made = make("a");
  EXPECT_TRUE(made->clock().is_frozen());
  EXPECT_TRUE(made->settings()->journal.is_on());
  EXPECT_EQ(made->settings()->faults.rules()->size(), 1U);
  EXPECT_TRUE(made->databases().index_delay().is_held());
  EXPECT_FALSE(clock_.is_frozen());
  EXPECT_FALSE(settings_->faults.is_on());
  EXPECT_EQ(answer(request(http::Method::kDelete, "/_/defaults")).body, "{}");
  EXPECT_FALSE(make("b")->clock().is_frozen());
  EXPECT_TRUE(made->clock().is_frozen());
}

// The page of the data browser asks with the token that it carries.
TEST_F(ControlTest, ThePageCarriesTheTokenWhereNobodyElseCanReadIt) {
  const http::AccessRules here({});
  EXPECT_EQ(control_.token_for_page(here, page("localhost:8000")), "secret");
  EXPECT_EQ(control_.token_for_page(here, page("[::1]:8000")), "secret");
  EXPECT_EQ(control_.token_for_page(here, page("rebound.example:8000")), "");
  EXPECT_EQ(control_.token_for_page(here, page("")), "");
  http::HttpRequest foreign = page("localhost:8000");
  foreign.set(http::Field::kOrigin, "https://app.example");
  EXPECT_EQ(control_.token_for_page(http::AccessRules({.origins = {"*"}}), foreign), "");

  const http::AccessRules open(
      {.host = "0.0.0.0", .address = "0.0.0.0:8000", .on_loopback = false});
  EXPECT_EQ(control_.token_for_page(open, page("192.168.1.7:8000")), "secret");
  EXPECT_EQ(control_.token_for_page(open, page("rebound.example:8000")), "");
  const http::AccessRules named({.on_loopback = false, .hosts = {{"db.example"}}});
  EXPECT_EQ(control_.token_for_page(named, page("db.example")), "secret");
  const http::AccessRules any({.hosts = {{"*"}}});
  EXPECT_EQ(control_.token_for_page(any, page("rebound.example")), "");

  const Control chosen({.token = "secret", .token_is_random = false}, namespaces_, server_);
  EXPECT_EQ(chosen.token_for_page(here, page("localhost:8000")), "");
  const Control verifying({.token = "secret", .auth = http::AuthMode::kVerify}, namespaces_,
                          server_);
  EXPECT_EQ(verifying.token_for_page(here, page("localhost:8000")), "");
}

// Operations; with the texts that a caller gets.
TEST_F(ControlTest, OperationsRunWhereTheyAreSent) {
  const auto list = [&](std::string_view name) {
    http::HttpRequest asked = request(http::Method::kPost, "/", "{}");
    asked.set(http::Field::kTarget, "DynamoDB_20120810.ListTables");
    asked.set(http::Field::kContentType, "application/json");
    if (!name.empty()) asked.set(http::Field::kNamespace, name);
    return answer(asked);
  };
  EXPECT_EQ(list("").status, 200);
  EXPECT_EQ(list("main").status, 200);
  const http::HttpResponse refused = list("none\xFF");
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("ValidationException"), std::string::npos);
  EXPECT_NE(refused.body.find("there is no 'none\xEF\xBF\xBD'"), std::string::npos) << refused.body;
  namespaces_.create({.name = "a", .origin = {}, .expires_after = {}});
  EXPECT_EQ(list("a").body, R"({"TableNames":[]})");
}

}  // namespace
}  // namespace magneto::server::admin
