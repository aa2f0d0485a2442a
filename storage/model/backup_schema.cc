#include "storage/model/backup_schema.h"

namespace magneto::storage {
namespace {

constexpr std::string_view kResource = "/backup/";
constexpr std::size_t kTimeDigits = 14;
constexpr std::size_t kRandomDigits = 8;
constexpr std::string_view kDecimal = "0123456789";
constexpr std::string_view kHexadecimal = "0123456789abcdef";

std::string digits_of(std::uint64_t value, std::size_t count, std::string_view digits) {
  std::string text(count, '0');
  for (std::size_t i = count; i > 0 && value != 0; value /= digits.size()) {
    text[--i] = digits[value % digits.size()];
  }
  return text;
}

bool consists_of(std::string_view text, std::string_view digits) {
  return text.find_first_not_of(digits) == std::string_view::npos;
}

}  // namespace

std::string BackupSchema::arn() const { return table.arn().append(kResource).append(id); }

std::string backup_id(std::int64_t created, std::uint32_t random) {
  return digits_of(static_cast<std::uint64_t>(created), kTimeDigits, kDecimal) + "-" +
         digits_of(random, kRandomDigits, kHexadecimal);
}

std::string_view backup_id_in(std::string_view arn) {
  const std::size_t resource = arn.rfind(kResource);
  if (resource == std::string_view::npos) return {};
  const std::string_view id = arn.substr(resource + kResource.size());
  if (id.size() != kTimeDigits + 1 + kRandomDigits || id[kTimeDigits] != '-') return {};
  const bool is_one = consists_of(id.substr(0, kTimeDigits), kDecimal) &&
                      consists_of(id.substr(kTimeDigits + 1), kHexadecimal);
  return is_one ? id : std::string_view();
}

}  // namespace magneto::storage
