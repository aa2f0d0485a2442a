#include "server/main/dynamodb_local_arguments.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "api/nearest_name.h"
#include "server/system/command_line_messages.h"

namespace magneto::server::main {
namespace {

// Options of DynamoDB Local that Magneto lacks; DynamoDB Local also accepts them with two dashes.
constexpr std::array<std::string_view, 6> kOwnNames = {
    "dbPath",   "delayTransientStatuses",  "disableTelemetry",
    "inMemory", "optimizeDbBeforeStartup", "sharedDb"};
// Options that Magneto has too, with two dashes.
constexpr std::array<std::string_view, 4> kCommonNames = {"cors", "help", "port", "version"};
// Options of a JVM whose value follows a blank.
constexpr std::array<std::string_view, 7> kJvmNames = {
    "jar", "cp", "classpath", "-class-path", "p", "-module-path", "-add-modules"};
constexpr std::array<std::string_view, 10> kJvmBeginnings = {
    "D", "X", "ea", "da", "esa", "dsa", "server", "client", "agentlib:", "javaagent:"};

template <std::size_t kSize>
bool has_argument(const std::array<std::string_view, kSize>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool has_one_dash(std::string_view argument) {
  return argument.size() > 1 && argument[0] == '-' && argument[1] != '-';
}

bool is_jvm_flag(std::string_view argument) {
  return has_one_dash(argument) &&
         std::ranges::any_of(kJvmBeginnings, [&](std::string_view beginning) {
           return argument.substr(1).starts_with(beginning);
         });
}

// The option's name, without dashes and value; empty if the argument is not an option.
std::string_view option_name(std::string_view argument) {
  if (!argument.starts_with('-')) return {};
  argument.remove_prefix(argument.starts_with("--") ? 2 : 1);
  return argument.substr(0, argument.find('='));
}

class Reader {
 public:
  Reader(const std::vector<std::string>& arguments, std::string& problem)
      : arguments_(arguments), problem_(problem) {}

  DynamoDbLocalArguments read() {
    for (; at_ < arguments_.size() && problem_.empty(); ++at_) read_one(arguments_[at_]);
    if (problem_.empty() && read_.in_memory && has_folder_) {
      problem_ = system::messages::kFolderInMemory;
    }
    return std::move(read_);
  }

 private:
  void read_one(const std::string& argument) {
    const std::string_view name = option_name(argument);
    if (name.empty()) return;
    if (has_argument(kOwnNames, name)) return read_own(name);
    if (has_one_dash(argument) && has_argument(kCommonNames, name)) return read_common(name);
    if (has_argument(kJvmNames, std::string_view(argument).substr(1))) {
      ++at_;
    } else if (argument.starts_with("--")) {
      read_flag(argument);
    } else if (!is_jvm_flag(argument)) {
      problem_ = system::messages::unknown_local_option(argument, nearest_local_option(argument));
    }
  }

  void read_own(std::string_view name) {
    if (name == "dbPath") {
      read_.folder = value_of(name);
      has_folder_ = true;
    }
    read_.in_memory |= name == "inMemory";
    read_.shared |= name == "sharedDb";
    read_.delays_transient_statuses |= name == "delayTransientStatuses";
  }

  void read_common(std::string_view name) {
    if (name == "help") {
      read_.help = true;
    } else if (name == "version") {
      read_.version = true;
    } else {
      const std::string value = value_of(name);
      read_.flags.push_back("--" + std::string(name));
      read_.flags.push_back(name == "cors" ? origins_of(value) : value);
    }
  }

  // Reads a flag of Magneto, whose value, if it has one, is the next argument.
  void read_flag(const std::string& argument) {
    read_.flags.push_back(argument);
    const bool has_value = at_ + 1 < arguments_.size() && !arguments_[at_ + 1].starts_with('-') &&
                           argument.find('=') == std::string::npos;
    if (has_value) read_.flags.push_back(arguments_[++at_]);
  }

  std::string value_of(std::string_view name) {
    const std::string& argument = arguments_[at_];
    const std::size_t sign = argument.find('=');
    if (sign != std::string::npos) return argument.substr(sign + 1);
    if (at_ + 1 < arguments_.size()) return arguments_[++at_];
    problem_ = system::messages::kNeedsValue("-" + std::string(name));
    return {};
  }

  // -cors of DynamoDB Local also takes names without a scheme.
  static std::string origins_of(std::string_view list) {
    std::string origins;
    while (!list.empty()) {
      const std::string_view part = list.substr(0, list.find(','));
      list.remove_prefix(std::min(list.size(), part.size() + 1));
      if (!origins.empty()) origins += ',';
      const bool is_name = part != "*" && part != "null" && part.find("://") == std::string::npos;
      if (is_name) origins.append("http://").append(part).append(",https://");
      origins.append(part);
    }
    return origins;
  }

  const std::vector<std::string>& arguments_;
  std::string& problem_;
  DynamoDbLocalArguments read_;
  std::size_t at_ = 0;
  bool has_folder_ = false;
};

}  // namespace

bool is_dynamodb_local_command(const std::string& program,
                               const std::vector<std::string>& arguments) {
  if (program.substr(program.rfind('/') + 1) == "java") return true;
  return std::ranges::any_of(arguments, [](const std::string& argument) {
    const std::string_view name = option_name(argument);
    return has_argument(kOwnNames, name) ||
           (has_one_dash(argument) &&
            (has_argument(kCommonNames, name) || name == "jar" || is_jvm_flag(argument)));
  });
}

std::string nearest_local_option(std::string_view argument) {
  std::vector<std::string> names(kOwnNames.begin(), kOwnNames.end());
  names.insert(names.end(), kCommonNames.begin(), kCommonNames.end());
  const std::string_view nearest = api::nearest_name(option_name(argument), names);
  return nearest.empty() ? std::string() : "-" + std::string(nearest);
}

DynamoDbLocalArguments read_dynamodb_local_arguments(const std::vector<std::string>& arguments,
                                                     std::string& problem) {
  return Reader(arguments, problem).read();
}

const char* const kDynamoDbLocalVersion = "3.3.0 (Magneto " MAGNETO_VERSION ")\n";

const char* const kDynamoDbLocalUsage =
    "usage: java -Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar [options]\n"
    "Magneto in the place of DynamoDB Local; magneto --help lists more flags, which may stand here too.\n\n"
    " -cors <list>               origins whose pages are served beside those of this machine, * for any\n"
    " -dbPath <folder>           where the files lie (default: the working directory)\n"
    " -delayTransientStatuses    an index stays CREATING and DELETING for a second\n"
    " -disableTelemetry          taken; there is none\n"
    " -help                      this text\n"
    " -inMemory                  keep nothing\n"
    " -optimizeDbBeforeStartup   taken; there is no need\n"
    " -port <number>             the port (default: 8000)\n"
    " -sharedDb                  one set of tables for all, instead of one for each access key and region\n"
    " -version                   the version\n";

}  // namespace magneto::server::main
