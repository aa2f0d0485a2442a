#include "server/tools/schema/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "server/tools/schema/messages.h"

namespace magneto::server::tools::schema {
namespace {

constexpr std::string_view kMerge = "<<";
constexpr std::string_view kGetAtt = "Fn::GetAtt";

std::uint32_t line_of(const YAML::Mark& mark) {
  return mark.line < 0 ? 0 : static_cast<std::uint32_t>(mark.line) + 1;
}

// "!Sub" -> "Fn::Sub"; empty if the tag has no meaning here.
std::string function_of(const std::string& tag) {
  if (tag.size() < 2 || tag.front() != '!') return {};
  const std::string name = tag.substr(1);
  return name == "Ref" || name == "Condition" ? name : "Fn::" + name;
}

// "A.B.C" -> ["A", "B.C"]
TreeNode split_attribute(TreeNode node) {
  const std::size_t dot = node.text.find('.');
  if (!node.is_text() || dot == std::string::npos) return node;
  TreeNode list = list_node(node.line);
  list.elements.push_back(text_node(node.text.substr(0, dot), node.line));
  list.elements.push_back(text_node(node.text.substr(dot + 1), node.line));
  return list;
}

// yaml-cpp 0.7 returns U+0085 and U+00A0 as one byte if a file has them as "\N" and "\_".
std::string as_utf8(std::string_view text) {
  std::string mended;
  mended.reserve(text.size());
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    if (byte == 0x85 || byte == 0xA0) mended += '\xC2';
    const std::size_t size = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    mended += text.substr(0, size);
    text.remove_prefix(std::min(size, text.size()));
  }
  return mended;
}

TreeNode with_tag(TreeNode node, const std::string& tag) {
  const std::string function = function_of(tag);
  if (function.empty()) return node;
  if (function == kGetAtt) node = split_attribute(std::move(node));
  TreeNode call = map_node(node.line);
  call.add(function, std::move(node));
  return call;
}

void check_names(const TreeNode& map) {
  std::vector<const Member*> sorted;
  for (const Member& member : map.members) sorted.push_back(&member);
  const auto name = [](const Member* member) -> std::string_view { return member->name; };
  std::ranges::stable_sort(sorted, {}, name);
  const auto twice = std::ranges::adjacent_find(sorted, {}, name);
  if (twice == sorted.end()) return;
  throw SchemaError((*(twice + 1))->line, messages::kTwice((*twice)->name));
}

// The depth of nested lists and maps.
std::size_t depth_of(const TreeNode& node) {
  std::size_t within = 0;
  for (const TreeNode& element : node.elements) within = std::max(within, depth_of(element));
  for (const Member& member : node.members) within = std::max(within, depth_of(member.value));
  return within + (node.is_list() || node.is_map() ? 1 : 0);
}

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    finish(null_node(line_of(mark)), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw SchemaError(line_of(mark), messages::kAliasInItself);
    const auto& [node, depth] = found->second;
    TreeLimits::check_depth(open_.size() + depth, line_of(mark));
    limits_.count_tree(node);
    place(node);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    TreeNode node = text_node(as_utf8(value), line_of(mark));
    node.quoted = tag != "?";
    finish(with_tag(std::move(node), tag), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(list_node(line_of(mark)), tag, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(map_node(line_of(mark)), tag, anchor);
  }
  void OnMapEnd() override {
    merge(open_.back());
    check_names(open_.back().node);
    close();
  }

 private:
  struct Open {
    TreeNode node;
    std::string tag;
    YAML::anchor_t anchor;
    bool has_name = false;  // in a map: `name` waits for its value
    Member next{};
    std::vector<TreeNode> merged{};
  };

  void open(TreeNode node, const std::string& tag, YAML::anchor_t anchor) {
    TreeLimits::check_depth(open_.size() + 1, node.line);
    open_.push_back({std::move(node), tag, anchor});
  }

  void close() {
    Open ended = std::move(open_.back());
    open_.pop_back();
    finish(with_tag(std::move(ended.node), ended.tag), ended.anchor);
  }

  void finish(TreeNode node, YAML::anchor_t anchor) {
    limits_.count(node);
    if (anchor != 0) {
      limits_.count_tree(node);
      anchors_[anchor] = {node, depth_of(node)};
    }
    place(std::move(node));
  }

  void place(TreeNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& top = open_.back();
    if (top.node.is_list()) {
      top.node.elements.push_back(std::move(node));
    } else if (!top.has_name) {
      if (node.is_null()) node = text_node("NULL", node.line);  // the type of a value in an item
      if (!node.is_text()) throw SchemaError(node.line, messages::kNameNoText);
      top.next = {std::move(node.text), node.line, {}};
      top.has_name = true;
    } else {
      top.has_name = false;
      if (top.next.name == kMerge) {
        top.merged.push_back(std::move(node));
      } else {
        top.next.value = std::move(node);
        top.node.members.push_back(std::move(top.next));
      }
    }
  }

  // The map's own members have priority, then those of earlier merged maps.
  static void merge(Open& top) {
    for (TreeNode& from : top.merged) {
      if (from.is_list()) {
        for (TreeNode& element : from.elements) merge_one(top.node, std::move(element));
      } else {
        merge_one(top.node, std::move(from));
      }
    }
  }

  static void merge_one(TreeNode& into, TreeNode from) {
    std::vector<std::string_view> names;
    for (const Member& member : into.members) names.push_back(member.name);
    std::ranges::sort(names);
    std::vector<Member> added;
    for (Member& member : from.members) {
      if (!std::ranges::binary_search(names, member.name)) added.push_back(std::move(member));
    }
    for (Member& member : added) into.members.push_back(std::move(member));
  }

  TreeNode root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, std::pair<TreeNode, std::size_t>> anchors_;  // with their depths
  TreeLimits limits_;
};

}  // namespace

TreeNode read_yaml(const std::string& text, bool is_meant_as_json) {
  const auto unreadable = [&](std::string_view why) {
    return is_meant_as_json ? messages::kNeitherJsonNorYaml(why) : messages::kNoYaml(why);
  };
  const std::size_t nul = text.find('\0');  // yaml-cpp would read it as a backslash or as UTF-16
  if (nul != std::string::npos) {
    const auto lines =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    throw SchemaError(static_cast<std::uint32_t>(lines) + 1, unreadable(messages::kNulCharacter));
  }
  std::istringstream stream(text);
  TreeBuilder builder;
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    TreeNode root = builder.take();
    TreeBuilder next;
    if (parser.HandleNextDocument(next) && !next.take().is_null()) {
      const char* const why = messages::kManyDocuments;
      throw SchemaError(0, is_meant_as_json ? messages::kNeitherJsonNorYaml(why) : why);
    }
    return root;
  } catch (const YAML::Exception& error) {
    throw SchemaError(line_of(error.mark), unreadable(error.msg));
  }
}

}  // namespace magneto::server::tools::schema
