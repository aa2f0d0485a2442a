#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "api/json/json_reader.h"
#include "server/client/endpoint/local_endpoint.h"
#include "tests/api/test_service.h"
#include "tests/server/tools/table_items.h"

namespace magneto::server::tools {

// An endpoint in this process with its own tables.
class CopySide {
 public:
  explicit CopySide(const std::string& name)
      : endpoint(client::OpenService(client::OpenService(), &service.service()), name) {}

  std::string succeed(std::string_view operation, const std::string& body) {
    return service.succeed(operation, body);
  }

  // Canonical items, by Scan.
  std::multiset<std::string> items(const std::string& table) { return scan_items(service, table); }

  api::TestService service;
  client::LocalEndpoint endpoint;
};

// An endpoint that asks before each call what becomes of it.
class FaultyEndpoint : public client::Endpoint {
 public:
  enum class Fate {
    kWell,
    kTwice,      // the answer of the first attempt got lost
    kPart,       // BatchWriteItem: half of its requests stay unprocessed
    kLost,       // carried out, but every answer got lost
    kFault,      // 500, without an attempt
    kForgotten,  // acknowledged, but not carried out
    kExpired,    // the iterator
    kTrimmed,    // the records
    kLimited,    // no more calls of this kind for the moment
  };
  using Decide = std::function<Fate(std::string_view operation)>;

  FaultyEndpoint(const client::Endpoint& real, Decide decide)
      : real_(real.another()), decide_(std::move(decide)) {}

  std::unique_ptr<client::Endpoint> another() const override {
    return std::make_unique<FaultyEndpoint>(*real_, decide_);
  }
  const std::string& name() const override { return real_->name(); }

  client::Outcome call(std::string_view operation, std::string& body) override {
    switch (decide_(operation)) {
      case Fate::kTwice:
        real_->call(operation, body);
        return real_->call(operation, body);
      case Fate::kPart:
        return operation == "BatchWriteItem" ? write_part(body) : real_->call(operation, body);
      case Fate::kLost:
        real_->call(operation, body);
        return client::no_answer("the connection was lost", true);
      case Fate::kFault:
        return client::read_outcome(500, R"({"__type":"InternalServerError","message":"no"})");
      case Fate::kForgotten:
        return client::read_outcome(200, R"({"UnprocessedItems":{}})");
      case Fate::kExpired:
        return client::read_outcome(400,
                                    R"({"__type":"ExpiredIteratorException","message":"old"})");
      case Fate::kTrimmed:
        return client::read_outcome(400,
                                    R"({"__type":"TrimmedDataAccessException","message":"old"})");
      case Fate::kLimited:
        return client::read_outcome(400, R"({"__type":"LimitExceededException","message":"many"})");
      case Fate::kWell:
        break;
    }
    return real_->call(operation, body);
  }

 private:
  client::Outcome write_part(std::string& body) {
    api::json::Document document;
    std::string text = body;
    const auto request = document.parse(text).value_or(api::json::Value());
    std::string done;
    std::string left;
    std::string table;
    std::size_t number = 0;
    for (const auto [name, list] : request.object().find("RequestItems").object()) {
      table = name;
      for (const auto one : list.array()) {
        std::string& half = number++ % 2 == 0 ? done : left;
        if (!half.empty()) half += ',';
        append_compact(one, half);
      }
    }
    if (left.empty()) return real_->call("BatchWriteItem", body);
    done = R"({"RequestItems":{")" + table + "\":[" + done + "]}}";
    const client::Outcome outcome = real_->call("BatchWriteItem", done);
    if (!outcome.succeeded()) return outcome;
    return client::read_outcome(200, R"({"UnprocessedItems":{")" + table + "\":[" + left + "]}}");
  }

  const std::unique_ptr<client::Endpoint> real_;
  const Decide decide_;
};

}  // namespace magneto::server::tools
