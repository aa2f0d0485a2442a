#include "tests/fuzz/mutator.h"

#include <algorithm>

namespace magneto::fuzz {

std::string Mutator::make(std::uint64_t number) {
  engine_.seed(number);
  std::string input = any_input();
  for (std::size_t left = 1 + below(4); left > 0; --left) change(input);
  if (input.size() > kMaxSize) input.resize(kMaxSize);
  return input;
}

void Mutator::change(std::string& input) {
  switch (below(6)) {
    case 0:
      return flip_bit(input);
    case 1:
      return set_byte(input);
    case 2:
      return remove_run(input);
    case 3:
      return repeat_run(input);
    case 4:
      return insert_word(input);
    default:
      return splice(input);
  }
}

void Mutator::flip_bit(std::string& input) {
  if (input.empty()) return;
  char& byte = input[below(input.size())];
  byte = static_cast<char>(byte ^ 1 << below(8));
}

// Sets a byte to one that is special somewhere: an end of a range, a digit, a quote.
void Mutator::set_byte(std::string& input) {
  static constexpr char kBytes[] = "\0\x01\x7F\x80\xFF 09-+.eE\"'\\/{}[]():#,<>\r\n";
  const char byte = kBytes[below(sizeof(kBytes) - 1)];
  const std::size_t place = place_in(input);
  if (place == input.size() || below(2) == 0) {
    input.insert(input.begin() + static_cast<std::ptrdiff_t>(place), byte);
  } else {
    input[place] = byte;
  }
}

void Mutator::remove_run(std::string& input) {
  if (input.empty()) return;
  const std::size_t place = below(input.size());
  input.erase(place, 1 + below(std::min<std::size_t>(input.size() - place, 16)));
}

// Repeats a short run many times, for inputs that nest or add up; repeats a long run once.
void Mutator::repeat_run(std::string& input) {
  if (input.empty()) return;
  const std::size_t place = below(input.size());
  const std::size_t size = 1 + below(std::min<std::size_t>(input.size() - place, 64));
  const std::string run = input.substr(place, size);
  const std::size_t times = size < 8 && below(8) == 0 ? 1 + below(600) : 1;
  std::string repeated;
  for (std::size_t i = 0; i < times; ++i) repeated += run;
  input.insert(place, repeated);
}

void Mutator::insert_word(std::string& input) {
  if (words_.empty()) return set_byte(input);
  const std::string& word = words_[below(words_.size())];
  const std::size_t place = place_in(input);
  if (below(2) == 0) input.erase(place, word.size());
  input.insert(place, word);
}

// The end of another input, or a part of it.
void Mutator::splice(std::string& input) {
  const std::string& other = any_input();
  const std::size_t from = place_in(other);
  const std::size_t place = place_in(input);
  if (below(2) == 0) {
    input.resize(place);
    input.append(other, from);
  } else {
    input.insert(place, other, from, below(64));
  }
}

}  // namespace magneto::fuzz
