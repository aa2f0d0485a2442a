#include "server/admin/messages.h"

#include <fmt/format.h>

namespace magneto::server::admin::messages {

std::string unknown_member(std::string_view name, std::string_view known) {
  if (known.empty()) return fmt::format("unknown member '{}': no members are accepted here", name);
  return fmt::format("unknown member '{}'; the members are {}", name, known);
}

std::string unknown_query(std::string_view known) {
  if (known.empty()) return "this path takes no query";
  return fmt::format("the query may have {}, each once", known);
}

std::string control_at(std::string_view url, std::string_view token, std::string_view file) {
  if (file.empty()) return fmt::format("control at {}, token {}\n", url, token);
  return fmt::format("control at {}, token {}, also in {}\n", url, token, file);
}

}  // namespace magneto::server::admin::messages
