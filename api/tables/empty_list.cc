#include "api/tables/empty_list.h"

#include <string>

#include "api/error.h"
#include "api/json/json_writer.h"
#include "api/messages/resource_messages.h"

namespace magneto::api {

void answer_with_no(std::string_view member, Request& request) {
  json::Writer writer(request.output);
  writer.begin_object();
  writer.key(member);
  writer.begin_array();
  writer.end_array();
  writer.end_object();
}

void refuse_next_token(const Parameters& parameters, std::string_view operation) {
  if (!parameters.has("NextToken")) return;
  fail_validation(messages::foreign_next_token(operation));
}

}  // namespace magneto::api
