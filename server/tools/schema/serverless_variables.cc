#include "server/tools/schema/serverless_variables.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "server/tools/schema/messages.h"

namespace magneto::server::tools::schema {
namespace {

constexpr std::string_view kDefaultStage = "dev";

// The places of a stage's parameters: the parts of their paths before and after the stage's name.
constexpr std::pair<std::string_view, std::string_view> kParameterPlaces[] = {
    {"params.", "."}, {"stages.", ".params."}};

// The position of the } that ends a variable whose content begins at `begin`, after ${. npos if
// there is none.
std::size_t end_of_variable(std::string_view text, std::size_t begin) {
  std::size_t open = 1;
  char quote = 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '{') {
      ++open;
    } else if (c == '}' && --open == 0) {
      return at;
    }
  }
  return std::string_view::npos;
}

// True for "self:", "file(a)" and "s3:", but not for "AWS::" or "Name", which are for Fn::Sub.
bool is_variable(std::string_view content) {
  std::size_t at = 0;
  while (at < content.size() && std::isalnum(static_cast<unsigned char>(content[at])) != 0) ++at;
  if (at == 0 || at == content.size()) return false;
  if (content[at] == '(') return true;
  return content[at] == ':' && content.substr(at, 2) != "::";
}

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\n") + 1);
}

// Splits at commas outside quotes, brackets and braces.
std::vector<std::string> split_sources(std::string_view content) {
  std::vector<std::string> sources;
  int open = 0;
  char quote = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= content.size(); ++at) {
    const char c = at < content.size() ? content[at] : ',';
    if (quote != 0 && at < content.size()) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '{') {
      ++open;
    } else if (c == ')' || c == '}') {
      --open;
    } else if (c == ',' && (open <= 0 || at == content.size())) {
      sources.emplace_back(trimmed(content.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  return sources;
}

bool is_quoted(std::string_view text) {
  return text.size() >= 2 && (text.front() == '\'' || text.front() == '"') &&
         text.back() == text.front();
}

// Whether the text is exactly one "${...}".
bool is_variable_alone(std::string_view text) {
  return text.starts_with("${") && end_of_variable(text, 2) == text.size() - 1;
}

// Whether a fallback is a number, true or false.
bool is_plain(std::string_view text) {
  if (text == "true" || text == "false") return true;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// The size of a copy, in nodes and characters / 16.
std::size_t size_of(const TreeNode& node) {
  std::size_t size = 1 + node.text.size() / 16;
  for (const TreeNode& element : node.elements) size += size_of(element);
  for (const Member& member : node.members) size += size_of(member.value);
  return size;
}

}  // namespace

void ServerlessVariables::step(std::size_t count, std::uint32_t line) {
  steps_ += count;
  if (steps_ > kMaxSteps) throw SchemaError(line, messages::kTooManySteps);
}

std::optional<TreeNode> ServerlessVariables::replace(const TreeNode& text) {
  if (text.text.find("${") == std::string::npos) return std::nullopt;
  return expand(text.text, text.line);
}

TreeNode ServerlessVariables::expand(std::string_view text, std::uint32_t line) {
  if (depth_ >= kMaxDepth) throw SchemaError(line, messages::kLoop(text));
  ++depth_;
  TreeNode result = text_node({}, line);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = std::min(text.find("${", at), text.size());
    result.text += text.substr(at, begin - at);
    if (begin == text.size()) break;
    const std::size_t end = end_of_variable(text, begin + 2);
    if (end == std::string_view::npos) {
      throw SchemaError(line, messages::kOpenVariable(text));
    }
    const std::string_view content = trimmed(text.substr(begin + 2, end - begin - 2));
    if (!is_variable(content)) {
      result.text += text.substr(begin, end + 1 - begin);
    } else {
      TreeNode value = variable(std::string(content), line);
      if (begin == 0 && end + 1 == text.size()) {
        --depth_;
        return value;
      }
      if (!value.is_text()) {
        throw SchemaError(line, messages::kVariableNoText(content));
      }
      result.text += value.text;
    }
    if (result.text.size() > kMaxTextLength) throw SchemaError(line, messages::kTextTooLong);
    at = end + 1;
  }
  --depth_;
  return result;
}

TreeNode ServerlessVariables::variable(const std::string& content, std::uint32_t line) {
  std::vector<std::string> sources = split_sources(content);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::string name = sources[i];
    step(1 + name.size() / 64, line);
    if (is_variable_alone(name)) {  // ${a, ${b, c}} is ${a, b, c}
      const auto inner = split_sources(std::string_view(name).substr(2, name.size() - 3));
      sources.insert(sources.begin() + static_cast<std::ptrdiff_t>(i) + 1, inner.begin(),
                     inner.end());
      continue;
    }
    // Resolve an inner variable first: ${self:custom.${opt:stage}.name}
    if (!is_quoted(name) && name.find("${") != std::string::npos) {
      name = sources[i] = expand(name, line).text;
    }
    if (std::optional<TreeNode> value = source(name, line)) return *std::move(value);
  }
  const std::string& first = sources.front();
  if (first.starts_with("opt:") || first.starts_with("param:")) {
    throw SchemaError(
        line, messages::kNeedsParameter(first.substr(first.find(':') + 1), messages::kNoValue));
  }
  throw SchemaError(line, messages::kVariableWithoutValue(first));
}

