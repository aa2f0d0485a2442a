#pragma once

namespace magneto::server::tools {

// Runs "magneto replay ...". The exit status: 0 when all answers are alike, 1 when some differ or it
// failed, with a sentence on stderr, 2 after a usage error.
int run_replay_command(int argc, const char* const* argv);

}  // namespace magneto::server::tools
