#pragma once

#include "api/authorization/required_permission.h"
#include "api/request/parameters.h"
#include "storage/model/table_schema.h"

namespace magneto::api {

// The partition key value of a search in a vector index; absent if the index or the request has
// none. Throws ApiError for a condition that cannot be read.
RequiredPermission::Texts searched_key(const Parameters& parameters, const storage::KeySchema& key);

}  // namespace magneto::api
