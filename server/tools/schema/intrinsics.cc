#include "server/tools/schema/intrinsics.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "api/json/base64.h"
#include "server/tools/schema/messages.h"

namespace magneto::server::tools::schema {
namespace {

constexpr std::string_view kNoValue = "AWS::NoValue";

bool is_function(std::string_view name) { return name == "Ref" || name.starts_with("Fn::"); }

std::string json_of(const TreeNode& node) {
  std::string text;
  append_json(text, node);
  return text;
}

// Throws unless the argument is a list of at least `count` values.
void need_list(const TreeNode& argument, std::size_t count, std::string_view function) {
  if (argument.is_list() && argument.elements.size() >= count) return;
  throw SchemaError(argument.line, messages::kTooFew(function, count));
}

}  // namespace

// Counts the depth of nested functions while one of them is evaluated.
class Intrinsics::Deeper {
 public:
  Deeper(std::size_t& depth, const TreeNode& at) : depth_(depth) {
    if (++depth_ > kMaxDepth) {
      --depth_;
      throw SchemaError(at.line, messages::kRefersToItself);
    }
  }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  std::size_t& depth_;
};

Intrinsics::Section Intrinsics::section_of(const TreeNode& document, std::string_view name) {
  Section section;
  for (const Member& member : document.at(name).members) section[member.name] = &member.value;
  return section;
}

Intrinsics::Intrinsics(const TreeNode& document, std::vector<const Member*> logical_tables,
                       SchemaParameters& parameters, Replace replace)
    : parameters_section_(section_of(document, "Parameters")),
      conditions_(section_of(document, "Conditions")),
      mappings_(section_of(document, "Mappings")),
      resources_(section_of(document, "Resources")),
      parameters_(parameters),
      replace_(std::move(replace)) {
  for (const Member* table : logical_tables) tables_[table->name] = table;
  // A parameter that the template declares counts as used.
  for (const auto& [name, declared] : parameters_section_) parameters_.find(name);
}

void Intrinsics::step(const TreeNode& at, std::size_t count) {
  steps_ += count + at.text.size() / 16;
  if (steps_ > kMaxSteps) throw SchemaError(at.line, messages::kTooManySteps);
}

void Intrinsics::check_text(const TreeNode& node) {
  step(node);
  if (node.text.size() > kMaxTextLength) {
    throw SchemaError(node.line, messages::kTextTooLong);
  }
  if (node.text.find("{{resolve:") != std::string::npos) {
    throw SchemaError(node.line, messages::kDynamicReference(node.text));
  }
}

std::optional<TreeNode> Intrinsics::resolve(const TreeNode& node) {
  const Deeper deeper(depth_, node);
  step(node);
  switch (node.kind) {
    case TreeNode::Kind::kNull:
      return node;
    case TreeNode::Kind::kList:
      return resolve_list(node);
    case TreeNode::Kind::kMap:
      return resolve_map(node);
    case TreeNode::Kind::kText:
      break;
  }
  if (replace_) {
    if (std::optional<TreeNode> value = replace_(node)) {
      if (!value->is_text()) return resolve(*value);
      check_text(*value);
      return value;
    }
  }
  check_text(node);
  return node;
}

std::optional<TreeNode> Intrinsics::resolve_list(const TreeNode& node) {
  TreeNode list = list_node(node.line);
  for (const TreeNode& element : node.elements) {
    if (std::optional<TreeNode> value = resolve(element))
      list.elements.push_back(*std::move(value));
  }
  return list;
}

std::optional<TreeNode> Intrinsics::resolve_map(const TreeNode& node) {
  if (node.members.size() == 1 && is_function(node.members.front().name)) {
    const Member& call = node.members.front();
    if (const Function function = function_of(call.name)) return (this->*function)(call.value);
    throw SchemaError(call.line, messages::kUnresolved(call.name));
  }
  TreeNode map = map_node(node.line);
  for (const Member& member : node.members) {
    if (is_function(member.name)) {
      throw SchemaError(member.line, messages::kUnresolved(member.name));
    }
    if (skip_ && skip_(member)) continue;
    if (std::optional<TreeNode> value = resolve(member.value)) {
      map.members.push_back({member.name, member.line, *std::move(value)});
    }
  }
  return map;
}

TreeNode Intrinsics::resolved(const TreeNode& node) { return resolve(node).value_or(TreeNode{}); }

std::string Intrinsics::resolve_text(const TreeNode& node, std::string_view what) {
  TreeNode value = resolved(node);
  if (!value.is_text()) throw SchemaError(node.line, messages::kNoText(what));
  return std::move(value.text);
}

Intrinsics::Function Intrinsics::function_of(std::string_view name) {
  static constexpr std::pair<std::string_view, Function> kFunctions[] = {
      {"Ref", &Intrinsics::ref},
      {"Fn::Sub", &Intrinsics::sub},
      {"Fn::GetAtt", &Intrinsics::get_att},
      {"Fn::If", &Intrinsics::choose},
      {"Fn::FindInMap", &Intrinsics::find_in_map},
      {"Fn::Join", &Intrinsics::join},
      {"Fn::Select", &Intrinsics::select},
      {"Fn::Split", &Intrinsics::split},
      {"Fn::Base64", &Intrinsics::base64},
  };
  for (const auto& [function, call] : kFunctions) {
    if (function == name) return call;
  }
  return nullptr;
}

std::optional<TreeNode> Intrinsics::ref(const TreeNode& argument) {
  const std::string name = resolve_text(argument, "the name in Ref");
  if (name == kNoValue) return std::nullopt;
  if (auto value = parameter(name, argument)) return value;
  const auto table = tables_.find(name);
  if (table != tables_.end()) return text_node(table_name(*table->second), argument.line);
  if (auto given = parameters_.find(name)) return text_node(*given, argument.line);
  if (resources_.contains(name)) {
    throw SchemaError(argument.line, messages::kRefKnownToAws(name));
  }
  throw SchemaError(argument.line, messages::kNoSuchName(name));
}

// The value of a parameter in the section Parameters, or of a pseudo parameter.
std::optional<TreeNode> Intrinsics::parameter(std::string_view name, const TreeNode& at) {
  if (auto pseudo = parameters_.pseudo(name)) return text_node(*pseudo, at.line);
  const auto found = parameters_section_.find(name);
  if (found == parameters_section_.end()) return std::nullopt;
  const TreeNode& declared = *found->second;
  const std::string& type = declared.at("Type").text;
  std::optional<std::string> text = parameters_.find(name);
  if (!text) {
    if (type.starts_with("AWS::SSM::")) {
      throw SchemaError(at.line, messages::kNeedsParameter(name, messages::kInSystemsManager));
    }
    if (!declared.has("Default")) {
      throw SchemaError(at.line, messages::kNeedsParameter(name, messages::kNoDefault));
    }
    const TreeNode fallback = resolved(declared.at("Default"));
    if (!fallback.is_text()) return fallback;
    text = fallback.text;
  }
  TreeNode value = text_node(*text, at.line);
  if (type != "CommaDelimitedList" && !type.starts_with("List<")) return value;
  TreeNode list = list_node(at.line);
  std::string_view rest = *text;
  while (true) {
    std::string_view part = rest.substr(0, rest.find(','));
    const bool last = part.size() == rest.size();
    if (!last) rest.remove_prefix(part.size() + 1);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    list.elements.push_back(text_node(std::string(part), at.line));
    if (last) return list;
  }
}

std::string Intrinsics::table_name(const Member& resource) {
  const TreeNode& name = resource.value.at("Properties").at("TableName");
  const Deeper deeper(depth_, name);
  if (name.is_null()) return resource.name;
  const std::optional<TreeNode> value = resolve(name);
  if (!value || value->is_null()) return resource.name;
  if (!value->is_text()) throw SchemaError(name.line, messages::kTableNameNoText);
  return value->text;
}

std::optional<TreeNode> Intrinsics::get_att(const TreeNode& argument) {
  TreeNode parts = resolved(argument);
  if (parts.is_text()) {  // JSON also allows "A.B"
    const std::size_t dot = parts.text.find('.');
    if (dot == std::string::npos)
      throw SchemaError(argument.line, messages::kGetAttWithoutAttribute);
    return attribute(parts.text.substr(0, dot), parts.text.substr(dot + 1), argument);
  }
  need_list(parts, 2, "Fn::GetAtt");
  return attribute(parts.elements[0].text, parts.elements[1].text, argument);
}

TreeNode Intrinsics::attribute(const std::string& resource, const std::string& name,
                               const TreeNode& at) {
  const std::string whole = resource + "." + name;
  if (auto given = parameters_.find(whole)) return text_node(*given, at.line);
  const auto table = tables_.find(resource);
  if (table == tables_.end() || (name != "Arn" && name != "TableName")) {
    throw SchemaError(at.line, messages::kAttributeKnownToAws(whole));
  }
  const std::string table_is = table_name(*table->second);
  if (name == "TableName") return text_node(table_is, at.line);
  return text_node("arn:aws:dynamodb:" + parameters_.region() + ":" + parameters_.account() +
                       ":table/" + table_is,
                   at.line);
}

std::optional<TreeNode> Intrinsics::sub(const TreeNode& argument) {
  const bool has_own = argument.is_list();
  if (has_own) need_list(argument, 2, "Fn::Sub");
  const TreeNode& pattern = has_own ? argument.elements[0] : argument;
  const TreeNode& own = argument.at(std::size_t{1});
  const std::string text = resolve_text(pattern, "what Fn::Sub works on");
  TreeNode result = text_node({}, argument.line);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = std::min(text.find("${", at), text.size());
    result.text += text.substr(at, begin - at);
    const std::size_t end = text.find('}', begin);
    if (begin == text.size()) break;
    if (end == std::string::npos) throw SchemaError(pattern.line, messages::kSubWithoutEnd);
    const std::string name = text.substr(begin + 2, end - begin - 2);
    if (name.starts_with('!')) {
      result.text += "${" + name.substr(1) + "}";
    } else {
      result.text += sub_variable(name, own, pattern);
    }
    check_text(result);
    at = end + 1;
  }
  return result;
}

