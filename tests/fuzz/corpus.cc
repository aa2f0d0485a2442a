#include "tests/fuzz/corpus.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <stdexcept>

namespace magneto::fuzz {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

std::ifstream open(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return file;
}

char escaped_char(std::string_view& rest) {
  const char letter = rest.empty() ? '\0' : rest.front();
  if (letter == 'x' && rest.size() >= 3) {
    unsigned value = 0;
    const char* const end = rest.data() + 3;
    if (std::from_chars(rest.data() + 1, end, value, 16).ptr == end) {
      rest.remove_prefix(3);
      return static_cast<char>(value);
    }
  }
  rest.remove_prefix(rest.empty() ? 0 : 1);
  switch (letter) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case '\\':
    case '"':
      return letter;
    default:
      throw std::runtime_error("a backslash is followed by n, r, t, \", \\ or x and two digits");
  }
}

}  // namespace

std::string unescape(std::string_view line) {
  std::string bytes;
  while (!line.empty()) {
    const char c = line.front();
    line.remove_prefix(1);
    bytes.push_back(c == '\\' ? escaped_char(line) : c);
  }
  return bytes;
}

std::string escape(std::string_view bytes) {
  std::string line;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\r') {
      line += "\\r";
    } else if (c == '\t') {
      line += "\\t";
    } else if (c == '\\') {
      line += "\\\\";
    } else if (byte < 0x20 || byte > 0x7E || (c == '#' && line.empty())) {
      line.append("\\x").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
    } else {
      line += c;
    }
  }
  return line;
}

std::vector<CorpusInput> read_corpus(const std::string& path) {
  std::ifstream file = open(path);
  std::vector<CorpusInput> inputs;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    try {
      inputs.push_back({number, unescape(line)});
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(path + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  return inputs;
}

std::vector<std::string> dictionary_paths(const std::string& folder, std::string_view names) {
  std::vector<std::string> paths;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(' '));
    paths.push_back(folder + "/" + std::string(name) + ".dict");
    names.remove_prefix(std::min(names.size(), name.size() + 1));
  }
  return paths;
}

std::vector<std::string> read_dictionary(const std::string& path) {
  std::ifstream file = open(path);
  std::vector<std::string> words;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t first = line.find('"');
    const std::size_t last = line.rfind('"');
    if (first >= last) throw std::runtime_error(path + ": no word in quotes: " + line);
    words.push_back(unescape(std::string_view(line).substr(first + 1, last - first - 1)));
  }
  return words;
}

}  // namespace magneto::fuzz
