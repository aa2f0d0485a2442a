#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/access/condition.h"
#include "api/access/context.h"
#include "api/access/meter.h"
#include "api/access/pattern.h"
#include "api/access/principal.h"
#include "api/json/json_reader.h"

namespace magneto::api::access {

// One action that a principal attempts on a resource.
struct Attempt {
  const Principal& principal;
  std::string_view action;    // "dynamodb:GetItem"
  std::string_view resource;  // an ARN, or "*"
  const Context& context;
};

// A policy in the IAM policy language, parsed once for many decisions (AWS IAM user guide, "Grammar
// of the IAM JSON policy language"). Immutable and thread-safe.
class Policy {
 public:
  // The policy of a principal, or of a resource, whose statements also name the principals. Every
  // policy that PutResourcePolicy accepted can be read: a statement with an unknown operator or
  // value denies everything that it may apply to, and allows nothing.
  enum class Kind { kIdentity, kResource };

  // Throws PolicyError. Its text begins with the position within the policy.
  static Policy read(json::Value document, Kind kind, std::string name);
  // Reads the policy from its text.
  static Policy read(std::string_view text, Kind kind, std::string name);

  const std::string& name() const { return name_; }

  // The names of two statements: the first that denies the attempt, and the one that allows it with
  // the closest match of the principal. nullptr if there is none.
  struct Finding {
    const std::string* denied = nullptr;
    const std::string* allowed = nullptr;
    Grant grant = Grant::kNone;  // set for a resource's policy; otherwise kExact
  };
  Finding find(const Attempt& attempt, Meter& meter) const;

 private:
  struct Statement {
    std::string name;  // the statement's Sid, or "#2"
    bool allows = false;
    bool is_readable = true;
    std::optional<PrincipalPattern> principal;
    bool negates_actions = false;
    std::vector<Pattern> actions;
    bool negates_resources = false;
    std::vector<Pattern> resources;
    std::vector<Condition> conditions;

    // How closely the statement matches the attempt.
    Grant grant(const Attempt& attempt, Meter& meter) const;
  };
  class StatementReader;

  Policy() = default;

  std::string name_;
  std::vector<Statement> statements_;
};

}  // namespace magneto::api::access
