#include "tests/api/case_runner/case_file.h"

#include <charconv>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/api/case_runner/table_shorthand.h"

namespace magneto::api {
namespace {

constexpr std::string_view kOption = "with ";

bool starts_with(const std::string& text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// $(text*3) becomes texttexttext.
std::string expand_repeats(const std::string& text) {
  static const std::regex kRepeat(R"(\$\((.*?)\*(\d+)\))");
  std::string out;
  auto from = text.cbegin();
  std::smatch match;
  while (std::regex_search(from, text.cend(), match, kRepeat)) {
    out.append(from, match[0].first);
    const std::string piece = match[1];
    for (long i = std::stol(match[2]); i > 0; --i) out += piece;
    from = match[0].second;
  }
  out.append(from, text.cend());
  return out;
}

// Reads line by line. A line that begins with a blank or a closing bracket continues the previous
// one.
class Lines {
 public:
  Lines(std::string path, const std::string& text) : path_(std::move(path)) {
    std::istringstream in(text);
    std::string line;
    while (std::getline(in, line)) lines_.push_back(line);
  }

  bool done() const { return at_ == lines_.size(); }
  const std::string& peek() const { return lines_[at_]; }
  std::size_t number() const { return at_ + 1; }
  void skip() { ++at_; }

  // A line and those that go on with it.
  std::string take() {
    std::string out = lines_[at_++];
    while (!done() && !peek().empty() &&
           std::string_view(" \t}]").find(peek()[0]) != std::string_view::npos) {
      out += '\n' + lines_[at_++];
    }
    return out;
  }

  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw CaseFileError(path_ + ":" + std::to_string(line) + ": " + what);
  }

 private:
  std::string path_;
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
};

// 200 {...}, 200 contains {...}, ValidationException: text, ValidationException contains: text
void parse_expectation(const Lines& lines, const std::string& text, CaseStep& step) {
  static const std::regex kJson(R"((\d+)( contains)?\s+([^]*))");
  static const std::regex kError(R"(([A-Za-z]+)(?:( contains)?: ([^]*))?)");
  std::smatch match;
  if (std::regex_match(text, match, kJson)) {
    step.status = std::stoi(match[1]);
    step.contains = match[2].matched;
    step.expected_json = expand_repeats(match[3]);
  } else if (std::regex_match(text, match, kError)) {
    step.error = match[1];
    step.status = step.error == "InternalServerError" ? 500 : 400;
    step.contains = match[2].matched;
    step.message = expand_repeats(match[3]);
    // Keeps blanks at the end visible.
    constexpr std::string_view kEnd = "<end>";
    if (step.message.ends_with(kEnd)) step.message.resize(step.message.size() - kEnd.size());
  } else {
    lines.fail(step.expected_line, "not an expectation: " + text);
  }
}

void expect_answer(Lines& lines, CaseStep& step) {
  if (lines.done() || !starts_with(lines.peek(), "=> ")) {
    lines.fail(lines.number(),
               "the step of line " + std::to_string(step.line) + " expects nothing");
  }
  step.expected_line = lines.number();
  parse_expectation(lines, lines.take().substr(3), step);
}

// for i in 1..20: PutItem {...}
void parse_loop(const Lines& lines, std::string& text, CaseStep& step) {
  static const std::regex kLoop(R"(for i in (-?\d+)\.\.(-?\d+): ([^]*))");
  if (!starts_with(text, "for ")) return;
  std::smatch match;
  const std::string whole = text;
  if (!std::regex_match(whole, match, kLoop)) lines.fail(step.line, "not a loop: " + whole);
  step.repeated = true;
  step.first = std::stoll(match[1]);
  step.last = std::stoll(match[2]);
  text = match[3];
}

void parse_call(Lines& lines, std::string text, CaseStep& step) {
  parse_loop(lines, text, step);
  const std::size_t end = text.find_first_of(" \n");
  step.operation = text.substr(0, end);
  if (step.operation.empty() || step.operation[0] < 'A' || step.operation[0] > 'Z') {
    lines.fail(step.line, "not a step: " + text);
  }
  step.request = end == std::string::npos ? "" : expand_repeats(trimmed(text.substr(end + 1)));
  expect_answer(lines, step);
}

CaseStep parse_step(Lines& lines) {
  CaseStep step;
  step.line = lines.number();
  const std::string text = lines.take();
  if (starts_with(text, "table ")) {
    step.operation = "CreateTable";
    try {
      step.request = create_table_request(expand_repeats(text.substr(6)));
    } catch (const std::invalid_argument& error) {
      lines.fail(step.line, error.what());
    }
    step.expected_line = step.line;
    step.expected_json = "\"<any>\"";
  } else if (starts_with(text, "advance ")) {
    step.kind = CaseStep::Kind::kAdvance;
    step.seconds = std::stod(text.substr(8));
  } else if (starts_with(text, "caller ")) {
    step.kind = CaseStep::Kind::kCaller;
    std::istringstream words(text.substr(7));
    if (!(words >> step.region >> step.account)) lines.fail(step.line, "not a caller: " + text);
    words >> step.access_key;
  } else if (trimmed(text) == "freeze") {
    step.kind = CaseStep::Kind::kFreeze;
  } else if (trimmed(text) == "settle") {
    step.kind = CaseStep::Kind::kSettle;
  } else if (trimmed(text) == "reopen") {
    step.kind = CaseStep::Kind::kReopen;
  } else {
    parse_call(lines, text, step);
  }
  return step;
}

// with enforce-throughput, with isolate-region, with isolate-credentials
void parse_option(Lines& lines, CaseFile& file) {
  const std::size_t line = lines.number();
  const std::string option = trimmed(lines.take().substr(kOption.size()));
  if (!file.steps.empty()) lines.fail(line, "options stand before all steps");
  if (option == "enforce-throughput") {
    file.enforces_throughput = true;
  } else if (option == "isolate-region") {
    file.isolation = Isolation::kRegion;
  } else if (option == "isolate-credentials") {
    file.isolation = Isolation::kCredentials;
  } else {
    lines.fail(line, "no such option: " + option);
  }
}

}  // namespace

CaseFile parse_case_file(const std::string& path, const std::string& text) {
  Lines lines(path, text);
  CaseFile file;
  file.path = path;
  while (!lines.done()) {
    if (trimmed(lines.peek()).empty() || lines.peek()[0] == '#') {
      lines.skip();
    } else if (starts_with(lines.peek(), kOption)) {
      parse_option(lines, file);
    } else {
      file.steps.push_back(parse_step(lines));
    }
  }
  if (file.steps.empty()) throw CaseFileError(path + ": no steps");
  return file;
}

CaseFile read_case_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw CaseFileError(path + ": cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  return parse_case_file(path, text.str());
}

}  // namespace magneto::api
