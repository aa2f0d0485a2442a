#pragma once

#include <string_view>

#include "api/operation.h"

// How an import deletes the table that it made, where it has nothing to put there. An operation of this
// process alone: no request from outside finds it.
//
//   TakeBackTable  TableName, TableId -> {}
//
// The table stays where somebody has put an item there, or has changed it meanwhile so that it is not to be
// deleted; one of another id stays too.
namespace magneto::api {

inline constexpr std::string_view kTakeBackName = "TakeBackTable";

// nullptr: it is not that.
const Operation* find_take_back(std::string_view name);

}  // namespace magneto::api
