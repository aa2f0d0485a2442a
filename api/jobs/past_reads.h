#pragma once

#include <string_view>

#include "api/operation.h"

// How exports read what a table was. Operations of this process alone: no request from outside finds
// them.
//
//   ReadPast     TableName, Time (seconds since 1970), FilterSpecification, Start
//                -> Items, Next
//   ReadChanges  TableName, FromTime, ToTime (none: up to now), ExportViewType, Start
//                -> Records, as an incremental export has them, Next
//
// An answer is a page, of about 1 MB; Next, a text, is the Start of the next one, if there is more. Throw
// what ExportTableToPointInTime throws for times outside the window.
namespace magneto::api {

inline constexpr std::string_view kReadPastName = "ReadPast";
inline constexpr std::string_view kReadChangesName = "ReadChanges";

// nullptr: it is none of them.
const Operation* find_past_read(std::string_view name);

}  // namespace magneto::api
