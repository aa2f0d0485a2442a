#pragma once

#include <string>

#include "server/main/config.h"

namespace magneto::server::main {

// Flags that cannot be had together, or one that lacks another, told in the words of the command line;
// empty when all is well. Looks whether the folder of DynamoDB Local's files is there.
std::string conflict_in(const Config& config);

}  // namespace magneto::server::main
