#include "expressions/projection_parser.h"

#include "expressions/token_cursor.h"
#include "expressions/tree_cache.h"

namespace magneto::expressions {

namespace {

std::shared_ptr<const ParsedProjection> parse_uncached_projection(std::string_view text) {
  auto parsed = std::make_shared<ParsedProjection>(text);
  TokenCursor cursor(parsed->text, TokenCursor::SizeReport::kWithSize);
  do {
    cursor.take_path(parsed->tree);
  } while (cursor.take_if(TokenType::kComma));
  cursor.finish();
  return parsed;
}

}  // namespace

std::shared_ptr<const ParsedProjection> parse_projection(std::string_view text) {
  thread_local TreeCache<ParsedProjection> cache;
  return cache.get(text, parse_uncached_projection);
}

}  // namespace magneto::expressions
