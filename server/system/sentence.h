#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace magneto::server::system {

// Splits a sentence such as "host {host} is unknown: {why}" into pieces, each a text or a name in
// braces. "{{" and "}}" are literal braces. Any other use of braces throws, which ends the
// compilation.
class SentenceReader {
 public:
  explicit constexpr SentenceReader(std::string_view sentence) : rest_(sentence) {}

  // Moves to the next piece; false if there is none.
  constexpr bool next() {
    if (rest_.empty()) return false;
    const std::size_t brace = rest_.find_first_of("{}");
    is_name_ = false;
    if (brace != 0) {
      text_ = take(brace);
    } else if (rest_.starts_with("{{") || rest_.starts_with("}}")) {
      take(1);
      text_ = take(1);
    } else {
      read_name();
    }
    return true;
  }

  constexpr bool is_name() const { return is_name_; }
  constexpr std::string_view text() const { return text_; }
  // The position of the name among the different names, by first occurrence.
  constexpr std::size_t number() const { return number_; }
  // The count of different names read so far.
  constexpr std::size_t names() const { return names_read_; }

 private:
  constexpr std::string_view take(std::size_t length) {
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  constexpr void read_name() {
    if (take(1) == "}") throw "a brace is closed that was not opened";
    text_ = take(rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"));
    if (text_.empty() || take(1) != "}") throw "a name consists of small letters and _";
    is_name_ = true;
    number_ = 0;
    while (number_ < names_read_ && names_[number_] != text_) ++number_;
    if (number_ == names_.size()) throw "there are too many names";
    if (number_ == names_read_) names_[names_read_++] = text_;
  }

  std::string_view rest_;
  std::string_view text_;
  bool is_name_ = false;
  std::size_t number_ = 0;
  std::array<std::string_view, 8> names_;
  std::size_t names_read_ = 0;
};

// The sentence with each name replaced by its argument.
std::string filled_in(std::string_view sentence, std::initializer_list<std::string_view> arguments);

inline std::string_view as_text(std::string_view text) { return text; }

template <std::integral Number>
requires(!std::same_as<Number, bool> && !std::same_as<Number, char>) std::string
    as_text(Number number) {
  return std::to_string(number);
}

// A sentence for users with kNames names in braces. Call it with one argument for each name, in the
// order of their first occurrence: texts and whole numbers. A sentence without names is a plain
// constant.
template <std::size_t kNames>
class Sentence {
  static_assert(kNames > 0);

 public:
  explicit consteval Sentence(std::string_view sentence) : sentence_(sentence) {
    SentenceReader reader(sentence);
    while (reader.next()) continue;
    if (reader.names() != kNames) throw "the sentence has more or fewer names";
  }

  template <typename... Arguments>
  requires(sizeof...(Arguments) == kNames) std::string operator()(
      const Arguments&... arguments) const {
    return filled_in(sentence_, {as_text(arguments)...});
  }

 private:
  std::string_view sentence_;
};

}  // namespace magneto::server::system
