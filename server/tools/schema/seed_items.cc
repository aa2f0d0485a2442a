#include "server/tools/schema/seed_items.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "server/tools/schema/json_tree.h"
#include "server/tools/schema/messages.h"

namespace magneto::server::tools::schema {
namespace {

SeedItem seed_item(const TreeNode& node, const std::string& file) {
  if (!node.is_map()) throw SchemaError(node.line, messages::kNoItem);
  const TreeNode& inner = node.at("Item");
  // In an item, an attribute called Item would contain a type; a wrapped item contains attributes.
  const bool is_wrapped = node.members.size() == 1 && inner.is_map() &&
                          std::ranges::all_of(inner.members, [](const Member& member) {
                            return member.value.is_map();
                          });
  return {file, node.line, item_json(is_wrapped ? inner : node)};
}

std::vector<SeedItem> read_lines(std::string_view text, const std::string& file) {
  std::vector<SeedItem> items;
  std::uint32_t number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::optional<TreeNode> node = read_json(std::string(line), number);
    if (!node) throw SchemaError(number, messages::kLineNoJson);
    items.push_back(seed_item(*node, file));
  }
  return items;
}

}  // namespace

std::vector<SeedItem> read_items(const std::string& text, const std::string& file) {
  const std::optional<TreeNode> whole = read_json(text);
  if (!whole) return read_lines(text, file);
  const TreeNode& list =
      whole->is_map() && whole->at("Items").is_list() ? whole->at("Items") : *whole;
  std::vector<SeedItem> items;
  if (!list.is_list()) {
    items.push_back(seed_item(list, file));
    return items;
  }
  for (const TreeNode& element : list.elements) items.push_back(seed_item(element, file));
  return items;
}

}  // namespace magneto::server::tools::schema
