#include "server/tools/schema/node.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <utility>

#include "api/json/json_writer.h"
#include "server/tools/schema/messages.h"

namespace magneto::server::tools::schema {
namespace {

const TreeNode& nothing() {
  static const TreeNode null;
  return null;
}

// As JSON has it: no sign in front but a minus, no zero in front of digits.
bool is_json_number(std::string_view text) {
  const auto digits = [&text] {
    const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool zero = text.starts_with('0');
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return text.empty();
}

// Whether a request can hold the number: the reader of requests refuses others.
template <typename Number>
bool fits(std::string_view text) {
  Number number{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && stop == text.data() + text.size();
}

bool is_request_number(std::string_view text) {
  if (!is_json_number(text)) return false;
  if (text.find_first_of(".eE") != std::string_view::npos) return fits<double>(text);
  return fits<std::int64_t>(text) || fits<std::uint64_t>(text);
}

}  // namespace

const TreeNode& TreeNode::at(std::string_view name) const {
  const auto found = std::ranges::find(members, name, &Member::name);
  return found == members.end() ? nothing() : found->value;
}

const TreeNode& TreeNode::at(std::size_t index) const {
  return index < elements.size() ? elements[index] : nothing();
}

std::optional<bool> TreeNode::flag() const {
  std::string lower = text.substr(0, 6);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower == "true" || lower == "yes" || lower == "on") return true;
  if (lower == "false" || lower == "no" || lower == "off") return false;
  return std::nullopt;
}

TreeNode* TreeNode::find(std::string_view name) {
  const auto found = std::ranges::find(members, name, &Member::name);
  return found == members.end() ? nullptr : &found->value;
}

void TreeNode::remove(std::span<const std::string_view> names) {
  std::erase_if(members, [names](const Member& member) {
    return std::ranges::count(names, member.name) > 0;
  });
}

TreeNode& TreeNode::add(std::string name, TreeNode value) {
  const std::uint32_t at_line = value.line;
  members.push_back({std::move(name), at_line, std::move(value)});
  return *this;
}

TreeNode null_node(std::uint32_t line) {
  TreeNode node;
  node.line = line;
  return node;
}

TreeNode text_node(std::string text, std::uint32_t line) {
  TreeNode node;
  node.kind = TreeNode::Kind::kText;
  node.quoted = true;
  node.line = line;
  node.text = std::move(text);
  return node;
}

TreeNode list_node(std::uint32_t line) {
  TreeNode node;
  node.kind = TreeNode::Kind::kList;
  node.line = line;
  return node;
}

TreeNode map_node(std::uint32_t line) {
  TreeNode node;
  node.kind = TreeNode::Kind::kMap;
  node.line = line;
  return node;
}

void TreeLimits::count(const TreeNode& node) {
  bytes_ += node.text.size();
  if (++nodes_ > kMaxNodes || bytes_ > kMaxBytes) {
    throw SchemaError(node.line, messages::kTooMuch);
  }
}

void TreeLimits::count_tree(const TreeNode& node) {
  count(node);
  for (const TreeNode& element : node.elements) count_tree(element);
  for (const Member& member : node.members) {
    bytes_ += member.name.size();
    count_tree(member.value);
  }
}

void TreeLimits::check_depth(std::size_t depth, std::uint32_t line) {
  if (depth > kMaxDepth) throw SchemaError(line, messages::kTooDeep);
}

void append_json(std::string& out, const TreeNode& node) {
  api::json::Writer writer(out);
  switch (node.kind) {
    case TreeNode::Kind::kNull:
      out += "null";
      return;
    case TreeNode::Kind::kText:
      if (!node.quoted &&
          (node.text == "true" || node.text == "false" || is_request_number(node.text))) {
        out += node.text;
      } else {
        api::json::append_string(out, node.text);
      }
      return;
    case TreeNode::Kind::kList:
      writer.begin_array();
      for (const TreeNode& element : node.elements) append_json(writer.raw(), element);
      writer.end_array();
      return;
    case TreeNode::Kind::kMap:
      writer.begin_object();
      for (const Member& member : node.members) {
        writer.escaped_key(member.name);
        append_json(writer.raw(), member.value);
      }
      writer.end_object();
      return;
  }
}

}  // namespace magneto::server::tools::schema
