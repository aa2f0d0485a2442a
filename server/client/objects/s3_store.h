#pragma once

#include <memory>
#include <string>

#include "server/client/endpoint/aws_profile.h"
#include "server/client/endpoint/endpoint_url.h"
#include "server/client/objects/object_store.h"

namespace magneto::server::client {

// An S3 endpoint. What is read or written lies meanwhile in files of this machine: of an import one
// object, of an export what its threads are writing, each up to a part's size.
// `data_directory`: of the server, in whose kStagingFolder they lie; empty: they lie in a folder for temporary
// files.
// Throws std::runtime_error, a sentence, where certificates cannot be had.
std::shared_ptr<ObjectStore> make_s3_store(EndpointUrl url, Environment environment,
                                           const std::string& data_directory);

}  // namespace magneto::server::client
