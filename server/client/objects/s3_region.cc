#include "server/client/objects/s3_region.h"

#include <algorithm>

namespace magneto::server::client {
namespace {

constexpr std::string_view kFirstRegion = "us-east-1";
constexpr std::string_view kDomains[] = {".amazonaws.com", ".amazonaws.com.cn", ".api.aws"};

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "eu-west-1", "us-gov-east-1"; not "external-1".
bool is_region(std::string_view label) {
  if (label.find('-') != 2 || !is_letter(label[0]) || !is_letter(label[1])) return false;
  const std::string_view direction =
      label.substr(3, label.rfind('-') - std::min<std::size_t>(3, label.rfind('-')));
  const std::string_view number = label.substr(label.rfind('-') + 1);
  return !direction.empty() && !number.empty() && std::ranges::all_of(number, is_digit) &&
         std::ranges::all_of(direction, [](char c) { return is_letter(c) || c == '-'; });
}

// Returns the last label that is a region; empty if there is none.
std::string_view region_in(std::string_view host) {
  while (!host.empty()) {
    const std::size_t dot = host.rfind('.');
    std::string_view label = host.substr(dot == std::string_view::npos ? 0 : dot + 1);
    if (label.starts_with("s3-")) label.remove_prefix(3);
    if (label.starts_with("fips-")) label.remove_prefix(5);
    if (is_region(label)) return label;
    host = host.substr(0, dot == std::string_view::npos ? 0 : dot);
  }
  return {};
}

}  // namespace

std::string s3_region(std::string_view host, std::string_view profile_region) {
  if (host.ends_with('.')) host.remove_suffix(1);
  for (const std::string_view domain : kDomains) {
    if (!host.ends_with(domain)) continue;
    const std::string_view region = region_in(host.substr(0, host.size() - domain.size()));
    if (!region.empty()) return std::string(region);
  }
  return std::string(profile_region.empty() ? kFirstRegion : profile_region);
}

}  // namespace magneto::server::client
