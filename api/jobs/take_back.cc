#include "api/jobs/take_back.h"

#include <exception>

#include "api/request/parameters.h"
#include "api/validation/parameter_shapes.h"
#include "storage/database.h"

namespace magneto::api {
namespace {

constexpr MemberShape kTakeBackMembers[] = {
    {"TableName", &kItemTableNameShape, Required::kYes},
    {"TableId", &kStringShape, Required::kYes},
};
constexpr Shape kTakeBackInput = older_request(kTakeBackMembers);

class MustStay : public std::exception {};

void take_back(Request& request) {
  const Parameters parameters(request.input);
  const std::string_view id = parameters.string_or_empty("TableId");
  const storage::TablePtr table =
      request.database.find_table(parameters.string_or_empty("TableName"));
  request.output += "{}";
  if (table == nullptr) return;
  const auto check = [&](const storage::TableSchema& schema) {
    const bool is_passing = schema.status == storage::ResourceStatus::kUpdating;
    const bool has_items = table->statistics->item_count.load() != 0;
    if (schema.id != id || table->schema.id != id || has_items || is_passing ||
        schema.deletion_protection || schema.global_table != nullptr) {
      throw MustStay();
    }
  };
  try {
    request.database.delete_table(table->schema.name, check);
  } catch (const MustStay&) {
    // It does.
  }
}

constexpr Operation kTakeBack{
    .name = kTakeBackName, .input = kTakeBackInput, .handle = &take_back, .writes = true};

}  // namespace

const Operation* find_take_back(std::string_view name) {
  return name == kTakeBackName ? &kTakeBack : nullptr;
}

}  // namespace magneto::api
