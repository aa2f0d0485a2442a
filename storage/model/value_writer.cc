#include "storage/model/value_writer.h"

#include <algorithm>

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

void write_count(char* at, std::size_t wide) {
  const auto count = narrow<std::uint32_t>(wide);
  for (int i = 0; i < 4; ++i) at[i] = static_cast<char>(count >> (8 * i));
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

ValueWriter::Mark ValueWriter::place() const {
  Mark place;
  place.size_ = out_.size();
  place.members_ = members_.size();
  place.count_ = open_.back().count;
  place.sorted_ = open_.back().sorted;
  return place;
}

void ValueWriter::take_back(const Mark& place) {
  out_.resize(place.size_);
  members_.resize(place.members_);
  open_.back().count = place.count_;
  open_.back().sorted = place.sorted_;
}

void ValueWriter::name(std::string_view name) {
  Container& container = open_.back();
  if (container.sorted && members_.size() > container.first_member) {
    const Member& last = members_.back();
    container.sorted = std::string_view(out_).substr(last.name_offset, last.name_size) < name;
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
  absl::InlinedVector<Run, 16> runs;
  for (std::size_t i = container.first_member; i < members_.size(); ++i) {
    const Member& member = members_[i];
    const std::size_t end = i + 1 < members_.size() ? members_[i + 1].offset : out_.size();
    const std::string_view scratch(scratch_);
    runs.push_back({scratch.substr(member.name_offset - body, member.name_size),
                    scratch.substr(member.offset - body, end - member.offset)});
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const Run& a, const Run& b) { return a.name < b.name; });
  out_.resize(body);
  container.count = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i + 1 < runs.size() && runs[i + 1].name == runs[i].name) continue;
    out_.append(runs[i].bytes);
    ++container.count;
  }
}

}  // namespace magneto::storage
