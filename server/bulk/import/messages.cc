#include "server/bulk/import/messages.h"

#include <fmt/format.h>

#include "server/system/counted.h"

namespace magneto::server::bulk::messages {

std::string import_progress(std::uint64_t put, double per_second, double percent) {
  if (percent < 0)
    return fmt::format("{}, {:.0f} a second", system::counted(put, "item"), per_second);
  return fmt::format("{:3.0f} %  {}, {:.0f} a second", percent, system::counted(put, "item"),
                     per_second);
}

std::string checking_export(std::size_t files, std::string_view folder) {
  return fmt::format("Checking the MD5 of {} of the export in {}", system::counted(files, "file"),
                     folder);
}

std::string import_done(std::uint64_t put, std::string_view table, double seconds,
                        std::uint64_t passed_over) {
  return fmt::format("{} {} put into table {} in {:.1f} s, {} {} passed over",
                     system::counted(put, "item"), system::were(put), table, seconds,
                     system::counted(passed_over, "record"), system::were(passed_over));
}

std::string import_stopped(std::string_view why, std::uint64_t put, std::string_view table) {
  return fmt::format("{}\nThe import stopped; {} put before {} in table {}", why,
                     system::counted(put, "item"), put == 1 ? "stays" : "stay", table);
}

std::string passed_over(std::uint64_t count, std::string_view first) {
  return fmt::format("{} {} passed over; the first: {}", system::counted(count, "record"),
                     system::were(count), first);
}

}  // namespace magneto::server::bulk::messages
