#pragma once

namespace magneto::server::tools {

// Runs "magneto replay ...". Returns the exit status: 0 if all answers are equal; 1 if some differ,
// or after a failure, with a sentence on stderr; 2 after a usage error.
int run_replay_command(int argc, const char* const* argv);

}  // namespace magneto::server::tools
