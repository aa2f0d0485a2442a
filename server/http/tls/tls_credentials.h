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

// The certificate for new connections. It is read again within a second or two after its files
// change. If a changed pair cannot be used, a warning says so, and the previous one stays.
// Thread-safe.
class TlsCredentials {
 public:
  using Warn = std::function<void(std::string_view sentence)>;

  // Throws StartError. Also warns about doubts about a usable pair: now, when it changes, and twice
  // a day.
  TlsCredentials(TlsFiles files, Warn warn);
  // Uses an identity that does not change.
  explicit TlsCredentials(TlsIdentity identity);

  // Returns the context for one handshake.
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
  std::string warned_of_;  // the cause of the last failed reload; for the watch only
  std::mutex mutex_;       // guards identity_, context_ and made_at_
  TlsIdentity identity_;
  TlsContext context_;
  Clock::time_point made_at_;
  std::optional<system::FileWatch> watch_;  // the last member: its thread uses the others
};

}  // namespace magneto::server::http