std::string Intrinsics::sub_variable(const std::string& name, const TreeNode& own,
                                     const TreeNode& at) {
  step(at, 1 + own.members.size() / 64);
  if (own.has(name)) return resolve_text(own.at(name), "a value of Fn::Sub");
  const std::size_t dot = name.find('.');
  if (dot != std::string::npos) {
    return attribute(name.substr(0, dot), name.substr(dot + 1), at).text;
  }
  const std::optional<TreeNode> value = ref(text_node(name, at.line));
  if (value && value->is_text()) return value->text;
  throw SchemaError(at.line, messages::kSubNoText(name));
}

std::optional<TreeNode> Intrinsics::choose(const TreeNode& argument) {
  need_list(argument, 3, "Fn::If");
  const TreeNode& condition = argument.elements[0];
  return resolve(argument.elements[holds(condition.text, condition.line) ? 1 : 2]);
}

std::optional<TreeNode> Intrinsics::find_in_map(const TreeNode& argument) {
  need_list(argument, 3, "Fn::FindInMap");
  std::string names[3];
  for (std::size_t i = 0; i < 3; ++i) {
    names[i] = resolve_text(argument.elements[i], "a name in Fn::FindInMap");
  }
  const auto map = mappings_.find(names[0]);
  if (map != mappings_.end()) {
    const TreeNode& first = map->second->at(names[1]);
    step(argument, map->second->members.size() + first.members.size());
    if (first.has(names[2])) return resolve(first.at(names[2]));
  }
  const TreeNode& fallback = argument.at(std::size_t{3}).at("DefaultValue");
  if (!fallback.is_null()) return resolve(fallback);
  throw SchemaError(argument.line, messages::kNothingInMap(names[0], names[1], names[2]));
}

