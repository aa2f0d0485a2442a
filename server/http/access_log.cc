#include "server/http/access_log.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include "api/error.h"
#include "api/times.h"
#include "server/client/signing/authorization.h"
#include "server/http/listen_messages.h"
#include "server/http/listen_socket.h"
#include "server/http/remote_address.h"
#include "server/system/log.h"
#include "server/system/log_messages.h"
#include "server/system/start_error.h"

namespace magneto::server::http {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatienceAtTheEnd{1000};
constexpr int kPollMilliseconds = 100;
// POSIX: writing this many bytes to a writable pipe does not block.
constexpr std::size_t kPipeBytes = PIPE_BUF;

// Appends a JSON string of a text with any bytes. Each byte that is not printable ASCII becomes
// U+FFFD, since a terminal may take some of them for commands.
void append_text(std::string_view text, std::string& line) {
  text = text.substr(0, AccessLog::kLongestText);
  line += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '"' || byte == '\\') {
      line += '\\';
      line += text[i];
    } else if (byte >= 0x20 && byte < 0x7F) {
      line += text[i];
    } else if (byte < 0x80) {
      constexpr char kDigits[] = "0123456789abcdef";
      line.append("\\u00").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
    } else {
      line += "\\ufffd";
    }
  }
  line += '"';
}

template <typename Number>
void append_number(Number number, std::string& line) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  line.append(digits.data(), end);
}

void append_key(std::string_view key, std::string& line) {
  line += line.size() == 1 ? "\"" : ",\"";
  line.append(key).append("\":");
}

void append_member(std::string_view key, std::string_view text, std::string& line) {
  append_key(key, line);
  append_text(text, line);
}

template <typename Number>
void append_count(std::string_view key, Number number, std::string& line) {
  append_key(key, line);
  append_number(number, line);
}

// The access key that the request claims, verified or not.
std::string access_key_of(const HttpRequest& request) {
  if (request.has(Field::kAuthorization)) {
    const auto parameters = client::parse_authorization(request.get(Field::kAuthorization));
    return std::string(client::read_scope(parameters.credential, true, false).access_key);
  }
  const std::string_view uri = client::without_authority(request.get(Field::kUri));
  const auto credential = client::find_query_parameter(uri, "X-Amz-Credential");
  return credential ? client::unescape(client::read_scope(*credential, true, true).access_key)
                    : std::string();
}

std::string_view operation_of(const Route& route) {
  if (route.kind != Route::Kind::kOperation) return {};
  return route.operation == nullptr ? "(unknown)" : route.operation->name;
}

std::string_view method_of(Method method) {
  switch (method) {
    case Method::kPost:
      return "POST";
    case Method::kGet:
      return "GET";
    case Method::kHead:
      return "HEAD";
    case Method::kOptions:
      return "OPTIONS";
    case Method::kPut:
      return "PUT";
    case Method::kDelete:
      return "DELETE";
    case Method::kOther:
      break;
  }
  return "other";
}

void append_report(const api::CallReport& report, std::string& line) {
  if (report.error()) {
    const std::string_view name = api::error_info(*report.error()).name;
    append_member("error", name.substr(name.rfind('#') + 1), line);
  }
  if (report.size() == 0) return;
  double read = 0;
  double written = 0;
  append_key("tables", line);
  for (std::size_t i = 0; i < report.size(); ++i) {
    const api::CallReport::Use use = report.use(i);
    line += i == 0 ? '[' : ',';
    append_text(use.table, line);
    read += use.read_units;
    written += use.write_units;
  }
  line += ']';
  append_count("read_units", read, line);
  append_count("write_units", written, line);
}

std::uint64_t count_lines(std::string_view lines) {
  return static_cast<std::uint64_t>(std::ranges::count(lines, '\n'));
}

bool is_regular(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

int open_to_append(const std::string& path) {
  // O_NONBLOCK: do not wait for the reader of a named pipe.
  return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
}

}  // namespace

std::string access_log_line(const FinishedRequest& finished) {
  std::string line = "{";
  append_member("time", api::time_text(std::chrono::system_clock::now()), line);
  append_member("request_id", finished.id, line);
  append_member("remote", remote_address(finished.descriptor), line);
  append_member("access_key", access_key_of(finished.request), line);
  if (const std::string_view operation = operation_of(finished.route); !operation.empty()) {
    append_member("operation", operation, line);
  } else {
    append_member("method", method_of(finished.request.method), line);
    const std::string_view uri = finished.request.get(Field::kUri);
    append_member("path", uri.substr(0, uri.find('?')), line);
  }
  append_count("status", finished.response.status, line);
  append_report(finished.response.report, line);
  append_count("bytes_in", finished.bytes_in, line);
  append_count("bytes_out", finished.bytes_out, line);
  append_count("duration_us",
               std::chrono::duration_cast<std::chrono::microseconds>(finished.duration).count(),
               line);
  return line += "}\n";
}

