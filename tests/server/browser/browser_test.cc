#include "server/browser/browser.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "server/formats/body_encoding.h"
#include "tests/server/http/request_router_test.h"

namespace magneto::server::browser {
namespace {

http::HttpRequest request_for(std::string_view uri, http::Method method = http::Method::kGet) {
  http::HttpRequest request;
  request.method = method;
  request.set(http::Field::kUri, uri);
  request.set(http::Field::kHost, "localhost:8000");
  return request;
}

std::string_view token_of_all(const http::AccessRules& /*access*/,
                              const http::HttpRequest& /*request*/) {
  return "a-token";
}

http::HttpResponse answer(http::HttpRequest request, const Browser& browser) {
  static const http::AccessRules access({});
  http::HttpResponse response;
  browser.answer("ID", access, request, response);
  return response;
}

http::HttpResponse answer(http::HttpRequest request) {
  static const Browser browser(token_of_all);
  return answer(std::move(request), browser);
}

std::string tag_of(const http::HttpResponse& response) {
  const std::size_t start = response.fields.find("W/\"");
  return std::string(response.fields.substr(start, response.fields.find('\r', start) - start));
}

TEST(Browser, AnswersThePageWithTheToken) {
  const http::HttpResponse page = answer(request_for("/_/?x=1"));
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
  EXPECT_NE(page.body.find("<meta name=\"magneto-token\" content=\"a-token\">"), std::string::npos);
  EXPECT_NE(page.fields.find("Cache-Control: no-store\r\n"), std::string::npos);
  EXPECT_NE(page.fields.find("script-src 'self';"), std::string::npos);
  EXPECT_EQ(page.fields.find("ETag"), std::string::npos);
}

TEST(Browser, ServesAFolderOfSources) {
  const std::string folder = ::testing::TempDir() + "page-" + std::to_string(::getpid());
  std::filesystem::create_directories(folder + "/inner");
  const auto write = [&](const std::string& name, std::string_view text) {
    std::ofstream(folder + '/' + name, std::ios::binary | std::ios::trunc) << text;
  };
  write("index.html", "<meta name=\"magneto-token\" content=\"\">");
  write("inner/a.js", "first");
  const Browser browser(token_of_all, folder);
  const auto read = [&](std::string_view uri) { return answer(request_for(uri), browser); };
  EXPECT_EQ(read("/_/").body, "<meta name=\"magneto-token\" content=\"a-token\">");
  EXPECT_EQ(read("/_/assets/inner/a.js").body, "first");
  write("inner/a.js", "second");
  EXPECT_EQ(read("/_/assets/inner/a.js").body, "second");
  EXPECT_EQ(read("/_/assets/inner/a.js").content_type, "text/javascript; charset=utf-8");
  for (const char* const none : {"/_/assets/b.js", "/_/assets/inner", "/_/assets/inner/../a.js",
                                 "/_/assets/../../../etc/passwd", "/_/assets/"}) {
    EXPECT_EQ(read(none).status, 404) << none;
  }
  const http::HttpResponse refused = answer(request_for("/_/", http::Method::kPost), browser);
  EXPECT_EQ(refused.status, 405);
  std::filesystem::remove_all(folder);
}

TEST(Browser, WritesTokensAsText) {
  EXPECT_EQ(put_token_into_page("<meta name=\"magneto-token\" content=\"\">", "a\"><b>&"),
            "<meta name=\"magneto-token\" content=\"a&quot;>&lt;b>&amp;\">");
  EXPECT_EQ(put_token_into_page("<p>", "token"), "<p>");
}

TEST(Browser, AnswersFilesInTheCodingThatIsAskedFor) {
  http::HttpRequest coded = request_for("/_/assets/app.js");
  coded.set(http::Field::kAcceptEncoding, "gzip, deflate, br, zstd");
  const http::HttpResponse packed = answer(coded);
  EXPECT_EQ(packed.content_encoding, "gzip");
  EXPECT_EQ(packed.content_type, "text/javascript; charset=utf-8");
  const http::HttpResponse plain = answer(request_for("/_/assets/app.js"));
  EXPECT_EQ(plain.content_encoding, "");
  std::string unpacked;
  ASSERT_EQ(formats::inflate_body(formats::Coding::kGzip, packed.body, 1 << 20, unpacked),
            formats::Inflated::kDone);
  EXPECT_EQ(plain.body, unpacked);
  EXPECT_NE(plain.body.find("import"), std::string::npos);
  coded = request_for("/_/assets/app.js");
  coded.set(http::Field::kAcceptEncoding, "gzip;q=0");
  EXPECT_EQ(answer(coded).content_encoding, "");
}

TEST(Browser, SendsNoFileAgain) {
  const std::string tag = tag_of(answer(request_for("/_/assets/style.css")));
  EXPECT_GT(tag.size(), 20U);
  for (const std::string& known : {tag, "\"other\", " + tag, std::string("*")}) {
    http::HttpRequest request = request_for("/_/assets/style.css");
    request.set(http::Field::kIfNoneMatch, known);
    const http::HttpResponse response = answer(request);
    EXPECT_EQ(response.status, 304) << known;
    EXPECT_EQ(response.body, "");
    EXPECT_EQ(tag_of(response), tag);
  }
  http::HttpRequest other = request_for("/_/assets/app.js");
  other.set(http::Field::kIfNoneMatch, tag);
  EXPECT_EQ(answer(other).status, 200);
}

TEST(Browser, RefusesWhatIsNoFileAndNoReading) {
  for (const std::string_view uri :
       {"/_/assets/", "/_/assets/none.js", "/_/assets/index.html", "/_/assets/../README.md",
        "/_/assets//app.js", "/_/assets/app.js/", "/_/assets/%61pp.js"}) {
    EXPECT_EQ(answer(request_for(uri)).status, 404) << uri;
  }
  for (const http::Method method :
       {http::Method::kPost, http::Method::kOther, http::Method::kOptions}) {
    for (const std::string_view uri : {"/_/", "/_/assets/app.js"}) {
      const http::HttpResponse response = answer(request_for(uri, method));
      EXPECT_EQ(response.status, 405);
      EXPECT_EQ(response.fields, "Allow: GET, HEAD\r\n");
    }
  }
  EXPECT_EQ(answer(request_for("/_/", http::Method::kHead)).status, 200);
}

class BrowserRouteTest : public http::RequestRouterTest {
 protected:
  http::HttpResponse answer_with_page(http::HttpRequest request) {
    http::HttpResponse response;
    storage::Effort effort;
    EXPECT_TRUE(with_page_.answer(with_page_.find_route(request), "ID", request, response, effort));
    http::RequestRouter::finish(request, response);
    return response;
  }

