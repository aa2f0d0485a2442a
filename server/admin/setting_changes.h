#pragma once

#include "api/faults/faults.h"
#include "api/journal/journal.h"
#include "api/json/json_reader.h"
#include "api/namespaces/namespace.h"
#include "storage/clock.h"
#include "storage/databases.h"

// Changes of control settings, read from the members of a request. They throw api::ControlError
// where a member is wrong; nothing is changed then.
namespace magneto::server::admin {

// now, advance, frozen
void change_clock(storage::Clock& clock, api::json::Object wanted);
// index_lag, read_staleness, replication_lag, ttl_delay; `databases`: nullptr: they are only read.
void change_consistency(storage::Databases* databases, api::json::Object wanted);

// The members each takes.
inline constexpr std::string_view kClockMembers[] = {"now", "advance", "frozen"};
inline constexpr std::string_view kConsistencyMembers[] = {"index_lag", "read_staleness",
                                                           "replication_lag", "ttl_delay"};

}  // namespace magneto::server::admin
