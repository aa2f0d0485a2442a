#include "server/config_conflict.h"

#include <filesystem>

#include "server/control/messages.h"
#include "server/messages.h"

namespace magneto::server {
namespace {

std::string conflict_of_directories(const Config& config) {
  const std::string& folder = config.dynamodb_local_folder;
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    return messages::no_folder(folder);
  }
  if (config.sync_writes && config.data_directory.empty()) return messages::kSyncWithoutDirectory;
  return {};
}

std::string conflict_of_keys(const Config& config) {
  const bool verifies = config.auth == AuthMode::kVerify;
  if (verifies == !config.credentials_file.empty()) return {};
  return verifies ? messages::kVerifyWithoutKeys : messages::kKeysWithoutVerify;
}

std::string conflict_of_tls(const Config& config) {
  const bool has_key = !config.tls_key.empty();
  if (config.tls_self_signed) return has_key ? messages::kKeyOfSelfSigned : "";
  if (has_key == !config.tls_certificate.empty()) return {};
  return has_key ? messages::kKeyWithoutCertificate : messages::kCertificateWithoutKey;
}

std::string conflict_of_schema(const Config& config) {
  if (config.schema_files.empty()) {
    return config.schema_parameters.empty() ? "" : messages::kParametersWithoutSchema;
  }
  return config.isolation == api::Isolation::kCredentials ? messages::kSchemaOfNobody : "";
}

std::string conflict_of_control(const Config& config) {
  return config.has_control || config.control_token.empty() ? "" : messages::kTokenWithoutControl;
}

}  // namespace

std::string conflict_in(const Config& config) {
  for (const auto conflict_of : {conflict_of_directories, conflict_of_keys, conflict_of_tls,
                                 conflict_of_schema, conflict_of_control}) {
    if (std::string conflict = conflict_of(config); !conflict.empty()) return conflict;
  }
  return {};
}

}  // namespace magneto::server
