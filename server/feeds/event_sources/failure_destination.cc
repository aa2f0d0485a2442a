#include "server/feeds/event_sources/failure_destination.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/feeds/event_sources/function_answer.h"
#include "server/feeds/event_sources/messages.h"
#include "server/system/descriptor.h"
#include "server/system/file_messages.h"
#include "server/system/utf8.h"

namespace magneto::server::feeds {
namespace {

constexpr std::size_t kLongestAnswer = std::size_t{1} << 20;  // only its beginning is kept
constexpr std::size_t kLongestReason = 300;
constexpr client::ClientTimeouts kTimeouts{std::chrono::seconds(3), std::chrono::seconds(30)};

std::string name_of(const FailureTarget& target) {
  return target.url ? target.url->text() + target.url_path : target.file;
}

std::string why_now() { return std::generic_category().message(errno); }

// Returns false with errno set on failure.
bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Held while a mapping writes the file. Otherwise, a mapping that removes its own incomplete line
// could remove another's. Several files share a mutex.
std::mutex& mutex_of(const std::string& path) {
  static std::array<std::mutex, 64> mutexes;
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, error);
  return mutexes[std::hash<std::string>()(error ? path : real.string()) % mutexes.size()];
}

}  // namespace

FailureDestination::FailureDestination(const FailureTarget& target, ConnectionPool& pool,
                                       std::function<bool()> is_over)
    : target_(target), pool_(pool), is_over_(std::move(is_over)), name_(name_of(target)) {}

std::optional<std::string> FailureDestination::keep(const std::string& record) {
  if (is_nowhere()) return std::nullopt;
  return target_.url ? post(record) : append(record + "\n");
}

std::optional<std::string> FailureDestination::try_file() {
  return target_.file.empty() ? std::nullopt : append({});
}

// If a full disk took only part of a line, that part is removed, so that no line is cut.
std::optional<std::string> FailureDestination::append(std::string line) {
  const std::lock_guard lock(mutex_of(target_.file));
  const system::Descriptor file(
      ::open(target_.file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600));
  struct stat about {};
  if (file.get() < 0 || ::fstat(file.get(), &about) != 0) return why_now();
  if (!S_ISREG(about.st_mode)) return std::string(system::messages::kNoRegularFile);
  if (line.empty()) return std::nullopt;
  if (write_all(file.get(), line) && ::fsync(file.get()) == 0) return std::nullopt;
  std::string why = why_now();
  if (::ftruncate(file.get(), about.st_size) != 0) why.append("; ").append(why_now());
  return why;
}

std::optional<std::string> FailureDestination::post(const std::string& record) {
  const client::HttpRequest request{.target = target_.url_path,
                                    .fields = {{"Host", target_.url->host_field()},
                                               {"Content-Type", "application/json"},
                                               {"User-Agent", "magneto/" MAGNETO_VERSION}},
                                    .body = record,
                                    .resends = false};
  try {
    ConnectionPool::Use use(pool_, {*target_.url, kTimeouts, kLongestAnswer});
    AnswerBeginning said;
    const client::HttpAnswer answer = use.connection().send(request, is_over_, said);
    if (answer.status >= 200 && answer.status <= 299) return std::nullopt;
    return messages::kInvocationStatus(answer.status,
                                       system::sanitize_for_log(said.text(), kLongestReason));
  } catch (const std::runtime_error& error) {  // ConnectionError, or no descriptor is free
    return error.what();
  }
}

}  // namespace magneto::server::feeds
