#pragma once

#include <string_view>
#include <vector>

#include "server/client/endpoint/aws_profile.h"
#include "server/client/signing/signature.h"

namespace magneto::server::client {

// `fields` of `request`, a Host among them, with those that sign it as of now and the User-Agent.
// All of `fields` are signed; what `request` says of fields and of the body's hash may be left out.
std::vector<OwnedField> signed_fields(std::vector<OwnedField> fields, SignableRequest request,
                                      std::string_view body, const AwsProfile& signer,
                                      const SigningScope& scope);

}  // namespace magneto::server::client
