#include "expressions/binder.h"

#include <string>

#include "expressions/expression_error.h"

namespace magneto::expressions {

void bind_path(SyntaxTree& tree, const Node& path, Placeholders& placeholders) {
  for (PathElement& element : tree.path(path)) {
    if (element.kind != PathElement::Kind::kPlaceholder) continue;
    const std::string_view* name = placeholders.use_name(element.name);
    if (name == nullptr) {
      throw ExpressionError(
          "An expression attribute name used in the document path is not defined; attribute "
          "name: " +
          std::string(element.name));
    }
    element = PathElement::member(*name);
  }
  check_path_steps(path.count);
}

void check_path_steps(std::size_t steps) {
  if (steps <= kMaxPathSteps) return;
  throw ExpressionError("The document path has too many nesting levels; nesting levels: " +
                        std::to_string(steps));
}

void bind_value(SyntaxTree& tree, NodeIndex value, Placeholders& placeholders) {
  const std::string_view placeholder = tree.node(value).text;
  const storage::AttributeView bound = placeholders.use_value(placeholder);
  if (!bound) {
    throw ExpressionError(
        "An expression attribute value used in expression is not defined; attribute value: " +
        std::string(placeholder));
  }
  tree.bind_value(value, bound);
}

}  // namespace magneto::expressions
