#include "api/tables/index_form.h"

#include "api/messages/index_messages.h"
#include "api/tables/index_checks.h"
#include "api/tables/schema_json.h"

namespace magneto::api {
namespace {

using storage::IndexKind;

void write_key(json::Writer& writer, const storage::IndexSchema& schema) {
  write_key_schema(writer, schema.key);
}

}  // namespace

constinit const IndexForm kLocalIndexForm{.kind = IndexKind::kLocal,
                                          .list = list_of(IndexKind::kLocal),
                                          .overrides = "LocalSecondaryIndexOverride",
                                          .empty_list = messages::kNoLocalIndexes,
                                          .too_many = &messages::too_many_local_indexes,
                                          .check_defined = &check_index_key_defined,
                                          .check_key = &check_local_key,
                                          .write = &write_key};

constinit const IndexForm kGlobalIndexForm{.kind = IndexKind::kGlobal,
                                           .list = list_of(IndexKind::kGlobal),
                                           .updates = "GlobalSecondaryIndexUpdates",
                                           .overrides = "GlobalSecondaryIndexOverride",
                                           .empty_list = messages::kNoGlobalIndexes,
                                           .empty_updates = messages::kNoIndexUpdates,
                                           .no_action = messages::kNoIndexAction,
                                           .several_actions = messages::kSeveralIndexActions,
                                           .repeated_update = &messages::repeated_index_update,
                                           .other_kind = &messages::not_a_global_index,
                                           .too_many = &messages::too_many_global_indexes,
                                           .check_defined = &check_index_key_defined,
                                           .check_key = &check_global_key,
                                           .check_new = &check_new_global_index,
                                           .check_count = &check_global_count,
                                           .write = &write_key};

}  // namespace magneto::api
