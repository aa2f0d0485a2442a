#pragma once

#include <string>
#include <string_view>

namespace magneto::server::client {

// Returns the region for the signatures of requests to an S3 endpoint. It is the region in AWS's
// host name (AWS General Reference, "Amazon S3 endpoints"), else the profile's, else S3's first.
// `host` is in lower case: "s3.eu-west-1.amazonaws.com", "s3-eu-west-1.amazonaws.com",
// "vpce-1a2b.s3.eu-west-1.vpce.amazonaws.com".
std::string s3_region(std::string_view host, std::string_view profile_region);

}  // namespace magneto::server::client
