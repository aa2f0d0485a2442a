#pragma once

#include <memory>
#include <string>

#include "server/client/endpoint/aws_profile.h"
#include "server/client/endpoint/endpoint_url.h"
#include "server/client/objects/object_store.h"

namespace magneto::server::client {

// An S3 endpoint. Objects are temporary files of this machine while they are read or written: one
// object of an import, and for an export one file per thread, each up to a part's size. The files
// are in kStagingFolder of `data_directory`, the server's; if that is empty, in a folder for
// temporary files. Throws std::runtime_error with a sentence if certificates cannot be loaded.
std::shared_ptr<ObjectStore> make_s3_store(EndpointUrl url, Environment environment,
                                           const std::string& data_directory);

}  // namespace magneto::server::client
