#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/tools/schema/node.h"
#include "server/tools/schema/schema_parameters.h"

namespace magneto::server::tools::schema {

// The variables of the Serverless Framework's files; see serverless.h.
class ServerlessVariables {
 public:
  static constexpr std::size_t kMaxDepth = 50;            // of nested variables
  static constexpr std::size_t kMaxSteps = 2'000'000;     // sources and copied nodes
  static constexpr std::size_t kMaxTextLength = 1 << 20;  // bytes

  // The document must outlive it.
  ServerlessVariables(const TreeNode& document, SchemaParameters& parameters)
      : document_(document), parameters_(parameters) {}

  // The text with its variables resolved, or the value of its single variable. nullopt if it has no
  // variables. Throws SchemaError if a variable cannot be resolved.
  std::optional<TreeNode> replace(const TreeNode& text);

  // The target region of the deployment: the given `region` or AWS::Region, otherwise
  // provider.region, otherwise the default.
  std::string region();

 private:
  void step(std::size_t count, std::uint32_t line);
  TreeNode expand(std::string_view text, std::uint32_t line);
  TreeNode variable(const std::string& content, std::uint32_t line);
  std::optional<TreeNode> source(const std::string& text, std::uint32_t line);
  std::optional<TreeNode> own(std::string_view path, std::uint32_t line);
  std::optional<TreeNode> parameter(const std::string& name, std::uint32_t line);
  std::string stage();

  const TreeNode& document_;
  SchemaParameters& parameters_;
  std::size_t steps_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace magneto::server::tools::schema
