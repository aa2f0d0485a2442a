#include "server/bulk/import/import_errors.h"

#include <cerrno>
#include <system_error>

#include "server/formats/byte_source.h"
#include "server/formats/messages.h"
#include "server/system/utf8.h"

namespace magneto::server::bulk {
namespace {

// The limit for an endpoint's message about an item; AWS's messages repeat values.
constexpr std::size_t kMaxProblem = 8 << 10;

}  // namespace

ImportErrors::ImportErrors(const std::string& file, std::uint64_t most, std::uint64_t most_written)
    : file_(file), most_(most), most_written_(most_written) {
  if (file.empty()) return;
  log_.open(file, std::ios::trunc);
  if (!log_.is_open()) {
    throw formats::TransferFileError(
        formats::messages::kUnwritableTarget(file, std::generic_category().message(errno)));
  }
}

void ImportErrors::add(std::string_view file, std::size_t line, std::string_view problem) {
  add(formats::messages::kAtRecord(file, line, system::sanitize_for_log(problem, kMaxProblem)));
}

void ImportErrors::add(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const bool is_written = count() < most_written_;
  if (is_written && log_.is_open() && !(log_ << text << std::endl) && !is_over()) {
    first_ = formats::messages::kUnwritableTarget(file_, std::generic_category().message(errno));
    over_ = true;
  }
  if (first_.empty()) first_ = text;
  if (count_.fetch_add(1, std::memory_order_relaxed) == most_ && !is_over()) {
    first_ = text;
    over_ = true;
  }
}

void ImportErrors::fail(std::string_view problem) {
  const std::lock_guard lock(mutex_);
  if (!is_over()) first_ = problem;
  over_ = true;
}

std::string ImportErrors::first() const {
  const std::lock_guard lock(mutex_);
  return first_;
}

}  // namespace magneto::server::bulk
