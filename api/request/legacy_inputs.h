#pragma once

#include <optional>
#include <span>
#include <vector>

#include "api/request/legacy_comparisons.h"
#include "api/request/parameters.h"
#include "expressions/condition.h"
#include "expressions/key_condition.h"
#include "expressions/legacy/legacy_update.h"
#include "expressions/update.h"
#include "storage/model/table_schema.h"

namespace magneto::api {

// Converts the parameters of one request that expressions replaced into conditions and updates.
// Owns the values, so it must outlive everything that it read. Every function throws
// ValidationException as ApiError.
class LegacyInputs {
 public:
  LegacyInputs(const Parameters& parameters, const json::ErrorDialect& dialect)
      : parameters_(parameters), dialect_(dialect) {}
  LegacyInputs(const LegacyInputs&) = delete;
  LegacyInputs& operator=(const LegacyInputs&) = delete;

  // Refuses a ConditionalOperator that is unknown or has fewer than two conditions of the parameter
  // `conditions` to join. Call this before the conditions are read.
  void check_operator(std::string_view conditions) const;

  // Expected with ConditionalOperator; nullopt if it is absent or empty.
  std::optional<expressions::Condition> expected();
  // QueryFilter or ScanFilter with ConditionalOperator; nullopt if it is absent or empty.
  std::optional<expressions::Condition> filter(std::string_view parameter);

  // KeyConditions; nullopt if absent.
  std::optional<expressions::KeyConditionExpression> key_conditions();
  // Refuses operators that do not select a single range of keys, and more than two conditions on a
  // key of one or two attributes. Call this after key_conditions().
  void check_indexable(const storage::KeySchema& schema) const;

  // AttributeUpdates; nullopt if absent or empty.
  std::optional<expressions::Update> attribute_updates();
  // The entries of AttributeUpdates, for LegacyUpdateDecision.
  std::span<const expressions::LegacyAttributeUpdate> updates() const { return updates_; }

 private:
  std::optional<expressions::Condition> joined(
      std::span<const expressions::LegacyComparison> comparisons) const;

  Parameters parameters_;
  json::ErrorDialect dialect_;
  LegacyValues values_;
  std::vector<expressions::LegacyComparison> key_conditions_;
  std::vector<expressions::LegacyAttributeUpdate> updates_;
};

}  // namespace magneto::api
