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

// One thing that somebody wants to do.
struct Attempt {
  const Principal& principal;
  std::string_view action;    // "dynamodb:GetItem"
  std::string_view resource;  // an ARN, or "*"
  const Context& context;
};

// A policy of IAM's language, read once for many decisions (AWS IAM user guide, "Grammar of the IAM
// JSON policy language"). Immutable and thread-safe.
class Policy {
 public:
  // Of a principal, or of a resource: a resource's statements say about whom they are. What
  // PutResourcePolicy has taken is read in any case: a statement with an operator or a value that
  // is not known here denies whatever it may be about, and allows nothing.
  enum class Kind { kIdentity, kResource };

  // Throws PolicyError, which begins with the place within the policy.
  static Policy read(json::Value document, Kind kind, std::string name);
  // The same of a text.
  static Policy read(std::string_view text, Kind kind, std::string name);

  const std::string& name() const { return name_; }

  // The first statement that denies the attempt, and the one that allows it to the principal most
  // closely: their names, nullptr when there is none.
  struct Finding {
    const std::string* denied = nullptr;
    const std::string* allowed = nullptr;
    Grant grant = Grant::kNone;  // of a resource's; else kExact
  };
  Finding find(const Attempt& attempt, Meter& meter) const;

 private:
  struct Statement {
    std::string name;  // its Sid, or "#2"
    bool allows = false;
    bool is_readable = true;
    std::optional<PrincipalPattern> principal;
    bool negates_actions = false;
    std::vector<Pattern> actions;
    bool negates_resources = false;
    std::vector<Pattern> resources;
    std::vector<Condition> conditions;

    // How closely it is about the attempt.
    Grant grant(const Attempt& attempt, Meter& meter) const;
  };
  class StatementReader;

  Policy() = default;

  std::string name_;
  std::vector<Statement> statements_;
};

}  // namespace magneto::api::access
