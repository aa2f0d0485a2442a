#include "server/system/command_line_reading.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <iterator>
#include <utility>

#include "api/nearest_name.h"
#include "server/system/command_line_messages.h"
#include "server/system/commands.h"
#include "server/system/environment_variables.h"

namespace magneto::server::system {
namespace {

constexpr int kUsageStatus = 2;
constexpr std::string_view kServerName = "magneto";  // of the command line without a command

// Returns "--port" for "--port=8000".
std::string flag_of(std::string_view argument) {
  return std::string(argument.substr(0, argument.find('=')));
}

const CLI::Option* find_option(const CLI::App& app, std::string_view argument) {
  return app.get_option_no_throw(flag_of(argument));
}

bool is_flag(std::string_view argument) { return argument.size() > 1 && argument.front() == '-'; }

// Goes through the arguments like CLI11, but checks only their names.
class NameCheck {
 public:
  using FindOther = std::function<std::string(const std::string& flag)>;

  NameCheck(const CLI::App& app, const std::vector<std::string>& arguments,
            const FindOther& find_other)
      : app_(app), arguments_(arguments), find_other_(find_other) {}

  void run() {
    for (; at_ < arguments_.size() && arguments_[at_] != "--"; ++at_) {
      const std::string& argument = arguments_[at_];
      if (is_flag(argument)) {
        look_at_flag(argument);
      } else if (problem.empty() && !takes_words()) {
        problem = describe_word(argument);
      }
    }
  }

  std::string problem;
  bool wants_help = false;
  bool wants_version = false;

 private:
  void look_at_flag(const std::string& argument) {
    const CLI::Option* const option = find_option(app_, argument);
    if (option == nullptr) {
      if (problem.empty()) problem = describe_flag(flag_of(argument));
      return;
    }
    wants_help = wants_help || option == app_.get_help_ptr();
    wants_version = wants_version || option == app_.get_version_ptr();
    const bool has_value = argument.find('=') != std::string::npos;
    int taken = has_value ? 1 : 0;
    for (; taken < option->get_items_expected_max() && at_ + 1 < arguments_.size(); ++taken) {
      const bool is_needed = taken < option->get_items_expected_min();
      if (!is_needed && is_flag(arguments_[at_ + 1])) return;
      ++at_;
    }
  }

  bool takes_words() const {
    return !app_.get_options([](const CLI::Option* option) { return option->get_positional(); })
                .empty();
  }

  std::string describe_word(const std::string& word) const {
    if (app_.get_name() != kServerName) return messages::unknown_argument(word, "");
    if (at_ == 0) return unknown_command_problem(word);
    if (find_command(word) != nullptr) return messages::kMisplacedCommand(word);
    return messages::unknown_argument(word, "");
  }

  // Returns "-v" for "-V"; empty if there is no such flag.
  std::string in_other_case(const std::string& flag) const {
    if (flag.size() != 2) return {};
    const char letter = flag[1];
    const char other = absl::ascii_islower(static_cast<unsigned char>(letter))
                           ? absl::ascii_toupper(static_cast<unsigned char>(letter))
                           : absl::ascii_tolower(static_cast<unsigned char>(letter));
    const std::string name = {'-', other};
    return find_option(app_, name) == nullptr ? std::string() : name;
  }

  std::string describe_flag(const std::string& flag) const {
    std::vector<std::string> names;
    for (const CLI::Option* option : app_.get_options()) {
      if (option->get_group().empty()) continue;  // has no line in --help
      std::ranges::copy(option->get_lnames(), std::back_inserter(names));
    }
    const std::size_t dashes = flag.find_first_not_of('-');
    const std::string_view name =
        dashes == std::string::npos ? std::string_view() : std::string_view(flag).substr(dashes);
    std::string nearest(api::nearest_name(name, names));
    if (std::string letter = in_other_case(flag); !letter.empty()) {
      nearest = std::move(letter);
    } else if (!nearest.empty()) {
      nearest.insert(0, "--");
    } else if (find_other_) {
      nearest = find_other_(flag);
    }
    return messages::unknown_argument(flag, nearest);
  }

  const CLI::App& app_;
  const std::vector<std::string>& arguments_;
  const FindOther& find_other_;
  std::size_t at_ = 0;
};

// CLI11 would take the word after "--data-dir=" as the value.
void split_empty_values(const CLI::App& app, std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].empty() || arguments[i].find('=') != arguments[i].size() - 1) continue;
    const CLI::Option* const option = find_option(app, arguments[i]);
    if (option == nullptr || option->get_items_expected_min() == 0) continue;
    arguments[i].pop_back();
    arguments.insert(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, "");
  }
}

// The error message for values that CLI11 refused.
std::string describe_value(const CLI::App& app, const CLI::ParseError& error) {
  std::string text = error.what();
  const auto of_flag = [&](const std::string& flag, std::string_view problem) {
    const CLI::Option* const option = app.get_option_no_throw(flag);
    const bool has_variable = option != nullptr && !option->get_envname().empty();
    return has_variable ? messages::kOfFlagAndVariable(flag, variable_of(flag), problem)
                        : messages::kOfFlag(flag, problem);
  };
  const std::string flag = text.substr(0, text.find(':'));
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) {
    return of_flag(flag, text.substr(std::min(flag.size() + 2, text.size())));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const CLI::Option* const option = find_option(app, flag);
    const bool is_repeated = option != nullptr && option->count() > 1;
    return is_repeated ? messages::kGivenTwice(flag) : messages::kNeedsValue(flag);
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    // Only switches cause it: "Could not convert: --fsync = perhaps".
    const std::size_t start = text.find("--");
    return of_flag(text.substr(start, text.find(' ', start) - start), messages::kNotASwitch);
  }
  const CLI::Option* const words = app.get_option_no_throw(text.substr(0, text.find(' ')));
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && words != nullptr &&
      words->get_positional()) {
    return messages::kMissingWords(words->get_type_name());
  }
  return text;
}

int print_text(std::string_view text) {
  std::cout << text;
  return 0;
}

}  // namespace

int report_usage(const CLI::App& app, std::string_view problem) {
  std::cerr << messages::kUsageError(problem, app.get_name());
  return kUsageStatus;
}

bool has_all_names(const CLI::App& app, const std::vector<std::string>& arguments) {
  const NameCheck::FindOther none;
  NameCheck names(app, arguments, none);
  names.run();
  return names.problem.empty() && !names.wants_help && !names.wants_version;
}

std::optional<int> read_arguments(CLI::App& app, std::vector<std::string> arguments,
                                  const std::function<std::string()>& find_problem,
                                  const NameCheck::FindOther& find_other) {
  split_empty_values(app, arguments);
  NameCheck names(app, arguments, find_other);
  names.run();
  if (!names.problem.empty()) return report_usage(app, names.problem);
  if (names.wants_help) return print_text(app.help());
  if (names.wants_version) return print_text(app.version() + "\n");
  const std::string problem = find_problem ? find_problem() : std::string();
  if (!problem.empty()) return report_usage(app, problem);
  try {
    std::ranges::reverse(arguments);  // CLI11 expects them reversed
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return report_usage(app, describe_value(app, error));
  }
  return std::nullopt;
}

}  // namespace magneto::server::system
