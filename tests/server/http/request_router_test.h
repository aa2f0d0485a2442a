#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string_view>

#include "server/http/request_router.h"
#include "storage/clock.h"
#include "storage/databases.h"

namespace magneto::server::http {

// A router over a service in memory, which demands no credentials.
class RequestRouterTest : public testing::Test {
 protected:
  HttpRequest request(Method method, std::string_view uri) {
    HttpRequest made;
    made.method = method;
    made.set(Field::kUri, uri);
    made.set(Field::kHost, "localhost:8000");
    return made;
  }
  HttpRequest post(std::string_view target, std::string_view content_type, std::string_view body) {
    HttpRequest made = request(Method::kPost, "/");
    if (!target.empty()) made.set(Field::kTarget, target);
    if (!content_type.empty()) made.set(Field::kContentType, content_type);
    made.body = body;
    return made;
  }
  HttpResponse answer(HttpRequest request) {
    HttpResponse response;
    storage::Effort effort;
    EXPECT_TRUE(router_.answer(router_.find_route(request), "ID", request, response, effort));
    return response;
  }

  storage::Clock clock_;
  std::unique_ptr<storage::Databases> databases_ = storage::Databases::open({}, clock_);
  api::Service service_{*databases_};
  WorkMemory work_memory_{1 << 30};
  RequestRouter router_{service_, work_memory_, AuthMode::kOff, AccessRules({})};
};

}  // namespace magneto::server::http
