#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "storage/database.h"

namespace magneto::api {

// The tables that one request has looked up, each as it was at the first look. Policies decide on a
// table before the operation looks it up by the same name. Another table may have that name by then,
// after a deletion, a restore, a reset or an import, so the operation is given the table of the
// decision, or none where there was none. Only for the thread of the request.
class RequestTables {
 public:
  // As Database::find_table.
  storage::TablePtr find(const storage::Database& database, std::string_view name) {
    const auto found = tables_.find(name);
    if (found != tables_.end()) return found->second;
    return tables_.emplace(name, database.find_table(name)).first->second;
  }

 private:
  std::map<std::string, storage::TablePtr, std::less<>> tables_;
};

}  // namespace magneto::api
