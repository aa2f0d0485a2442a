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

// The result of a request.
struct PutAnswer {
  enum class Kind {
    kTaken,     // each record was taken or refused
    kNotNow,    // a retry may succeed: no answer, or invalid keys
    kRefused,   // the request itself is at fault
    kGone,      // put(): the stream does not exist
    kInactive,  // look_for(): the stream exists, but cannot be used
  };
  Kind kind = Kind::kNotNow;
  std::vector<bool> taken;  // kTaken: of each record
  std::string why;          // a sentence if not all records were taken
};

// A Kinesis endpoint: AWS's or a replacement. Each call makes one attempt. For one thread at a
// time.
class KinesisClient {
 public:
  // `url` is from parse_endpoint_url(). A call ends soon after `is_over` returns true. Throws
  // std::runtime_error with a sentence if certificates cannot be loaded.
  KinesisClient(client::EndpointUrl url, client::Environment environment,
                std::function<bool()> is_over);

  // Looks for an ACTIVE stream with that name. kTaken: it is there, or the endpoint cannot tell.
  // kNotNow: it is being created, or there is no answer. kRefused: it is missing, or access is
  // denied.
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
