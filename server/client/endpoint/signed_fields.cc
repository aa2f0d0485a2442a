#include "server/client/endpoint/signed_fields.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace magneto::server::client {

std::vector<OwnedField> signed_fields(std::vector<OwnedField> fields, SignableRequest request,
                                      std::string_view body, const AwsProfile& signer,
                                      const SigningScope& scope) {
  std::vector<HeaderField> views;
  views.reserve(fields.size());
  for (const OwnedField& field : fields) views.push_back({field.name, field.value});
  request.fields = views;
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  std::vector<OwnedField> added = sign_request(
      request, body, {signer.access_key, signer.secret_key, signer.session_token}, scope, now);
  std::ranges::move(added, std::back_inserter(fields));
  fields.push_back({"User-Agent", "magneto/" MAGNETO_VERSION});
  return fields;
}

}  // namespace magneto::server::client
