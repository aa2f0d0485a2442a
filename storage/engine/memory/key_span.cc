#include "storage/engine/memory/key_span.h"

namespace magneto::storage {

KeySpan::KeySpan(std::string_view prefix, std::string_view from, std::string_view to) {
  if (from.starts_with(prefix)) {
    if (from.size() > prefix.size()) lower = from.substr(prefix.size());
  } else if (from > prefix) {
    empty = true;
  }
  if (to.empty()) return;
  if (to.starts_with(prefix)) {
    upper = to.substr(prefix.size());
  } else if (to < prefix) {
    empty = true;
  }
  if (upper && (upper->empty() || (lower && *lower >= *upper))) empty = true;
}

}  // namespace magneto::storage
