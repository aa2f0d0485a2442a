#include "server/system/command_line_checks.h"

#include <charconv>
#include <system_error>

#include "server/system/command_line_messages.h"

namespace magneto::server::system {

CLI::Validator not_empty() {
  const auto check = [](const std::string& text) {
    return text.empty() ? std::string(messages::kEmptyValue) : std::string();
  };
  return {check, {}};
}

CLI::Validator whole_number(std::uint64_t lowest, std::uint64_t highest) {
  const auto check = [=](const std::string& text) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && stop == end && number >= lowest && number <= highest) {
      return std::string();
    }
    return messages::kNotANumber(lowest, highest, text);
  };
  return {check, {}};
}

CLI::Validator quantity(double lowest, double highest) {
  const auto check = [=](const std::string& text) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && stop == end && number >= lowest && number <= highest) {
      return std::string();
    }
    return messages::not_a_quantity(lowest, highest, text);
  };
  return {check, {}};
}

CLI::Validator list_of(Canonical canonical, const std::string& what) {
  const auto check = [=](const std::string& text) {
    for (const std::string& part : parts_of(text)) {
      if (!canonical(part)) return messages::kNotAList(what, part);
    }
    return std::string();
  };
  return {check, {}};
}

CLI::Validator parameter_name() {
  const auto check = [](const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos && equals > 0) return std::string();
    return messages::kNotAParameter(text);
  };
  return {check, {}};
}

}  // namespace magneto::server::system
