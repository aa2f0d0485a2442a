#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace magneto::server::main {

// The settings from DynamoDB Local's command line, in Magneto's terms.
struct DynamoDbLocalArguments {
  std::vector<std::string> flags;  // Magneto's: its own flags, and those with the same meaning
  std::string folder = ".";        // -dbPath
  bool in_memory = false;
  bool shared = false;
  bool delays_transient_statuses = false;
  bool help = false;
  bool version = false;
};

// True if the server must act as DynamoDB Local: its program is called java, or one of the
// arguments is an option of DynamoDB Local.
bool is_dynamodb_local_command(const std::string& program,
                               const std::vector<std::string>& arguments);

// Reads "java -Xmx1g -Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -sharedDb
// -dbPath ./data", with or without the JVM's part, as DynamoDB Local 3.1.0 does. Options have one
// or two dashes, and a value after a blank or "=". Words without a dash are ignored. On an error,
// sets `problem` to a sentence for the user.
DynamoDbLocalArguments read_dynamodb_local_arguments(const std::vector<std::string>& arguments,
                                                     std::string& problem);

// The option of DynamoDB Local, with its dash, that is most similar to the argument; empty if none
// is similar.
std::string nearest_local_option(std::string_view argument);

// The answer to -version. It begins as DynamoDB Local's, with the newest version whose features
// Magneto has: programs compare that number.
extern const char* const kDynamoDbLocalVersion;
// The text of -help.
extern const char* const kDynamoDbLocalUsage;

}  // namespace magneto::server::main
