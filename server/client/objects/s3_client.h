#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/client/endpoint/aws_profile.h"
#include "server/client/endpoint/endpoint_url.h"
#include "server/client/endpoint/http_connection.h"
#include "server/client/objects/object_store.h"
#include "server/client/objects/s3_answers.h"

namespace magneto::server::client {

// The endpoint of S3, and the source of keys. All clients share it.
struct S3Location {
  EndpointUrl url;
  Environment environment;                            // read at each request
  std::shared_ptr<TrustedCertificates> certificates;  // nullptr: without TLS
};

// One bucket of an S3 endpoint, with paths ("/bucket/key") and Signature Version 4. A request that
// may succeed later is repeated with growing delays, for about a minute. One that cannot succeed
// throws ObjectError. For one thread at a time.
class S3Client {
 public:
  // The longest body that arrives: a page of 1,000 escaped keys, or a piece of an object.
  static constexpr std::size_t kPieceBytes = std::size_t{8} << 20;

  // Calls end soon after `is_over` returns true.
  S3Client(std::shared_ptr<const S3Location> place, BucketAccess access,
           std::function<bool()> is_over);

  // ListObjectsV2. `next`: S3Page::next of the previous page; empty for the first.
  S3Page list(std::string_view prefix, std::string_view next);
  // Reads `size` bytes of an object from `offset` on. Throws if the object has changed since it was
  // listed.
  std::string get(const S3Listed& object, std::uint64_t offset, std::size_t size);
  void put(const std::string& key, std::string_view body);
  // Makes only one attempt.
  void remove(const std::string& key);

 private:
  struct Query {
    std::string_view method;
    std::string key{};         // empty: the bucket
    std::string parameters{};  // escaped, in the order in which they are sent
    std::vector<OwnedField> fields{};
    std::string_view body{};
    bool repeats = true;
  };

  HttpAnswer call(const Query& query);
  HttpAnswer attempt(const Query& query);
  [[noreturn]] void fail(const Query& query, const HttpAnswer& answer) const;

  const std::shared_ptr<const S3Location> place_;
  const BucketAccess access_;
  const std::function<bool()> is_over_;
  HttpConnection connection_;
};

}  // namespace magneto::server::client
