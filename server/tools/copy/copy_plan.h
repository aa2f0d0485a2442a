#pragma once

#include <functional>
#include <string>
#include <vector>

#include "server/tools/copy/copy_options.h"
#include "server/tools/copy/state_keeper.h"
#include "server/tools/copy/table_description.h"

namespace magneto::server::tools {

// What becomes of a table.
struct TablePlan {
  TableDescription source;
  std::string create;                 // the request that makes it; empty: the target has it
  bool is_begun = false;              // the state file says where to go on
  bool wants_stream = false;          // the source's stream is to be switched on first
  std::vector<std::string> problems;  // why it cannot be copied
};

using WarnOfCopy = std::function<void(const std::string&)>;

// Looks at all tables and changes nothing. Throws std::runtime_error, a sentence: what no copy can
// begin with. What speaks against one table is in its plan.
std::vector<TablePlan> plan_copy(const CopyOptions& options, client::EndpointCalls& source,
                                 client::EndpointCalls& target, const StateKeeper& states,
                                 const WarnOfCopy& warn);

// Why the source's streams would have forgotten changes before all items are copied, at the limits
// that are set; empty: they would not, as far as the sizes of the tables tell.
std::string problem_of_time(const CopyOptions& options, const std::vector<TablePlan>& plans);

// What keeps the target's table from being filled with the source's items: a sentence for each.
// Throws std::runtime_error, a sentence.
std::vector<std::string> problems_of_existing(const TableDescription& source,
                                              const TableDescription& existing,
                                              client::EndpointCalls& target);

// What must be the same when a copy goes on, as one text.
std::string settings_of(const CopyOptions& options);

}  // namespace magneto::server::tools
