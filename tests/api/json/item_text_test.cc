#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <string>

#include "api/json/attribute_value_json.h"
#include "api/json/item_list.h"
#include "storage/model/number.h"
#include "storage/model/value_writer.h"

namespace magneto::api::json {
namespace {

using storage::AttributeType;
using storage::AttributeView;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c >= 0 && c < 0x20) {
      out += {'\\', 'u', '0', '0', static_cast<char>('0' + c / 16), "0123456789abcdef"[c % 16]};
    } else {
      out += c;
    }
  }
  return out + '"';
}

// An item's text, written piece by piece by way of the views.
std::string plain_item(storage::ItemView item);

std::string plain_value(AttributeView value) {
  std::string list;
  switch (value.type()) {
    case AttributeType::kString:
      return "{\"S\":" + quoted(value.scalar_bytes()) + "}";
    case AttributeType::kNumber:
      return "{\"N\":\"" + value.number().to_string() + "\"}";
    case AttributeType::kBoolean:
      return value.boolean() ? "{\"BOOL\":true}" : "{\"BOOL\":false}";
    case AttributeType::kNull:
      return "{\"NULL\":true}";
    case AttributeType::kStringSet:
      for (const std::string_view member : value.set()) list += "," + quoted(member);
      return "{\"SS\":[" + list.substr(1) + "]}";
    case AttributeType::kList:
      for (const AttributeView element : value.list()) list += "," + plain_value(element);
      return "{\"L\":[" + (list.empty() ? "" : list.substr(1)) + "]}";
    case AttributeType::kMap:
      return "{\"M\":" + plain_item(value.map()) + "}";
    default:
      ADD_FAILURE() << "no value of this type is made here";
      return "";
  }
}

std::string plain_item(storage::ItemView item) {
  std::string out;
  for (const storage::NamedAttribute& attribute : item) {
    out += "," + quoted(attribute.name) + ":" + plain_value(attribute.value);
  }
  return "{" + (out.empty() ? "" : out.substr(1)) + "}";
}

// Bytes whose end is the end of a page that is followed by no other: reading behind them ends the
// process.
class BytesBeforeTheEnd {
 public:
  explicit BytesBeforeTheEnd(std::string_view bytes) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    size_ = (bytes.size() / page + 2) * page;
    start_ = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char* const end = static_cast<char*>(start_) + size_ - page;
    EXPECT_EQ(::mprotect(end, page, PROT_NONE), 0);
    char* const at = end - bytes.size();
    std::memcpy(at, bytes.data(), bytes.size());
    view_ = {at, bytes.size()};
  }
  ~BytesBeforeTheEnd() { ::munmap(start_, size_); }
  BytesBeforeTheEnd(const BytesBeforeTheEnd&) = delete;
  BytesBeforeTheEnd& operator=(const BytesBeforeTheEnd&) = delete;

  std::string_view view() const { return view_; }

 private:
  void* start_ = nullptr;
  std::size_t size_ = 0;
  std::string_view view_;
};

void expect_text(const std::string& bytes) {
  const BytesBeforeTheEnd placed(bytes);
  const storage::ItemView item(placed.view());
  std::string out = "before";
  append_item(out, item);
  EXPECT_EQ(out, "before" + plain_item(item));
}

std::string item_of(std::string_view name, std::string_view text) {
  std::string bytes;
  storage::ValueWriter writer(bytes);
  writer.begin_item();
  writer.name(name);
  writer.string(text);
  writer.end_item();
  return bytes;
}

TEST(ItemText, LengthsOfNamesAndTexts) {
  for (std::size_t name = 1; name < 150; ++name) {
    for (std::size_t text = 0; text < 150; ++text) {
      expect_text(item_of(std::string(name, 'n'), std::string(text, 't')));
    }
  }
  for (const std::size_t size :
       {200UL, 950UL, 960UL, 1'000UL, 1'023UL, 1'024UL, 1'025UL, 60'000UL}) {
    for (std::size_t more = 0; more < 40; ++more) {
      expect_text(item_of("n", std::string(size + more, 't')));
      expect_text(item_of(std::string(size + more, 'n'), "t"));
      expect_text(item_of(std::string(size + more, 'n'), std::string(size + more, 't')));
    }
  }
}

TEST(ItemText, EscapesInNamesAndTexts) {
  for (const char special : {'"', '\\', '\n', '\x01', '\0'}) {
    for (std::size_t size = 1; size < 40; ++size) {
      for (std::size_t at = 0; at < size; ++at) {
        std::string text(size, 'a');
        text[at] = special;
        expect_text(item_of(text, "t"));
        expect_text(item_of("n", text));
      }
    }
  }
}

// Items of all types of values, with texts of all lengths and some bytes to escape.
class RandomItems {
 public:
  explicit RandomItems(unsigned seed) : random_(seed) {}

  std::string next() {
    std::string bytes;
    storage::ValueWriter writer(bytes);
    writer.begin_item();
    write_members(writer, 0);
    writer.end_item();
    return bytes;
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  std::string text() {
    const std::size_t most = below(20) == 0 ? 1'500 : 40;
    std::string text(below(most), 'x');
    if (below(5) == 0 && !text.empty()) text[below(text.size())] = below(2) == 0 ? '"' : '\x02';
    return text;
  }

  std::string number() {
    std::string digits = below(2) == 0 ? "-" : "";
    const std::size_t count = 1 + below(38);
    const std::size_t point = below(count + 1);
    for (std::size_t i = 0; i < count; ++i) {
      if (i == point) digits += i == 0 ? "0." : ".";
      digits += static_cast<char>('0' + below(10));
    }
    if (below(3) == 0) digits += "E" + std::to_string(static_cast<int>(below(160)) - 80);
    return digits;
  }

  void write_members(storage::ValueWriter& writer, int depth) {
    for (std::size_t i = below(9); i > 0; --i) {
      writer.name(text() + std::to_string(i));
      write_value(writer, depth);
    }
  }

  void write_value(storage::ValueWriter& writer, int depth) {
    switch (below(depth < 4 ? 9 : 7)) {
      case 0:
        return writer.boolean(below(2) == 0);
      case 1:
        return writer.null();
      case 2:
      case 3: {
        storage::NumberError error{};
        const auto parsed = storage::Number::parse(number(), error);
        return writer.number(parsed ? *parsed : storage::Number());
      }
      case 7:
        writer.begin_list();
        for (std::size_t i = below(5); i > 0; --i) write_value(writer, depth + 1);
        return writer.end_list();
      case 8:
        writer.begin_map();
        write_members(writer, depth + 1);
        return writer.end_map();
      default:
        return writer.string(text());
    }
  }

  std::mt19937 random_;
};

TEST(ItemText, ItemsOfAllTypes) {
  RandomItems items(20'261'129);
  for (int i = 0; i < 20'000; ++i) expect_text(items.next());
}

TEST(ItemText, ListsOfItems) {
  RandomItems items(20'261'130);
  for (std::size_t count = 0; count < 60; ++count) {
    std::string out = "[";
    std::string expected = "[";
    ItemList list(out);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string bytes = items.next();
      const storage::ItemView item(bytes);
      const std::size_t before = expected.size();
      expected += (i > 0 ? "," : "") + plain_item(item);
      EXPECT_EQ(list.add(item), expected.size() - before);
    }
    list.finish();
    EXPECT_EQ(out, expected);
  }
}

TEST(ItemText, AnItemWithoutMembers) {
  expect_text("");
  expect_text(std::string(4, '\0'));
}

}  // namespace
}  // namespace magneto::api::json
