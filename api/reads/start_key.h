#pragma once

#include <cstdint>
#include <optional>

#include "api/json/error_dialect.h"
#include "api/reads/read_target.h"
#include "api/request/parameters.h"
#include "storage/model/attribute_value.h"
#include "storage/model/key_condition.h"

// ExclusiveStartKey of Query and Scan: the table's key attributes and, for an index, the index's
// key attributes. Every function throws a bare ValidationException.
namespace magneto::api {

enum class StartKeyUse : std::uint8_t { kQueried, kScanned };

// Reads the start key; nullopt if there is none. Some problems of its values get a prefix that
// names the key (captured facts 3, R10, Q3).
std::optional<storage::Item> read_start_key(const Parameters& parameters,
                                            const json::ErrorDialect& dialect, StartKeyUse use);

// A Query calls these checks of its start key before and after those of its key condition.
void check_start_key_partition(const ReadTarget& target, storage::ItemView start);
void check_start_key_sort(const ReadTarget& target, storage::ItemView start);
// Checks that the start key lies within the condition. Always throws for a table without a sort
// key: its condition leaves no room for a start key (captured facts 2, "Query, Scan").
void check_start_key_within(const ReadTarget& target, storage::ItemView start,
                            const storage::KeyCondition& condition);

// A Scan calls these. The first one concerns a table with global indexes: it names an index of
// which the start key has a value of the wrong type. `sent`: the start key as in the request.
void check_start_key_types(const ReadTarget& target, storage::ItemView start, json::Object sent);
void check_scan_start_key(const ReadTarget& target, storage::ItemView start);

}  // namespace magneto::api
