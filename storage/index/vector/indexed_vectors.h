#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"
#include "absl/functional/function_ref.h"
#include "storage/index/vector/vector_rows.h"
#include "storage/model/attribute_value.h"

namespace magneto::storage {

// The vectors of one vector index with the keys of their entries and the values that inline filters
// compare. The vectors of each partition (a HASH value) are separate. Const calls may run
// concurrently.
class IndexedVectors {
  struct Group;

 public:
  // `filters`: how many INLINE_FILTER attributes the index has.
  IndexedVectors(std::uint32_t dimensions, DistanceFunction function, std::size_t filters);
  ~IndexedVectors();
  IndexedVectors(const IndexedVectors&) = delete;
  IndexedVectors& operator=(const IndexedVectors&) = delete;

  // An entry with its vector. `values`: one for each filter, by their names, which are short; an
  // absent value has an empty name.
  struct Entry {
    std::string_view key;
    std::string_view partition;
    std::span<const std::string> values;
    std::span<const float> vector;
  };
  static std::vector<std::string> names_of(std::span<const AttributeView> values);
  // Sets the vector of the entry with that key. Throws std::length_error, and changes nothing of other
  // entries, if it has another length than the dimensions.
  void put(const Entry& entry);

  // The place of an entry; valid until the entry is removed.
  struct Place {
    Group* group;
    VectorRows::Slot slot;
  };
  // As put(), but without reading the vector, which set() gives before any search. Otherwise the entry
  // must be removed again.
  Place put_place(const Entry& entry);
  // Calls for different places may run concurrently.
  static void set(const Place& place, std::span<const float> vector);

  // Calls the action for each vector until it returns false; false then. An entry is valid during its
  // call.
  bool for_each(absl::FunctionRef<bool(const Entry&)> action) const;
  // Does nothing if there is no such entry.
  void remove(std::string_view key);
  void remove(const Place& place);

  struct Found {
    const std::string* key;  // of the entry; valid until the next change
    std::span<const float> vector;
    float score;
  };
  // The best vectors of one partition whose values equal the given ones; absent values are ignored.
  std::vector<Found> search(std::string_view partition, std::span<const AttributeView> values,
                            std::span<const float> query, std::size_t count) const;
  // How many vectors a search of that partition examines.
  std::size_t size_of(std::string_view partition) const;

  std::size_t size() const { return places_.size(); }
  // All memory that it uses, with the keys.
  std::size_t bytes() const;

 private:
  using ValueNumber = std::uint32_t;  // 0: absent
  // The values of one filter attribute; a value has a number while any entry has it.
  class Values {
   public:
    ValueNumber take(const std::string& name);
    std::string_view name_of(ValueNumber number) const;  // empty: absent
    void give_back(ValueNumber number);
    ValueNumber find(AttributeView value) const;  // 0 if no entry has it
    std::size_t bytes() const { return bytes_; }

   private:
    absl::node_hash_map<std::string, ValueNumber> numbers_;
    struct Use {
      const std::string* value = nullptr;
      std::size_t count = 0;
    };
    std::vector<Use> uses_;  // by number - 1
    std::vector<ValueNumber> free_;
    std::size_t bytes_ = 0;
  };

  Place add(const Entry& entry);
  void forget(const Place& place);

  const std::uint32_t dimensions_;
  const DistanceFunction function_;
  std::vector<Values> values_;  // of each filter
  absl::flat_hash_map<std::string, std::unique_ptr<Group>> groups_;
  absl::node_hash_map<std::string, Place> places_;  // by the key of the entry
  std::size_t key_bytes_ = 0;
};

}  // namespace magneto::storage
