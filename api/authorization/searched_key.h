#pragma once

#include "api/authorization/need.h"
#include "api/request/parameters.h"
#include "storage/model/table_schema.h"

namespace magneto::api {

// The partition key value of a search in a vector index; absent if the index or the request has
// none. Throws ApiError for a condition that cannot be read.
Need::Texts searched_key(const Parameters& parameters, const storage::KeySchema& key);

}  // namespace magneto::api
