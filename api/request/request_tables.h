#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "storage/database.h"

namespace magneto::api {

// The tables that one request has looked up, each as it was at the first lookup. Policies decide on
// a table before the operation looks it up by the same name. In between, another table may get that
// name after a deletion, a restore, a reset or an import. So the operation gets the table of the
// decision, or none if there was none. Only for the request's thread.
class RequestTables {
 public:
  // Like Database::find_or_refresh_table().
  storage::TablePtr find(storage::Database& database, std::string_view name) {
    const auto found = tables_.find(name);
    if (found != tables_.end()) return found->second;
    return tables_.emplace(name, database.find_or_refresh_table(name)).first->second;
  }

 private:
  std::map<std::string, storage::TablePtr, std::less<>> tables_;
};

}  // namespace magneto::api
