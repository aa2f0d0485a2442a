#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/tools/schema/node.h"
#include "server/tools/schema/schema_parameters.h"

namespace magneto::server::tools::schema {

// Replaces a text in a template by a value; nullopt if the text stands for itself.
using Replace = std::function<std::optional<TreeNode>(const TreeNode& text)>;

// Evaluates CloudFormation's intrinsic functions: Ref, Fn::Sub, Fn::GetAtt, Fn::If, Fn::FindInMap,
// Fn::Join, Fn::Select, Fn::Split and Fn::Base64; in conditions also Fn::Equals, Fn::And, Fn::Or,
// Fn::Not and Condition. The template must outlive it. If a value is not known here, it throws
// SchemaError with a message that tells the user what to do.
class Intrinsics {
 public:
  static constexpr std::size_t kMaxSteps = 2'000'000;     // nodes and characters / 16
  static constexpr std::size_t kMaxDepth = 200;           // of nested functions and values
  static constexpr std::size_t kMaxTextLength = 1 << 20;  // bytes

  // `logical_tables` are the resources that are tables. A Ref to one of them is its name.
  Intrinsics(const TreeNode& document, std::vector<const Member*> logical_tables,
             SchemaParameters& parameters, Replace replace);

  // nullopt means AWS::NoValue: the caller leaves the value's member out.
  std::optional<TreeNode> resolve(const TreeNode& node);
  // Like resolve(), for a value that must be a text; `what` names it in the error.
  std::string resolve_text(const TreeNode& node, std::string_view what);
  bool holds(std::string_view condition, std::uint32_t line);

  // The table's name: TableName, or its logical id.
  std::string table_name(const Member& resource);

  // True for values that are never evaluated, because they have no meaning here.
  using Skip = std::function<bool(const Member& member)>;
  void set_skip(Skip skip) { skip_ = std::move(skip); }

 private:
  class Deeper;
  using Section = std::unordered_map<std::string_view, const TreeNode*>;
  using Function = std::optional<TreeNode> (Intrinsics::*)(const TreeNode& argument);
  static Function function_of(std::string_view name);
  static Section section_of(const TreeNode& document, std::string_view name);

  void step(const TreeNode& at, std::size_t count = 1);
  void check_text(const TreeNode& node);
  std::optional<TreeNode> resolve_list(const TreeNode& node);
  std::optional<TreeNode> resolve_map(const TreeNode& node);
  TreeNode resolved(const TreeNode& node);

  std::optional<TreeNode> ref(const TreeNode& argument);
  std::optional<TreeNode> sub(const TreeNode& argument);
  std::optional<TreeNode> get_att(const TreeNode& argument);
  std::optional<TreeNode> choose(const TreeNode& argument);
  std::optional<TreeNode> find_in_map(const TreeNode& argument);
  std::optional<TreeNode> join(const TreeNode& argument);
  std::optional<TreeNode> select(const TreeNode& argument);
  std::optional<TreeNode> split(const TreeNode& argument);
  std::optional<TreeNode> base64(const TreeNode& argument);

  std::optional<TreeNode> parameter(std::string_view name, const TreeNode& at);
  TreeNode attribute(const std::string& resource, const std::string& name, const TreeNode& at);
  std::string sub_variable(const std::string& name, const TreeNode& own, const TreeNode& at);
  bool evaluate(const TreeNode& condition);
  bool evaluate_list(const TreeNode& list, bool all);

  const Section parameters_section_;
  const Section conditions_;
  const Section mappings_;
  const Section resources_;
  std::unordered_map<std::string_view, const Member*> tables_;
  SchemaParameters& parameters_;
  const Replace replace_;
  Skip skip_;
  std::unordered_map<std::string_view, bool> known_conditions_;
  std::size_t steps_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace magneto::server::tools::schema
