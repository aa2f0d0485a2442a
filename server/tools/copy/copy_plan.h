#pragma once

#include <functional>
#include <string>
#include <vector>

#include "server/tools/copy/copy_options.h"
#include "server/tools/copy/state_keeper.h"
#include "server/tools/copy/table_description.h"

namespace magneto::server::tools {

// The plan for one table.
struct TablePlan {
  TableDescription source;
  std::string create;                 // the request that creates it; empty: the target has it
  bool is_begun = false;              // the state file says where to continue
  bool wants_stream = false;          // the source's stream must be enabled first
  std::vector<std::string> problems;  // why it cannot be copied
};

using WarnOfCopy = std::function<void(const std::string&)>;

// Checks all tables and changes nothing. Throws std::runtime_error with a sentence for a problem
// that prevents the whole copy. A problem of one table is in its plan.
std::vector<TablePlan> plan_copy(const CopyOptions& options, client::EndpointCalls& source,
                                 client::EndpointCalls& target, const StateKeeper& states,
                                 const WarnOfCopy& warn);

// The reason why the source's streams would drop changes before all items are copied at the
// configured limits. Empty if they would not, judging by the table sizes.
std::string problem_of_time(const CopyOptions& options, const std::vector<TablePlan>& plans);

// The reasons why the target's table cannot be filled with the source's items, one sentence each.
// Throws std::runtime_error with a sentence.
std::vector<std::string> problems_of_existing(const TableDescription& source,
                                              const TableDescription& existing,
                                              client::EndpointCalls& target);

// The settings that must be unchanged when a copy continues, as one text.
std::string settings_of(const CopyOptions& options);

}  // namespace magneto::server::tools
