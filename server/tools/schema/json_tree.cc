#include "server/tools/schema/json_tree.h"

#include <algorithm>
#include <utility>

#include "api/json/json_reader.h"
#include "server/system/utf8.h"
#include "server/tools/schema/messages.h"
#include "server/tools/schema/yaml_tree.h"

namespace magneto::server::tools::schema {
namespace {

using api::json::Type;
using api::json::Value;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Builds the tree of a parsed text. The parser does not know lines, so this walks through the text
// along with the values. The text is valid, so finding the start of each value needs no parsing.
class TreeReader {
 public:
  TreeReader(std::string_view text, std::uint32_t line) : text_(text), line_(line) {}

  TreeNode read(Value value, std::size_t depth) {
    TreeNode node;
    node.line = next();
    switch (value.type()) {
      case Type::kString:
        skip_string();
        node = text_node(std::string(value.string()), node.line);
        break;
      case Type::kNumber:
      case Type::kBoolean:
        node.kind = TreeNode::Kind::kText;
        node.text = skip_word();
        break;
      case Type::kNull:
        skip_word();
        break;
      case Type::kArray:
        begin(depth);
        node.kind = TreeNode::Kind::kList;
        for (const Value element : value.array()) node.elements.push_back(read(element, depth + 1));
        break;
      case Type::kObject:
        begin(depth);
        node.kind = TreeNode::Kind::kMap;
        read_members(node, value, depth);
        break;
    }
    limits_.count(node);
    return node;
  }

 private:
  void read_members(TreeNode& node, Value object, std::size_t depth) {
    for (const api::json::Member member : object.object()) {
      const std::uint32_t line = next();
      skip_string();
      node.members.push_back({std::string(member.name), line, read(member.value, depth + 1)});
    }
    keep_last(node.members);
  }

  static void keep_last(std::vector<Member>& members) {
    std::vector<std::pair<std::string_view, std::size_t>> names;
    for (std::size_t i = 0; i < members.size(); ++i) names.emplace_back(members[i].name, i);
    std::ranges::sort(names);
    std::vector<bool> dropped(members.size());
    bool drops = false;
    for (std::size_t i = 1; i < names.size(); ++i) {
      if (names[i - 1].first != names[i].first) continue;
      dropped[names[i - 1].second] = true;
      drops = true;
    }
    if (!drops) return;
    std::vector<Member> kept;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!dropped[i]) kept.push_back(std::move(members[i]));
    }
    members = std::move(kept);
  }

  // To the beginning of the next value or name; gives its line.
  std::uint32_t next() {
    constexpr std::string_view kBetween = " \t\r\n,:]}";
    while (at_ < text_.size() && kBetween.find(text_[at_]) != std::string_view::npos) {
      if (text_[at_++] == '\n') ++line_;
    }
    return line_;
  }

  // Into the list or map that begins here.
  void begin(std::size_t depth) {
    TreeLimits::check_depth(depth, line_);
    ++at_;
  }

  void skip_string() {
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    ++at_;
  }

  std::string skip_word() {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,:]}", at_), text_.size());
    std::string word(text_.substr(at_, end - at_));
    at_ = end;
    return word;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_;
  TreeLimits limits_;
};

// A line of `terraform plan -json` and its like.
bool is_terraform_log(const std::string& text) {
  const std::optional<TreeNode> line = read_json(text.substr(0, text.find('\n')));
  return line && line->has("@level");
}

}  // namespace

std::optional<TreeNode> read_json(std::string text, std::uint32_t first_line) {
  api::json::Document document;
  const std::optional<Value> value = document.parse(text);
  if (!value) return std::nullopt;
  return TreeReader(text, first_line).read(*value, 1);
}

TreeNode read_tree(const std::string& text) {
  const bool marked = text.starts_with(kByteOrderMark);
  const std::string rest = marked ? text.substr(kByteOrderMark.size()) : text;
  const std::size_t first = std::min(rest.find_first_not_of(" \t\r\n"), rest.size());
  const bool looks_like_json = rest.substr(first, 1) == "{" || rest.substr(first, 1) == "[";
  if (looks_like_json) {
    if (std::optional<TreeNode> tree = read_json(rest)) return *std::move(tree);
    if (is_terraform_log(rest.substr(first))) throw SchemaError(0, messages::kTerraformLog);
  }
  if (rest.size() > kMaxYamlSize) {
    throw SchemaError(0, looks_like_json ? messages::kNoJson : messages::kLongYaml);
  }
  if (system::to_valid_utf8(rest) != rest) throw SchemaError(0, messages::kNotUtf8);
  return read_yaml(rest, looks_like_json);
}

}  // namespace magneto::server::tools::schema
