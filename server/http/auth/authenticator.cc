#include "server/http/auth/authenticator.h"

#include <string>
#include <string_view>

#include "server/client/signing/authorization.h"
#include "server/http/auth/strict_check.h"

namespace magneto::server::http {
namespace {

constexpr std::string_view kSymmetric = "AWS4-HMAC-SHA256";
// Signature Version 4A signs for several regions; the credential names none.
constexpr std::string_view kAsymmetric = "AWS4-ECDSA-P256-SHA256";

// The caller that a request claims, from its header or its query.
struct Claim {
  std::string_view algorithm;
  std::string_view credential;
  std::string_view region_set;  // "us-east-1,us-west-2"
  bool escaped = false;         // contains percent escapes
};

// The last header that a thread has read, up to its signature. A client repeats all but the
// signature for a day, so most headers need no second look.
class LastHeader {
 public:
  client::AuthorizationParameters read(std::string_view header) {
    const auto is_apart = [&](char separator) {
      return header.find(separator, text_.size()) == std::string_view::npos;
    };
    if (!text_.empty() && header.starts_with(text_) && is_apart(' ') && is_apart(',')) {
      return {.algorithm = header.substr(0, algorithm_),
              .credential = header.substr(credential_, credential_size_),
              .signature = header.substr(text_.size()),
              .signed_headers = {}};
    }
    const client::AuthorizationParameters parameters = client::parse_authorization(header);
    keep(header, parameters);
    return parameters;
  }

 private:
  static constexpr std::size_t kLongest = 1'024;

  void keep(std::string_view header, const client::AuthorizationParameters& parameters) {
    text_.clear();
    const std::string_view signature = parameters.signature;
    const bool is_last =
        !signature.empty() && signature.data() + signature.size() == header.data() + header.size();
    if (!is_last || parameters.credential.empty() || header.size() > kLongest) return;
    text_ = header.substr(0, header.size() - signature.size());
    algorithm_ = parameters.algorithm.size();
    credential_ = static_cast<std::size_t>(parameters.credential.data() - header.data());
    credential_size_ = parameters.credential.size();
  }

  std::string text_;            // empty: none
  std::size_t algorithm_ = 0;   // bytes
  std::size_t credential_ = 0;  // where it begins
  std::size_t credential_size_ = 0;
};

Claim read_claim(const HttpRequest& request) {
  const std::string_view header = request.get(Field::kAuthorization);
  if (!header.empty()) {
    thread_local LastHeader last;
    const client::AuthorizationParameters parameters = last.read(header);
    return {.algorithm = parameters.algorithm,
            .credential = parameters.credential,
            .region_set = request.get(Field::kRegionSet)};
  }
  const auto parameter =
      [uri = client::without_authority(request.get(Field::kUri))](std::string_view name) {
        return client::find_query_parameter(uri, name).value_or(std::string_view());
      };
  return {.algorithm = parameter("X-Amz-Algorithm"),
          .credential = parameter("X-Amz-Credential"),
          .region_set = parameter("X-Amz-Region-Set"),
          .escaped = true};
}

bool is_claim(const Claim& claim) {
  return (claim.algorithm == kSymmetric || claim.algorithm == kAsymmetric) &&
         !claim.credential.empty();
}

void apply(const Claim& claim, api::Caller& caller) {
  const bool has_region = claim.algorithm != kAsymmetric;
  const client::ClaimedScope scope =
      client::read_scope(claim.credential, has_region, claim.escaped);
  const std::string_view region =
      has_region ? scope.region : claim.region_set.substr(0, claim.region_set.find_first_of(",% "));
  // DynamoDB Local 3.1.0 treats odd regions, such as us_east_1, as an empty one.
  const bool is_local = caller.profile == api::Profile::kDynamoDbLocal;
  const bool is_odd = is_local && region.find('_') != std::string_view::npos;
  if (client::is_region(region) && !is_odd) {
    caller.region = region;
  } else if (is_local) {
    caller.region = {};
  }
  caller.access_key = scope.access_key;
  if (client::is_account(scope.access_key)) caller.account = scope.access_key;
}

}  // namespace

std::optional<client::AuthError> authenticate(AuthMode mode, const HttpRequest& request,
                                              api::Caller& caller) {
  const Claim claim = read_claim(request);
  const bool claimed = is_claim(claim);
  if (mode == AuthMode::kShape) {
    const bool in_both = !claim.escaped && client::find_query_parameter(
                                               client::without_authority(request.get(Field::kUri)),
                                               "X-Amz-Algorithm");
    // The strict check refuses a request without a claim too, with the right message.
    if (!claimed || in_both) {
      SignatureForm form;
      return check_strictly(request, form);
    }
  }
  if (claimed) apply(claim, caller);
  return std::nullopt;
}

}  // namespace magneto::server::http
