#include "server/tools/schema/serverless.h"

#include <cstddef>
#include <iterator>
#include <string>
#include <unordered_map>

#include "server/tools/schema/messages.h"
#include "server/tools/schema/serverless_variables.h"

namespace magneto::server::tools::schema {
namespace {

constexpr std::string_view kSections[] = {"Parameters", "Conditions", "Mappings", "Resources"};

// The parts of `resources` as one template. Of two elements with the same name the later one
// counts.
class Merged {
 public:
  explicit Merged(std::uint32_t line) : document_(map_node(line)) {
    for (const std::string_view name : kSections) document_.add(std::string(name), map_node(line));
  }

  void add(const TreeNode& part, const Replace& replace, const Warn& warn) {
    if (part.has("extensions")) {
      warn(part.at("extensions").line, messages::kExtensions);
    }
    for (std::size_t i = 0; i < std::size(kSections); ++i) {
      const TreeNode& written = part.at(kSections[i]);
      const TreeNode section = written.is_text() ? replace(written).value_or(written) : written;
      for (const Member& member : section.members) add_member(i, member);
    }
  }

  const TreeNode& document() const { return document_; }

 private:
  void add_member(std::size_t section, const Member& member) {
    std::vector<Member>& members = document_.members[section].value.members;
    const auto [place, is_new] = places_[section].try_emplace(member.name, members.size());
    if (is_new) {
      members.push_back(member);
    } else {
      members[place->second] = member;
    }
  }

  TreeNode document_;
  std::unordered_map<std::string, std::size_t> places_[std::size(kSections)];
};

// Sets AWS::Region to that of the file while the file is read.
class OwnRegion {
 public:
  OwnRegion(SchemaParameters& parameters, ServerlessVariables& variables)
      : parameters_(parameters) {
    parameters_.set_region([&variables] { return variables.region(); });
  }
  ~OwnRegion() { parameters_.set_region({}); }
  OwnRegion(const OwnRegion&) = delete;
  OwnRegion& operator=(const OwnRegion&) = delete;

 private:
  SchemaParameters& parameters_;
};

// A parameter that a stage declares counts as used.
void note_parameters(const TreeNode& document, SchemaParameters& parameters) {
  const auto note = [&parameters](const TreeNode& of) {
    for (const Member& member : of.members) parameters.find(member.name);
  };
  for (const Member& stage : document.at("params").members) note(stage.value);
  for (const Member& stage : document.at("stages").members) note(stage.value.at("params"));
}

}  // namespace

std::vector<TreeNode> serverless_tables(const TreeNode& document, SchemaParameters& parameters,
                                        const Warn& warn) {
  ServerlessVariables variables(document, parameters);
  const OwnRegion region(parameters, variables);
  note_parameters(document, parameters);
  parameters.check_owner([&variables] { return variables.region(); },
                         document.at("provider").at("region").line);
  const Replace replace = [&variables](const TreeNode& text) { return variables.replace(text); };
  const auto value_of = [&replace](const TreeNode& node) {
    return node.is_text() ? replace(node).value_or(node) : node;
  };
  const TreeNode resources = value_of(document.at("resources"));
  Merged merged(resources.line);
  if (resources.is_list()) {
    for (const TreeNode& part : resources.elements) merged.add(value_of(part), replace, warn);
  } else {
    merged.add(resources, replace, warn);
  }
  return template_tables(merged.document(), parameters, replace, warn);
}

}  // namespace magneto::server::tools::schema
