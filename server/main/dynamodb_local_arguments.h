#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::server::main {

// What DynamoDB Local's command line asks for, in our words.
struct DynamoDbLocalArguments {
  std::vector<std::string>
      flags;                 // of ours: those that have the same meaning, and ours between them
  std::string folder = ".";  // -dbPath
  bool in_memory = false;
  bool shared = false;
  bool delays_transient_statuses = false;
  bool help = false;
  bool version = false;
};

// True when a server called so is to be DynamoDB Local: by the name java, or by one of its options.
bool is_dynamodb_local_command(const std::string& program,
                               const std::vector<std::string>& arguments);

// Reads "java -Xmx1g -Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -sharedDb
// -dbPath ./data", with or without what is the JVM's, as DynamoDB Local 3.1.0 does: options have
// one dash or two, and a value behind a blank or "="; words without a dash mean nothing. Sets
// `problem` to a sentence for the user when it cannot.
DynamoDbLocalArguments read_dynamodb_local_arguments(const std::vector<std::string>& arguments,
                                                     std::string& problem);

// The option of DynamoDB Local, with its dash, that was probably meant by an argument; empty: none
// comes near.
std::string nearest_local_option(std::string_view argument);

// What -help prints.
extern const char* const kDynamoDbLocalUsage;

}  // namespace magneto::server::main
