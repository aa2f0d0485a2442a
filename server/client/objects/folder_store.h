#pragma once

#include <memory>
#include <string>

#include "server/client/objects/object_store.h"

namespace magneto::server::client {

// A store of buckets that are folders in a folder (bucket_folder.h). Objects are read and written
// in place.
std::shared_ptr<ObjectStore> make_folder_store(std::string folder);

}  // namespace magneto::server::client
