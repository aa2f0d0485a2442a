#include "server/http/tls/tls_credentials.h"

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "server/http/tls/messages.h"
#include "server/system/log.h"

namespace magneto::server::http {

TlsCredentials::TlsCredentials(TlsFiles files, Warn warn)
    : files_(std::move(files)), warn_(std::move(warn)) {
  watch_.emplace(std::vector<std::string>{files_.certificate, files_.key});
  read();
  watch_->start([this] { return reload(); });
}

TlsCredentials::TlsCredentials(TlsIdentity identity)
    : identity_(std::move(identity)), context_(make_context(identity_)), made_at_(Clock::now()) {}

TlsContext TlsCredentials::context() {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (now - made_at_ >= kContextLife) {
    made_at_ = now;
    renew();
  }
  return context_;
}

// Makes a new context. If that fails, for example without memory, the previous one stays in use.
void TlsCredentials::renew() noexcept {
  try {
    context_ = make_context(identity_);
    if (!warn_) return;
    for (const std::string& doubt : doubts_about(identity_, files_)) warn_(doubt);
  } catch (const std::exception& error) {
    system::log_sparsely(system::LogSource::kConnections, system::LogLevel::kWarning, error.what());
  }
}

void TlsCredentials::read() {
  TlsIdentity identity = load_identity(files_);
  TlsContext context = make_context(identity);
  for (const std::string& doubt : doubts_about(identity, files_)) warn_(doubt);
  const std::lock_guard lock(mutex_);
  identity_ = std::move(identity);
  context_ = std::move(context);
  made_at_ = Clock::now();
}

// Returns whether the files are in use now. Warns once of a repeated failure.
bool TlsCredentials::reload() noexcept {
  try {
    read();
    warned_of_.clear();
    return true;
  } catch (const std::exception& error) {
    if (warned_of_ != error.what()) warn_(messages::kKeptCertificate(error.what()));
    warned_of_ = error.what();
    return false;
  }
}

}  // namespace magneto::server::http
