#pragma once

#include <memory>
#include <string>

#include "server/client/objects/object_store.h"

namespace magneto::server::client {

// A folder whose folders are buckets (bucket_folder.h): objects are read and written where they lie.
std::shared_ptr<ObjectStore> make_folder_store(std::string folder);

}  // namespace magneto::server::client
