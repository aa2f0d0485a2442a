#include "server/main/config_conflict.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/admin/messages.h"
#include "server/client/endpoint/endpoint_url.h"
#include "server/client/objects/messages.h"
#include "server/feeds/delivery/messages.h"
#include "server/system/command_line_messages.h"

namespace magneto::server::main {
namespace {

// The real path, with a slash at its end.
std::string real_folder(const std::string& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  std::string real = std::filesystem::weakly_canonical(absolute, error);
  if (error) real = absolute;
  return real.ends_with('/') ? real : real + "/";
}

// Whether one folder contains the other.
bool do_overlap(const std::string& one, const std::string& other) {
  if (other.empty()) return false;
  const std::string a = real_folder(one);
  const std::string b = real_folder(other);
  return a.starts_with(b) || b.starts_with(a);
}

std::string conflict_of_directories(const Config& config) {
  const std::string& folder = config.dynamodb_local_folder;
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    return system::messages::kNoFolder(folder);
  }
  if (!config.objects_folder.empty()) {
    if (!std::filesystem::is_directory(config.objects_folder)) {
      return system::messages::kNoObjectsFolder(config.objects_folder);
    }
    if (do_overlap(config.objects_folder, config.data_directory)) {
      return system::messages::kObjectsAmongData;
    }
  }
  if (!config.store.empty()) return {};
  if (!config.data_directory.empty()) return {};
  if (config.sync_writes) return system::messages::kSyncWithoutDirectory;
  return config.memory_budget_megabytes ? system::messages::kBudgetWithoutDirectory : "";
}

std::string conflict_of_store(const Config& config) {
  if (config.store.empty()) {
    if (!config.store_password_file.empty()) return system::messages::kPasswordWithoutStore;
    if (config.shares_store) return system::messages::kSharedWithoutStore;
    if (config.relays) return system::messages::kRelayWithoutStore;
    return config.advertise_address.empty() ? "" : system::messages::kAddressWithoutStore;
  }
  if (!config.data_directory.empty()) return system::messages::kStoreWithDirectory;
  const std::string& address = config.advertise_address;
  if (!address.empty() &&
      (address.ends_with('/') || !client::parse_endpoint_url("http://" + address))) {
    return system::messages::kNotAnAddress(address);
  }
  return config.sync_writes ? system::messages::kStoreWithSync : "";
}

// One server of several cannot do this for the others.
std::string conflict_of_sharing(const Config& config) {
  if (!config.shares_store) return {};
  const std::pair<bool, std::string_view> flags[] = {
      {config.relays, "--relay"},
      {config.global_index_delay.has_value(), "--gsi-delay-ms"},
      {config.replication_delay.has_value(), "--replication-delay-ms"},
      {!config.schema_files.empty(), "--schema"}};
  for (const auto& [is_given, flag] : flags) {
    if (is_given) return system::messages::kNotWithShared(flag);
  }
  return {};
}

std::string conflict_of_browser(const Config& config) {
  if (config.browser_folder.empty()) return {};
  if (!config.has_browser) return system::messages::kPageWithoutBrowser;
  const bool is_page = std::filesystem::exists(config.browser_folder + "/index.html");
  return is_page ? "" : system::messages::kNoPageFolder(config.browser_folder);
}

std::string conflict_of_replicas(const Config& config) {
  const bool has_replicas = config.isolation == api::Isolation::kRegion;
  return config.replication_delay && !has_replicas ? system::messages::kDelayWithoutReplicas : "";
}

std::string conflict_of_endpoints(const Config& config) {
  const auto is_wrong = [](const std::string& endpoint) {
    return !endpoint.empty() && !client::parse_endpoint_url(endpoint);
  };
  if (is_wrong(config.kinesis_endpoint))
    return feeds::messages::kNoKinesisUrl(config.kinesis_endpoint);
  if (is_wrong(config.s3_endpoint)) return client::messages::kNoS3Url(config.s3_endpoint);
  const bool has_both = !config.s3_endpoint.empty() && !config.objects_folder.empty();
  return has_both ? client::messages::kTwoPlacesOfObjects : "";
}

std::string conflict_of_keys(const Config& config) {
  const bool verifies = config.sessions.auth == http::AuthMode::kVerify;
  if (!verifies && !config.iam_file.empty()) return system::messages::kIdentitiesWithoutVerify;
  if (verifies == !config.credentials_file.empty()) return {};
  return verifies ? system::messages::kVerifyWithoutKeys : system::messages::kKeysWithoutVerify;
}

std::string conflict_of_tls(const Config& config) {
  const bool has_key = !config.tls_key.empty();
  if (config.tls_self_signed) return has_key ? system::messages::kKeyOfSelfSigned : "";
  if (has_key == !config.tls_certificate.empty()) return {};
  return has_key ? system::messages::kKeyWithoutCertificate
                 : system::messages::kCertificateWithoutKey;
}

std::string conflict_of_schema(const Config& config) {
  if (config.schema_files.empty()) {
    return config.schema_parameters.empty() ? "" : system::messages::kParametersWithoutSchema;
  }
  return config.isolation == api::Isolation::kCredentials ? system::messages::kSchemaOfNobody : "";
}

std::string conflict_of_control(const Config& config) {
  return config.has_control || config.control_token.empty() ? ""
                                                            : admin::messages::kTokenWithoutControl;
}

}  // namespace

std::string conflict_in(const Config& config) {
  for (const auto conflict_of :
       {conflict_of_store, conflict_of_sharing, conflict_of_directories, conflict_of_endpoints,
        conflict_of_keys, conflict_of_tls, conflict_of_replicas, conflict_of_schema,
        conflict_of_control, conflict_of_browser}) {
    if (std::string conflict = conflict_of(config); !conflict.empty()) return conflict;
  }
  return {};
}

}  // namespace magneto::server::main