AccessLog::AccessLog(std::string path) : path_(std::move(path)) {
  file_ = system::Descriptor(is_file() ? open_to_append(path_)
                                       : ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
  if (file_.get() < 0) {
    throw system::StartError(messages::kAccessLogFailed(path_, std::strerror(errno)));
  }
  thread_ = std::thread([this] { run(); });
}

AccessLog::~AccessLog() {
  {
    const std::lock_guard lock(mutex_);
    deadline_ = std::chrono::steady_clock::now() + kPatienceAtTheEnd;
    ends_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void AccessLog::note(const FinishedRequest& finished) { push(access_log_line(finished)); }

void AccessLog::push(const std::string& line) {
  {
    const std::lock_guard lock(mutex_);
    if (queued_.size() + line.size() <= kMostQueued) {
      queued_ += line;
      if (queued_.size() > line.size()) return;  // the thread has been notified already
    } else {
      ++lost_;
      return;
    }
  }
  changed_.notify_one();
}

void AccessLog::reopen() {
  {
    const std::lock_guard lock(mutex_);
    reopens_ = true;
  }
  changed_.notify_one();
}

void AccessLog::run() {
  std::string lines;
  for (;;) {
    bool reopens = false;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ends_ || reopens_ || !queued_.empty(); });
      if (ends_ && queued_.empty()) return;
      lines.clear();
      lines.swap(queued_);
      reopens = std::exchange(reopens_, false);
    }
    write(lines);
    if (reopens) open_anew();
  }
}

// Keeps the old file if the new one cannot be opened.
void AccessLog::open_anew() {
  system::Descriptor file(open_to_append(path_));
  if (file.get() < 0) {
    system::log_sparsely(system::LogSource::kAccessLog, system::LogLevel::kWarning,
                         system::messages::kAccessLogStays(path_, std::strerror(errno)));
    return;
  }
  file_ = std::move(file);
  ends_in_line_ = true;
}

void AccessLog::lose(std::uint64_t lines) {
  lost_ += lines;
  system::log_sparsely(system::LogSource::kAccessLog, system::LogLevel::kWarning,
                       system::messages::kAccessLogLost(std::strerror(errno)));
}

void AccessLog::write(const std::string& lines) {
  std::string_view rest = lines;
  if (!ends_in_line_) {
    // A full disk cut the last line short. End it first, so that the next line stands alone.
    std::string_view end = "\n";
    while (!end.empty() && write_some(end)) {
    }
    if (!end.empty()) return lose(count_lines(lines));
    ends_in_line_ = true;
  }
  while (!rest.empty()) {
    if (!write_some(rest)) break;
  }
  const std::size_t taken = lines.size() - rest.size();
  if (taken != 0) ends_in_line_ = lines[taken - 1] == '\n';
  const std::uint64_t lost = count_lines(rest);
  written_ += count_lines(lines) - lost;
  if (lost != 0) lose(lost);
}

// Writes the first part of `rest`, unless the server is ending and no time is left. False on
// failure, with the reason in errno.
bool AccessLog::write_some(std::string_view& rest) {
  if (is_too_late()) {
    errno = ETIMEDOUT;
    return false;
  }
  std::size_t size = rest.size();
  if (!is_regular(file_.get())) {
    if (!wait_until_writable()) return false;
    size = std::min(size, kPipeBytes);
  }
  const ssize_t written = ::write(file_.get(), rest.data(), size);
  if (written < 0) return errno == EINTR || errno == EAGAIN;
  rest.remove_prefix(static_cast<std::size_t>(written));
  return true;
}

bool AccessLog::is_too_late() const {
  return ends_ && std::chrono::steady_clock::now() >= deadline_;
}

// False if no time is left, with errno set.
bool AccessLog::wait_until_writable() const {
  pollfd state{file_.get(), POLLOUT, 0};
  while (::poll(&state, 1, kPollMilliseconds) <= 0) {
    if (!is_too_late()) continue;
    errno = ETIMEDOUT;
    return false;
  }
  return true;
}

}  // namespace magneto::server::http