// nullopt if the variable has no value. Throws for a kind of variable that is unknown here.
std::optional<TreeNode> ServerlessVariables::source(const std::string& text, std::uint32_t line) {
  if (is_quoted(text)) return expand(text.substr(1, text.size() - 2), line);
  if (text == "null") return null_node(line);
  if (is_plain(text)) {
    TreeNode node = text_node(text, line);
    node.quoted = false;
    return node;
  }
  if (auto given = parameters_.find(text)) return text_node(*given, line);
  if (!is_variable(text)) {
    if (text.find_first_of(":(") == std::string::npos) return std::nullopt;
    throw SchemaError(line, messages::kUnknownVariable(text));
  }
  const std::size_t colon = std::min(text.find(':'), text.size() - 1);
  const std::string type = text.substr(0, colon);
  const std::string address = text.substr(colon + 1);
  const auto as_node = [line](std::optional<std::string> value) {
    return value ? std::optional(text_node(*std::move(value), line)) : std::nullopt;
  };
  if (type == "self") return own(address, line);
  if (type == "opt") return as_node(parameters_.find(address));
  if (type == "param") return parameter(address, line);
  if (type == "env") return as_node(parameters_.environment(address));
  if (text == "sls:stage") return text_node(stage(), line);
  if (text == "aws:region") return text_node(region(), line);
  if (text == "aws:accountId") return text_node(parameters_.account(), line);
  throw SchemaError(line, messages::kUnknownVariable(text));
}

std::optional<TreeNode> ServerlessVariables::own(std::string_view path, std::uint32_t line) {
  const TreeNode* at = &document_;
  std::optional<TreeNode> held;  // the value of a variable along the path
  std::string_view rest = path;
  while (!rest.empty()) {
    step(1 + at->members.size() / 64, line);
    const std::string_view part = rest.substr(0, rest.find('.'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    const bool is_index = error == std::errc() && end == part.data() + part.size();
    const TreeNode* const next = at->is_list() && is_index ? &at->at(index) : &at->at(part);
    std::optional<TreeNode> value = next->is_text() ? replace(*next) : std::nullopt;
    if (value) {
      held = std::move(value);
      at = &*held;
    } else if (held) {
      step(size_of(*next), line);
      TreeNode copy = *next;
      held = std::move(copy);
      at = &*held;
    } else {
      at = next;
    }
  }
  if (at->is_null()) {
    if (path == "provider.stage") return text_node(stage(), line);
    if (path == "provider.region") return text_node(region(), line);
    return std::nullopt;
  }
  step(size_of(*at), line);
  return *at;
}

std::optional<TreeNode> ServerlessVariables::parameter(const std::string& name,
                                                       std::uint32_t line) {
  if (auto given = parameters_.find(name)) return text_node(*given, line);
  for (const std::string& of : {stage(), std::string("default")}) {
    for (const auto& [before, behind] : kParameterPlaces) {
      std::string path(before);
      path.append(of).append(behind).append(name);
      if (auto value = own(path, line)) return value;
    }
  }
  return std::nullopt;
}

std::string ServerlessVariables::stage() {
  if (auto given = parameters_.find("stage")) return *given;
  const TreeNode& written = document_.at("provider").at("stage");
  if (written.is_null()) return std::string(kDefaultStage);
  return replace(written).value_or(written).text;
}

std::string ServerlessVariables::region() {
  for (const std::string_view name : {"region", "AWS::Region"}) {
    if (auto given = parameters_.find(name)) return *given;
  }
  const TreeNode& written = document_.at("provider").at("region");
  if (written.is_null()) return std::string(SchemaParameters::kDefaultRegion);
  return replace(written).value_or(written).text;
}

}  // namespace magneto::server::tools::schema
