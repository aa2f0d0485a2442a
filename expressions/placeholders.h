#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "storage/model/attribute_value.h"

namespace magneto::expressions {

// ExpressionAttributeNames and ExpressionAttributeValues of one request. Records which of them the
// expressions bound so far have used. Views into the request. Not thread-safe.
class Placeholders {
 public:
  // `placeholder` includes the leading '#' or ':'. If one is added twice, the last one counts.
  void add_name(std::string_view placeholder, std::string_view attribute);
  void add_value(std::string_view placeholder, storage::AttributeView value);

  // nullptr or an absent value if the placeholder is undefined; otherwise marks it as used.
  const std::string_view* use_name(std::string_view placeholder);
  storage::AttributeView use_value(std::string_view placeholder);

  // Bytes of the values, as item_size counts them.
  std::size_t values_size() const;

  // Placeholders that no expression used, in the order in which they were added.
  std::vector<std::string_view> unused_names() const;
  std::vector<std::string_view> unused_values() const;

 private:
  template <typename Bound>
  struct Entry {
    std::string_view placeholder;
    Bound bound;
    bool used;
  };

  // Searches few entries linearly, and more through an index, as a request may have a hundred
  // thousand.
  template <typename Bound>
  class Table {
   public:
    void add(std::string_view placeholder, Bound bound);
    const Bound* use(std::string_view placeholder);
    std::vector<std::string_view> unused() const;
    template <typename Visit>
    void visit(Visit visit) const {
      for (const Entry<Bound>& entry : entries_) visit(entry.bound);
    }

   private:
    static constexpr std::size_t kFew = 16;
    Entry<Bound>* find(std::string_view placeholder);

    std::vector<Entry<Bound>> entries_;
    // Index of the first indexed_ entries, used if there are more than kFew.
    std::unordered_map<std::string_view, std::size_t> by_placeholder_;
    std::size_t indexed_ = 0;
  };

  Table<std::string_view> names_;
  Table<storage::AttributeView> values_;
};

}  // namespace magneto::expressions
