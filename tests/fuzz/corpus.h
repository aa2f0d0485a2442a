#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace magneto::fuzz {

// A corpus is a text file with one input a line. Inputs are escaped: \n, \r, \t, \\ and \xHH for
// other bytes that do not print. Empty lines and lines that begin with # are comments.
struct CorpusInput {
  std::size_t line;  // of the file, from 1
  std::string bytes;
};

// Throws std::runtime_error if the file cannot be read or has an invalid escape.
std::vector<CorpusInput> read_corpus(const std::string& path);

// The words of a dictionary in libFuzzer's form: name="word", with \xHH, \\ and \" escaped.
std::vector<std::string> read_dictionary(const std::string& path);

// The paths of a target's dictionaries (targets.h) in `folder`.
std::vector<std::string> dictionary_paths(const std::string& folder, std::string_view names);

// An input as a line of a corpus.
std::string escape(std::string_view bytes);
// Throws std::runtime_error.
std::string unescape(std::string_view line);

}  // namespace magneto::fuzz
