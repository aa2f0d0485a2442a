#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/client/endpoint/aws_profile.h"
#include "server/client/endpoint/endpoint.h"
#include "server/client/endpoint/http_connection.h"
#include "server/feeds/delivery/ordered_records.h"

namespace magneto::server::feeds {

// What came of a request.
struct PutAnswer {
  enum class Kind {
    kTaken,     // each record was, or was not
    kNotNow,    // it may be later: nobody answers, keys are not good
    kRefused,   // because of what was sent
    kGone,      // put(): there is no such stream
    kInactive,  // look_for(): there is one, which will not be of use
  };
  Kind kind = Kind::kNotNow;
  std::vector<bool> taken;  // kTaken: of each record
  std::string why;          // that not all was taken: a sentence
};

// A Kinesis endpoint: AWS's, or what stands in for it. One attempt for each call. For one thread at a
// time.
class KinesisClient {
 public:
  // `url` as parse_endpoint_url() takes it. A call ends soon once `is_over` says so. Throws
  // std::runtime_error, a sentence, where certificates cannot be had.
  KinesisClient(client::EndpointUrl url, client::Environment environment,
                std::function<bool()> is_over);

  // Whether there is such a stream, and it is ACTIVE; kTaken: it is, or nobody can tell; kNotNow: it
  // is being made, or nobody answers.
  PutAnswer look_for(const std::string& stream, std::string_view region);
  PutAnswer put(const std::string& stream, std::string_view region, const OrderedRecords& records,
                const std::vector<std::size_t>& places);

 private:
  client::Outcome call(std::string_view operation, std::string_view region,
                       const std::string& body);

  const client::EndpointUrl url_;
  const std::string name_;
  const client::Environment environment_;
  const std::function<bool()> is_over_;
  client::HttpConnection connection_;
};

}  // namespace magneto::server::feeds