  const Browser browser_{token_of_all};
  http::RequestRouter with_page_{service_,
                                 work_memory_,
                                 http::AuthMode::kVerify,
                                 http::AccessRules({}),
                                 api::Profile::kDynamoDbLocal,
                                 nullptr,
                                 nullptr,
                                 nullptr,
                                 nullptr,
                                 &browser_};
};

TEST_F(BrowserRouteTest, IsPublicInEachProfileUnlessSwitchedOff) {
  EXPECT_EQ(answer_with_page(request(http::Method::kGet, "/_/")).status, 200);
  EXPECT_EQ(answer_with_page(request(http::Method::kGet, "/_/health")).content_type, "text/plain");
  EXPECT_EQ(http::RequestRouterTest::answer(request(http::Method::kGet, "/_/")).status, 404);
}

// --cors serves data to other origins, but the page has the token.
TEST_F(BrowserRouteTest, IsForNoOtherOrigin) {
  http::HttpRequest foreign = request(http::Method::kGet, "/_/");
  foreign.set(http::Field::kOrigin, "http://localhost:3000");
  EXPECT_EQ(answer_with_page(foreign).allowed_origin, "");
  http::HttpRequest evil = request(http::Method::kGet, "/_/assets/app.js");
  evil.set(http::Field::kOrigin, "https://evil.example");
  EXPECT_EQ(answer_with_page(evil).status, 403);
}

TEST_F(BrowserRouteTest, CompressesNoFileTwice) {
  http::HttpRequest coded = request(http::Method::kGet, "/_/assets/style.css");
  coded.set(http::Field::kAcceptEncoding, "gzip");
  const http::HttpResponse response = answer_with_page(coded);
  std::string plain;
  ASSERT_EQ(formats::inflate_body(formats::Coding::kGzip, response.body, 1 << 20, plain),
            formats::Inflated::kDone);
  EXPECT_NE(plain.find("--accent"), std::string::npos);
}

}  // namespace
}  // namespace magneto::server::browser
