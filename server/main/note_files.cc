#include "server/main/note_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/bulk/jobs/job_ledger.h"
#include "server/feeds/delivery/delivery_positions.h"
#include "server/formats/table_list.h"
#include "server/main/start_messages.h"
#include "server/system/descriptor.h"
#include "server/system/whole_file.h"
#include "server/tools/schema/unfinished_tables.h"

namespace magneto::server::main {
namespace {

namespace fs = std::filesystem;
using Durability = storage::Notes::Durability;

bool is_job(std::string_view name, std::string_view text) {
  return bulk::JobLedger::read_note(name, std::string(text)).has_value();
}
bool are_positions(std::string_view /*name*/, std::string_view text) {
  return feeds::parse_positions(text).has_value();
}
bool are_unfinished_tables(std::string_view /*name*/, std::string_view text) {
  return tools::schema::UnfinishedTables::parse(text).has_value();
}
bool are_tables(std::string_view /*name*/, std::string_view text) {
  return formats::read_table_list(text).has_value();
}
bool is_anything(std::string_view /*name*/, std::string_view /*text*/) { return true; }

// The files of one folder that have one kind of note.
struct NoteFiles {
  const char* folder;
  const char* suffix;
  bool (*is_readable)(std::string_view name, std::string_view text);
  const char* without;  // the consequence of deleting a file
};
constexpr std::array kNoteFiles = {
    NoteFiles{"", "schema-tables.begun", &are_unfinished_tables, messages::kTablesStay},
    NoteFiles{"jobs/", ".json", &is_job, messages::kJobIsForgotten},
    NoteFiles{"deliveries/", ".position", &are_positions, messages::kChangesAreSentAgain},
    NoteFiles{"event-sources/", ".position", &are_positions, messages::kChangesAreSentAgain},
    NoteFiles{"dynamodb-local/", ".importing", &are_tables, messages::kTablesStay},
    NoteFiles{"dynamodb-local/", ".imported", &is_anything, ""}};
// Earlier versions wrote a draft of each file first.
constexpr const char* kDraft = ".new";
constexpr std::size_t kMaxMegabytes = storage::Notes::kMaxSize >> 20;

struct FoundFile {
  std::string name;  // in the data directory
  const NoteFiles* kind;
};

struct FoundFiles {
  std::vector<FoundFile> notes;
  std::vector<std::string> drafts;
};

void find_files_of(const NoteFiles& kind, const std::string& data_directory, FoundFiles& found) {
  const std::string folder = absl::StrCat(data_directory, "/", kind.folder);
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.ends_with(kind.suffix)) {
      found.notes.push_back({absl::StrCat(kind.folder, name), &kind});
    } else if (name.ends_with(absl::StrCat(kind.suffix, kDraft))) {
      found.drafts.push_back(absl::StrCat(kind.folder, name));
    }
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    throw std::runtime_error(messages::kNoteFileUnreadable(folder, error.message()));
  }
}

FoundFiles find_files(const std::string& data_directory) {
  FoundFiles found;
  for (const NoteFiles& kind : kNoteFiles) find_files_of(kind, data_directory, found);
  return found;
}

std::string read_note(const std::string& path, const FoundFile& file) {
  std::string text;
  try {
    text = system::read_whole_file(path, kMaxMegabytes).text;
  } catch (const system::UnreadableFile& error) {
    throw std::runtime_error(messages::kNoteFileUnreadable(path, error.what()));
  }
  if (file.kind->is_readable(file.name, text)) return text;
  throw std::runtime_error(messages::kNoteFileDamaged(path, file.kind->without));
}

void delete_file(const std::string& path) {
  std::error_code error;
  if (!fs::remove(path, error) && error) {
    throw std::runtime_error(messages::kNoteFileStays(path, error.message()));
  }
}

// Waits for the disk: a file that came back after loss of power would replace a newer note.
void delete_files(const std::string& data_directory, const FoundFiles& found) {
  for (const std::string& draft : found.drafts)
    delete_file(absl::StrCat(data_directory, "/", draft));
  for (const FoundFile& file : found.notes)
    delete_file(absl::StrCat(data_directory, "/", file.name));
  for (const NoteFiles& kind : kNoteFiles) {
    std::error_code ignored;  // a folder that is not empty stays
    if (*kind.folder != '\0') fs::remove(fs::path(data_directory) / kind.folder, ignored);
  }
  const system::Descriptor disk(::open(data_directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (disk.get() >= 0 && ::syncfs(disk.get()) == 0) return;
  throw std::runtime_error(
      messages::kNoteFileStays(data_directory, std::generic_category().message(errno)));
}

}  // namespace

void migrate_note_files(const std::string& data_directory, storage::Notes& notes) {
  const FoundFiles found = find_files(data_directory);
  if (found.notes.empty() && found.drafts.empty()) return;
  std::vector<std::string> texts;
  for (const FoundFile& file : found.notes) {
    texts.push_back(read_note(absl::StrCat(data_directory, "/", file.name), file));
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool is_last = i + 1 == texts.size();
    notes.put(found.notes[i].name, std::move(texts[i]),
              is_last ? Durability::kPower : Durability::kProcess);
  }
  delete_files(data_directory, found);
}

}  // namespace magneto::server::main
