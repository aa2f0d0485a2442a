#include "server/client/endpoint/aws_request.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>
#include <vector>

namespace magneto::server::client {
namespace {

constexpr std::string_view kInventedKey = "magneto";

// Returns the user's keys and region. The keys are empty if the server must not get any.
AwsProfile find_users_keys(const EndpointUrl& url, const Environment& environment) {
  AwsProfile found;
  try {
    found = find_aws_profile({}, environment);
  } catch (const ProfileError&) {
    return {};  // only AWS needs them
  }
  if (url.tls || url.is_loopback()) return found;
  // Without TLS, uses keys only if they are permanent and from the environment.
  if (environment("AWS_ACCESS_KEY_ID") && found.session_token.empty()) return found;
  AwsProfile region_alone;
  region_alone.region = found.region;
  return region_alone;
}

}  // namespace

AwsProfile find_signer(const EndpointUrl& url, const Environment& environment,
                       std::string_view profile) {
  AwsProfile signer =
      profile.empty() ? find_users_keys(url, environment) : find_aws_profile(profile, environment);
  if (signer.access_key.empty()) signer.access_key = signer.secret_key = kInventedKey;
  return signer;
}

void sign(HttpRequest& request, const EndpointUrl& url, const AwsProfile& signer,
          std::string_view service) {
  const HexDigits body_hash(sha256(request.body));
  const bool is_of_s3 = service == "s3";
  std::vector<OwnedField> fields = {{"Host", url.host_field()}};
  if (is_of_s3) fields.push_back({"X-Amz-Content-Sha256", std::string(body_hash.view())});
  std::ranges::move(request.fields, std::back_inserter(fields));
  std::vector<HeaderField> views;
  views.reserve(fields.size());
  for (const OwnedField& field : fields) views.push_back({field.name, field.value});
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  std::vector<OwnedField> added =
      sign_request({.method = request.method,
                    .uri = request.target,
                    .fields = views,
                    .body_hash = body_hash.view(),
                    .is_of_s3 = is_of_s3},
                   request.body, {signer.access_key, signer.secret_key, signer.session_token},
                   {.date{}, .region = signer.region, .service = service}, now);
  std::ranges::move(added, std::back_inserter(fields));
  fields.push_back({"User-Agent", "magneto/" MAGNETO_VERSION});
  request.fields = std::move(fields);
}

}  // namespace magneto::server::client
