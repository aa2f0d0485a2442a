#include "storage/messages/background_messages.h"

#include <fmt/format.h>

namespace magneto::storage::messages {

std::string tried_again(std::string_view what, std::string_view why) {
  return fmt::format("{}: {}; trying again", what, why);
}

std::string closing_failed(std::string_view why) { return fmt::format("closing: {}", why); }

}  // namespace magneto::storage::messages
