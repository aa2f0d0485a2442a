#pragma once

#include <memory>
#include <string>

#include "server/objects/object_store.h"
#include "server/transfer/endpoint/aws_profile.h"
#include "server/transfer/endpoint/endpoint_url.h"

namespace magneto::server {

// An S3 endpoint. What is read or written lies meanwhile in files of this machine: of an import one
// object, of an export what its threads are writing, each up to a part's size.
// `data_directory`: of the server, in whose kStagingFolder they lie; empty: they lie in a folder for temporary
// files.
// Throws std::runtime_error, a sentence, where certificates cannot be had.
std::shared_ptr<ObjectStore> make_s3_store(EndpointUrl url, Environment environment,
                                           const std::string& data_directory);

}  // namespace magneto::server
