#pragma once

#include <string>

#include "storage/notes.h"

namespace magneto::server::main {

// Moves the notes that earlier versions kept in files of the data directory into the store. Each file
// becomes the note whose name is the file's path in the data directory, and replaces an existing note.
// The files are deleted once all notes are on the disk. If the process is killed meanwhile, the next
// start repeats the migration. Call this before anything else reads or writes notes. Throws
// std::runtime_error with a sentence for the user, also for a damaged file; no file is deleted then.
// Throws storage::EngineError if the store cannot be written.
void migrate_note_files(const std::string& data_directory, storage::Notes& notes);

}  // namespace magneto::server::main
