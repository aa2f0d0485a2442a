#include "storage/model/value_writer.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "storage/model/narrow.h"

namespace magneto::storage {

namespace {

void append_length(std::string& out, std::size_t length) {
  for (; length >= 0x80; length >>= 7) out.push_back(static_cast<char>(length | 0x80));
  out.push_back(static_cast<char>(length & 0x7F));
}

void append_bytes(std::string& out, std::string_view bytes) {
  append_length(out, bytes.size());
  out.append(bytes);
}

}  // namespace

void ValueWriter::count_element() {
  if (!open_.empty()) ++open_.back().count;
}

void ValueWriter::scalar(AttributeType type, std::string_view bytes) {
  count_element();
  out_.push_back(static_cast<char>(type));
  append_bytes(out_, bytes);
}

void ValueWriter::string(std::string_view text) { scalar(AttributeType::kString, text); }
void ValueWriter::binary(std::string_view bytes) { scalar(AttributeType::kBinary, bytes); }
void ValueWriter::number(const Number& number) { scalar(AttributeType::kNumber, number.bytes()); }
void ValueWriter::number_bytes(std::string_view bytes) { scalar(AttributeType::kNumber, bytes); }

void ValueWriter::boolean(bool value) {
  count_element();
  out_.push_back(static_cast<char>(AttributeType::kBoolean));
  out_.push_back(value ? '\1' : '\0');
}

void ValueWriter::null() {
  count_element();
  out_.push_back(static_cast<char>(AttributeType::kNull));
}

void ValueWriter::value(AttributeView value) {
  count_element();
  out_.append(value.bytes());
}

void ValueWriter::set(AttributeType type, std::vector<std::string_view> members) {
  if (!std::is_sorted(members.begin(), members.end())) std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  begin(type);
  for (const std::string_view member : members) append_bytes(out_, member);
  open_.back().count = narrow<std::uint32_t>(members.size());
  finish();
}

void ValueWriter::begin(AttributeType type) {
  count_element();
  out_.push_back(static_cast<char>(type));
  out_.append(8, '\0');
  open_.push_back({out_.size() - 4, members_.size(), 0, false, true});
}

void ValueWriter::finish() {
  Container& container = open_.back();
  if (!container.sorted) sort_members(container);
  write_count(out_.data() + container.start, container.count);
  if (!container.is_item) {
    write_count(out_.data() + container.start - 4, out_.size() - container.start);
  }
  members_.resize(container.first_member);
  open_.pop_back();
}

void ValueWriter::elements(AttributeView list) {
  open_.back().count += list.list().size();
  out_.append(list.bytes().substr(9));
}

void ValueWriter::begin_list() { begin(AttributeType::kList); }
void ValueWriter::end_list() { finish(); }
void ValueWriter::begin_map() { begin(AttributeType::kMap); }
void ValueWriter::end_map() { finish(); }

void ValueWriter::begin_item() {
  open_.push_back({out_.size(), members_.size(), 0, true, true});
  out_.append(4, '\0');
}
void ValueWriter::end_item() { finish(); }

void ValueWriter::name(std::string_view name) {
  Container& container = open_.back();
  if (container.sorted && members_.size() > container.first_member) {
    const Member& last = members_.back();
    const std::string_view last_name(out_.data() + last.name_offset, last.name_size);
    container.sorted = compare_names(last_name, name) < 0;
  }
  const std::size_t offset = out_.size();
  append_bytes(out_, name);
  members_.push_back({offset, out_.size() - name.size(), name.size()});
}

void ValueWriter::sort_members(Container& container) {
  const std::size_t body = container.start + 4;
  scratch_.assign(out_, body);
  struct Run {
    std::string_view name;
    std::string_view bytes;  // of the whole member
  };
  const std::size_t count = members_.size() - container.first_member;
  constexpr std::size_t kFew = 16;
  absl::InlinedVector<Run, kFew> all(count);
  const std::span runs(all.data(), count);
  const char* const scratch = scratch_.data();
  for (std::size_t i = 0; i < count; ++i) {
    const Member& member = members_[container.first_member + i];
    const std::size_t end = i + 1 < count ? (&member)[1].offset : out_.size();
    runs[i] = {{scratch + (member.name_offset - body), member.name_size},
               {scratch + (member.offset - body), end - member.offset}};
  }
  // Of equal names the later stays behind the earlier. The library's stable sort allocates.
  const auto is_before = [](const Run& a, const Run& b) {
    return compare_names(a.name, b.name) < 0;
  };
  if (count <= kFew) {
    for (std::size_t i = 1; i < count; ++i) {
      const Run run = runs[i];
      std::size_t at = i;
      for (; at > 0 && is_before(run, runs[at - 1]); --at) runs[at] = runs[at - 1];
      runs[at] = run;
    }
  } else {
    std::stable_sort(runs.begin(), runs.end(), is_before);
  }
  char* to = out_.data() + body;
  container.count = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i + 1 < count && runs[i + 1].name == runs[i].name) continue;
    std::memcpy(to, runs[i].bytes.data(), runs[i].bytes.size());
    to += runs[i].bytes.size();
    ++container.count;
  }
  out_.resize(static_cast<std::size_t>(to - out_.data()));
}

}  // namespace magneto::storage
