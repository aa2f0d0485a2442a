#pragma once

#include <string_view>

#include "server/client/endpoint/aws_profile.h"
#include "server/client/endpoint/endpoint_url.h"
#include "server/client/endpoint/http_connection.h"

namespace magneto::server::client {

// Finds keys for a server that may not be AWS's. They are those of `profile` if it is not empty.
// Otherwise, over TLS or on this machine, they are those that AWS's tools would find. Elsewhere, in
// clear text, they are only those of the environment, and none with a session token. A server that
// gets none of these gets an invented key, since most servers want one. Throws ProfileError for a
// named profile.
AwsProfile find_signer(const EndpointUrl& url, const Environment& environment,
                       std::string_view profile = {});

// Adds Host, the signature with the current time (Signature Version 4) and User-Agent. All fields
// before User-Agent are signed, for the signer's region and a service: "dynamodb", "s3".
void sign(HttpRequest& request, const EndpointUrl& url, const AwsProfile& signer,
          std::string_view service);

}  // namespace magneto::server::client
