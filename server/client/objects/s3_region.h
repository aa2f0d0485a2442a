#pragma once

#include <string>
#include <string_view>

namespace magneto::server::client {

// The region that requests to an S3 endpoint are signed for: what AWS's host name tells
// ("s3.eu-west-1.amazonaws.com", "s3-eu-west-1.amazonaws.com", "vpce-1a2b.s3.eu-west-1.vpce.amazonaws.com"; AWS General Reference, "Amazon S3
// endpoints"), else that of the profile, else S3's first. `host` is in lower case.
std::string s3_region(std::string_view host, std::string_view profile_region);

}  // namespace magneto::server::client
