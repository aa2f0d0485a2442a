#include "api/tables/empty_list.h"

#include "api/error.h"
#include "api/messages/resource_messages.h"

namespace magneto::api {

void refuse_next_token(const Parameters& parameters, std::string_view operation) {
  if (!parameters.has("NextToken")) return;
  fail_validation(messages::foreign_next_token(operation));
}

}  // namespace magneto::api
