#include "storage/encoding/schema_encoding.h"

#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "storage/encoding/keyspace.h"

namespace magneto::storage {

namespace {

constexpr std::uint16_t kFormat = 1;

template <typename T, template <typename...> class Template>
inline constexpr bool is_a = false;
template <template <typename...> class Template, typename... Args>
inline constexpr bool is_a<Template<Args...>, Template> = true;

bool is_valid(AttributeType type) {
  return type == AttributeType::kString || type == AttributeType::kNumber ||
         type == AttributeType::kBinary;
}
bool is_valid(ProjectionType type) { return type <= ProjectionType::kInclude; }
bool is_valid(ResourceStatus status) { return status <= ResourceStatus::kDeleting; }
bool is_valid(BillingMode mode) { return mode <= BillingMode::kPayPerRequest; }

// The fields of each struct, once for both directions. A struct of another number of members than
// the names to its left does not compile, so none can be forgotten.
template <typename Archive>
void visit(Archive& archive, auto& object) {
  using Object = std::remove_const_t<std::remove_reference_t<decltype(object)>>;
  if constexpr (std::same_as<Object, KeyAttribute> || std::same_as<Object, KeySchema> ||
                std::same_as<Object, Projection> || std::same_as<Object, OnDemandThroughput> ||
                std::same_as<Object, WarmThroughput>) {
    auto& [a, b] = object;
    archive.fields(a, b);
  } else if constexpr (std::same_as<Object, StreamSpecification> ||
                       std::same_as<Object, ServerSideEncryption>) {
    auto& [a, b, c] = object;
    archive.fields(a, b, c);
  } else if constexpr (std::same_as<Object, ProvisionedThroughput>) {
    auto& [a, b, c, d, e] = object;
    archive.fields(a, b, c, d, e);
  } else if constexpr (std::same_as<Object, IndexSchema>) {
    auto& [name, number, is_global, key, projection, status, backfilling, provisioned, on_demand,
           warm] = object;
    archive.fields(name, number, is_global, key, projection, status, backfilling, provisioned,
                   on_demand, warm);
  } else {
    static_assert(std::same_as<Object, TableSchema>);
    auto& [name, id, region, account, created, number, attribute_definitions, key, indexes,
           next_index_number, billing, billing_mode_given, pay_per_request_since, provisioned,
           on_demand, warm, table_class, deletion_protection, status, stream, encryption, tags,
           partition_count] = object;
    archive.fields(name, id, region, account, created, number, attribute_definitions, key, indexes,
                   next_index_number, billing, billing_mode_given, pay_per_request_since,
                   provisioned, on_demand, warm, table_class, deletion_protection, status, stream,
                   encryption, tags, partition_count);
  }
}

class SchemaWriter {
 public:
  std::string take() { return std::move(out_); }

  void fields(const auto&... values) { (field(values), ...); }

 private:
  template <typename T>
  void field(const T& value) {
    if constexpr (std::same_as<T, std::string>) {
      append_uint32(out_, static_cast<std::uint32_t>(value.size()));
      out_.append(value);
    } else if constexpr (std::same_as<T, bool> || std::is_enum_v<T>) {
      out_.push_back(static_cast<char>(value));
    } else if constexpr (std::same_as<T, double>) {
      append_uint64(out_, std::bit_cast<std::uint64_t>(value));
    } else if constexpr (std::integral<T> && sizeof(T) == 2) {
      append_uint16(out_, static_cast<std::uint16_t>(value));
    } else if constexpr (std::integral<T> && sizeof(T) == 4) {
      append_uint32(out_, static_cast<std::uint32_t>(value));
    } else if constexpr (std::integral<T>) {
      append_uint64(out_, static_cast<std::uint64_t>(value));
    } else if constexpr (is_a<T, std::optional>) {
      field(value.has_value());
      if (value) field(*value);
    } else if constexpr (is_a<T, std::vector>) {
      append_uint32(out_, static_cast<std::uint32_t>(value.size()));
      for (const auto& element : value) field(element);
    } else if constexpr (is_a<T, std::pair>) {
      fields(value.first, value.second);
    } else {
      visit(*this, value);
    }
  }

  std::string out_;
};

class SchemaReader {
 public:
  explicit SchemaReader(std::string_view rest) : rest_(rest) {}

  bool at_end() const { return rest_.empty(); }

  void fields(auto&... values) { (field(values), ...); }

 private:
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) throw std::runtime_error("the table schema is damaged: it ends early");
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }

  template <typename T>
  void field(T& value) {
    if constexpr (std::same_as<T, std::string>) {
      value = take(read_uint32(take(4)));
    } else if constexpr (std::same_as<T, bool>) {
      const char byte = take(1).front();
      value = byte == 1;
      if (byte != 0 && byte != 1)
        throw std::runtime_error("the table schema is damaged: not a flag");
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(take(1).front());
      if (!is_valid(value)) throw std::runtime_error("the table schema is damaged: unknown kind");
    } else if constexpr (std::same_as<T, double>) {
      value = std::bit_cast<double>(read_uint64(take(8)));
    } else if constexpr (std::integral<T> && sizeof(T) == 2) {
      value = static_cast<T>(read_uint16(take(2)));
    } else if constexpr (std::integral<T> && sizeof(T) == 4) {
      value = static_cast<T>(read_uint32(take(4)));
    } else if constexpr (std::integral<T>) {
      value = static_cast<T>(read_uint64(take(8)));
    } else if constexpr (is_a<T, std::optional>) {
      bool present = false;
      field(present);
      if (present) field(value.emplace());
    } else if constexpr (is_a<T, std::vector>) {
      // A wrong count meets the end of the record before it can take much memory.
      for (std::uint32_t left = read_uint32(take(4)); left > 0; --left) field(value.emplace_back());
    } else if constexpr (is_a<T, std::pair>) {
      fields(value.first, value.second);
    } else {
      visit(*this, value);
    }
  }

  std::string_view rest_;
};

}  // namespace

std::string encode_schema(const TableSchema& table) {
  SchemaWriter writer;
  writer.fields(kFormat, table);
  return writer.take();
}

TableSchema decode_schema(std::string_view record) {
  SchemaReader reader(record);
  std::uint16_t format = 0;
  reader.fields(format);
  if (format > kFormat) {
    throw std::runtime_error("the table schema has format " + std::to_string(format) +
                             ", newer than this version of Magneto can read (" +
                             std::to_string(kFormat) + ")");
  }
  if (format == 0) throw std::runtime_error("the table schema is damaged: no format");
  TableSchema table;
  reader.fields(table);
  if (!reader.at_end()) throw std::runtime_error("the table schema is damaged: bytes at its end");
  return table;
}

}  // namespace magneto::storage