std::optional<TreeNode> Intrinsics::join(const TreeNode& argument) {
  need_list(argument, 2, "Fn::Join");
  const std::string between = resolve_text(argument.elements[0], "the delimiter of Fn::Join");
  const TreeNode parts = resolved(argument.elements[1]);
  need_list(parts, 0, "Fn::Join");
  TreeNode result = text_node({}, argument.line);
  for (const TreeNode& part : parts.elements) {
    if (!part.is_text()) throw SchemaError(part.line, messages::kJoinedNoText);
    if (&part != &parts.elements.front()) result.text += between;
    result.text += part.text;
    check_text(result);
  }
  return result;
}

std::optional<TreeNode> Intrinsics::select(const TreeNode& argument) {
  need_list(argument, 2, "Fn::Select");
  const std::string text = resolve_text(argument.elements[0], "the index of Fn::Select");
  const TreeNode values = resolved(argument.elements[1]);
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size() || index >= values.elements.size()) {
    throw SchemaError(argument.line, messages::kNoSuchValue(text));
  }
  return values.elements[index];
}

std::optional<TreeNode> Intrinsics::split(const TreeNode& argument) {
  need_list(argument, 2, "Fn::Split");
  const std::string between = resolve_text(argument.elements[0], "the delimiter of Fn::Split");
  const std::string text = resolve_text(argument.elements[1], "what Fn::Split works on");
  if (between.empty()) throw SchemaError(argument.line, messages::kSplitByNothing);
  TreeNode list = list_node(argument.line);
  std::size_t at = 0;
  while (true) {
    step(list);
    const std::size_t end = text.find(between, at);
    list.elements.push_back(text_node(text.substr(at, end - at), argument.line));
    if (end == std::string::npos) return list;
    at = end + between.size();
  }
}

