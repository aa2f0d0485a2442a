#include "api/caller_databases.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "api/error.h"
#include "api/messages/resource_messages.h"

namespace magneto::api {
namespace {

using storage::Database;
using storage::Databases;

constexpr std::size_t kShownCharacters = 128;
constexpr std::size_t kShownDatabases = 3;
constexpr std::size_t kQuicklySearched = 256;  // databases
constexpr std::int64_t kMillisecondsBetweenLooks = 50;

// The name of a caller's database, without heap memory.
class DatabaseName {
 public:
  DatabaseName(Isolation isolation, const Caller& caller) {
    if (isolation == Isolation::kCredentials) {
      append(caller.access_key);
      append("/");
    }
    append(caller.region);
  }

  // nullopt if it is too long for a name.
  std::optional<std::string_view> view() const {
    if (size_ > bytes_.size()) return std::nullopt;
    return std::string_view(bytes_.data(), size_);
  }

 private:
  void append(std::string_view part) {
    if (part.size() <= bytes_.size() - std::min(size_, bytes_.size())) {
      std::ranges::copy(part, bytes_.begin() + static_cast<std::ptrdiff_t>(size_));
    }
    size_ += part.size();
  }

  std::array<char, Databases::kMaxNameSize> bytes_;
  std::size_t size_ = 0;
};

// Makes text from a client safe for one line of a log and for a terminal.
std::string shown(std::string_view text) {
  std::string line = "'";
  line.append(text.substr(0, kShownCharacters));
  std::ranges::replace_if(
      line, [](char c) { return c < ' ' || c > '~'; }, '?');
  if (text.size() > kShownCharacters) line += "...";
  return line + "'";
}

std::string describe(std::string_view access_key, std::string_view region) {
  return "access key " + shown(access_key) + " in region " + shown(region);
}

// Describes the callers whose tables a database holds.
std::string describe(const Database& database) {
  if (database.number() == 0) return "all callers (--isolate none, -sharedDb)";
  const std::string_view name = database.name();
  const std::size_t slash = name.rfind('/');
  if (slash == std::string_view::npos) return "region " + shown(name);
  return describe(name.substr(0, slash), name.substr(slash + 1));
}

}  // namespace

Database& CallerDatabases::find_apart(const Caller& caller) {
  const DatabaseName name(isolation_, caller);
  Database* const found = name.view() ? databases_.find(*name.view()) : nullptr;
  return found != nullptr ? *found : databases_.empty();
}

Database& CallerDatabases::make(const Caller& caller) {
  if (isolation_ == Isolation::kNone) return main_;
  const DatabaseName name(isolation_, caller);
  if (!name.view()) {
    throw ApiError(ErrorType::kLimitExceeded,
                   messages::long_caller_name(Databases::kMaxNameSize - 1));
  }
  try {
    return databases_.make(*name.view());
  } catch (const storage::TooManyDatabases&) {
    throw ApiError(ErrorType::kLimitExceeded, messages::too_many_callers(Databases::kMaxDatabases));
  }
}

bool CallerDatabases::may_look() {
  if (databases_.count() <= kQuicklySearched) return true;
  const std::int64_t now = std::chrono::duration_cast<std::chrono::milliseconds>(
                               std::chrono::steady_clock::now().time_since_epoch())
                               .count();
  std::int64_t next = next_look_.load();
  return now >= next && next_look_.compare_exchange_strong(next, now + kMillisecondsBetweenLooks);
}

void CallerDatabases::record_missing(const Caller& caller, std::string_view table_name) {
  if (!report_ || table_name.empty() || !may_look()) return;
  const std::vector<const Database*> others =
      databases_.with_table(table_name, find(caller), kShownDatabases + 1);
  if (others.empty()) return;
  std::string sentence = describe(caller.access_key, caller.region);
  sentence += " has no table " + shown(table_name) + ", but there is one of ";
  for (std::size_t i = 0; i < std::min(others.size(), kShownDatabases); ++i) {
    if (i > 0) sentence += ", of ";
    sentence += describe(*others[i]);
  }
  if (others.size() > kShownDatabases) sentence += " and of others";
  report_(sentence);
}

}  // namespace magneto::api
