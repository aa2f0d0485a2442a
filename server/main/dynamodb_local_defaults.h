#pragma once

#include <functional>
#include <string>

#include "server/main/config.h"
#include "server/main/dynamodb_local_arguments.h"

namespace magneto::server::main {

// Whether a flag was given, on the command line or by its variable.
using IsGiven = std::function<bool(const std::string& flag)>;

// Sets the other defaults of the profile of DynamoDB Local, for flags that were not given.
void apply_local_defaults(const IsGiven& is_given, Config& config);

// Sets what DynamoDB Local's own arguments ask for, for flags that were not given.
void apply_local_arguments(const DynamoDbLocalArguments& arguments, const IsGiven& is_given,
                           Config& config);

}  // namespace magneto::server::main
