#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tests/fuzz/corpus.h"

namespace magneto::fuzz {

// Makes inputs out of a corpus and a dictionary: the same one for the same number on every machine.
class Mutator {
 public:
  // Both must outlive the mutator. The corpus must have at least one input.
  Mutator(std::span<const CorpusInput> corpus, std::span<const std::string> words)
      : corpus_(corpus), words_(words) {}

  // Returns one of the inputs, changed in one to four places.
  std::string make(std::uint64_t number);

 private:
  std::size_t below(std::size_t bound) { return engine_() % bound; }
  std::size_t place_in(const std::string& input) { return below(input.size() + 1); }
  const std::string& any_input() { return corpus_[below(corpus_.size())].bytes; }
  void change(std::string& input);
  void flip_bit(std::string& input);
  void set_byte(std::string& input);
  void remove_run(std::string& input);
  void repeat_run(std::string& input);
  void insert_word(std::string& input);
  void splice(std::string& input);

  static constexpr std::size_t kMaxSize = 1 << 16;

  std::span<const CorpusInput> corpus_;
  std::span<const std::string> words_;
  std::mt19937_64 engine_;
};

}  // namespace magneto::fuzz
