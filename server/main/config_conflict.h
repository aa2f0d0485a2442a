#pragma once

#include <string>

#include "server/main/config.h"

namespace magneto::server::main {

// The error about flags that exclude each other, or about a flag that needs another one, in the
// words of the command line; empty if there is none. Checks that the folder of DynamoDB Local's
// files exists.
std::string conflict_in(const Config& config);

}  // namespace magneto::server::main