std::optional<TreeNode> Intrinsics::base64(const TreeNode& argument) {
  TreeNode result = text_node({}, argument.line);
  api::json::encode_base64(resolve_text(argument, "what Fn::Base64 works on"), result.text);
  return result;
}

bool Intrinsics::holds(std::string_view condition, std::uint32_t line) {
  const auto found = conditions_.find(condition);
  if (found == conditions_.end()) {
    throw SchemaError(line, messages::kNoSuchCondition(condition));
  }
  if (const auto known = known_conditions_.find(found->first); known != known_conditions_.end()) {
    return known->second;
  }
  const bool result = evaluate(*found->second);
  known_conditions_[found->first] = result;
  return result;
}

bool Intrinsics::evaluate(const TreeNode& condition) {
  const Deeper deeper(depth_, condition);
  step(condition);
  if (condition.members.size() == 1) {
    const std::string& name = condition.members.front().name;
    const TreeNode& argument = condition.members.front().value;
    if (name == "Condition") return holds(argument.text, argument.line);
    if (name == "Fn::And" || name == "Fn::Or") return evaluate_list(argument, name == "Fn::And");
    if (name == "Fn::Not") {
      need_list(argument, 1, name);
      return !evaluate(argument.elements[0]);
    }
    if (name == "Fn::Equals") {
      need_list(argument, 2, name);
      const TreeNode left = resolved(argument.elements[0]);
      const TreeNode right = resolved(argument.elements[1]);
      return left.is_text() && right.is_text() ? left.text == right.text
                                               : json_of(left) == json_of(right);
    }
  }
  throw SchemaError(condition.line, messages::kNoCondition);
}

bool Intrinsics::evaluate_list(const TreeNode& list, bool all) {
  need_list(list, 1, all ? "Fn::And" : "Fn::Or");
  return all ? std::ranges::all_of(list.elements,
                                   [this](const TreeNode& one) { return evaluate(one); })
             : std::ranges::any_of(list.elements,
                                   [this](const TreeNode& one) { return evaluate(one); });
}

}  // namespace magneto::server::tools::schema
