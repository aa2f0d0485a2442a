#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// A YAML or JSON file as a tree whose nodes know their lines.
namespace magneto::server::tools::schema {

// A sentence for the user about a line of the file that is being read. Who knows the file's name
// puts it in front.
class SchemaError : public std::runtime_error {
 public:
  SchemaError(std::uint32_t line, const std::string& what)
      : std::runtime_error(what), line_(line) {}
  std::uint32_t line() const { return line_; }  // from 1; 0: none

 private:
  std::uint32_t line_;
};

struct Member;

struct TreeNode {
  enum class Kind : std::uint8_t { kNull, kText, kList, kMap };

  Kind kind = Kind::kNull;
  bool quoted = false;  // kText: it stood in quotes, so it is no number and no boolean
  std::uint32_t line = 0;
  std::string text;                // kText: numbers and booleans too, as they were written
  std::vector<TreeNode> elements;  // kList
  std::vector<Member> members;     // kMap: names once each, in the order of the file

  bool is_null() const { return kind == Kind::kNull; }
  bool is_text() const { return kind == Kind::kText; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_map() const { return kind == Kind::kMap; }

  // Total: in a node of another kind, or without that member or element, they find a null.
  const TreeNode& at(std::string_view name) const;
  const TreeNode& at(std::size_t index) const;
  bool has(std::string_view name) const { return !at(name).is_null(); }
  // Reads YAML 1.1's words for a boolean, which templates use: true and false, yes and no, on and
  // off, in any case. Returns nullopt for other words.
  std::optional<bool> flag() const;
  bool is_true() const { return flag() == true; }
  bool is_false() const { return flag() == false; }

  TreeNode* find(std::string_view name);            // nullptr: no such member
  TreeNode& add(std::string name, TreeNode value);  // gives the node added to
  void remove(std::span<const std::string_view> names);
};

struct Member {
  std::string name;
  std::uint32_t line = 0;
  TreeNode value;
};

TreeNode null_node(std::uint32_t line);
TreeNode text_node(std::string text, std::uint32_t line);
TreeNode list_node(std::uint32_t line);
TreeNode map_node(std::uint32_t line);

// Counts the memory of a file's tree, since an alias in YAML is a copy. Throws SchemaError.
class TreeLimits {
 public:
  static constexpr std::size_t kMaxNodes = 1'000'000;
  static constexpr std::size_t kMaxBytes = 64 << 20;  // of all texts and names
  static constexpr std::size_t kMaxDepth = 100;

  void count(const TreeNode& node);       // this one, without what is in it
  void count_tree(const TreeNode& node);  // with it
  static void check_depth(std::size_t depth, std::uint32_t line);

 private:
  std::size_t nodes_ = 0;
  std::size_t bytes_ = 0;
};

// The node as JSON: texts that were not quoted and look like numbers or booleans are such.
void append_json(std::string& out, const TreeNode& node);

}  // namespace magneto::server::tools::schema
