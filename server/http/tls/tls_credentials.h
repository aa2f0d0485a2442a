#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/tls/tls_context.h"
#include "server/http/tls/tls_identity.h"
#include "server/system/file_watch.h"

namespace magneto::server::http {

// The certificate that new connections are shown, read again within a second or two of a change of
// its files. A changed pair that cannot be used is warned of, and the one read before stays.
// Thread-safe.
class TlsCredentials {
 public:
  using Warn = std::function<void(std::string_view sentence)>;

  // Throws StartError. What is doubtful about the pair is warned of too: now, when it changes, and
  // twice a day.
  TlsCredentials(TlsFiles files, Warn warn);
  // One that stays as it is.
  explicit TlsCredentials(TlsIdentity identity);

  // For one handshake.
  TlsContext context();

 private:
  using Clock = std::chrono::steady_clock;

  // The keys of session tickets live as long as their context.
  static constexpr std::chrono::hours kContextLife{12};

  void read();
  void renew() noexcept;
  bool reload() noexcept;

  const TlsFiles files_;
  const Warn warn_;
  std::string warned_of_;  // why the last reload failed, for the watch alone
  std::mutex mutex_;       // guards identity_, context_ and made_at_
  TlsIdentity identity_;
  TlsContext context_;
  Clock::time_point made_at_;
  std::optional<system::FileWatch> watch_;  // the last member: its thread uses the others
};

}  // namespace magneto::server::http
