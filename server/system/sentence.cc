#include "server/system/sentence.h"

namespace magneto::server::system {

std::string filled_in(std::string_view sentence,
                      std::initializer_list<std::string_view> arguments) {
  const auto text_of = [&](const SentenceReader& piece) {
    return piece.is_name() ? arguments.begin()[piece.number()] : piece.text();
  };
  std::size_t size = 0;
  for (SentenceReader piece(sentence); piece.next();) size += text_of(piece).size();
  std::string text;
  text.reserve(size);
  for (SentenceReader piece(sentence); piece.next();) text += text_of(piece);
  return text;
}

}  // namespace magneto::server::system
