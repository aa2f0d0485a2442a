#!/usr/bin/env bash
# make.sh <folder>: builds the program of each SDK whose tools are on this machine into <folder>/<language>, and
# prints the languages, one a line. Those left out, and what each lacks, are said on stderr.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)

say() { printf '==> %s\n' "$*" >&2; }

# leave_out <language> <reason>
leave_out() {
  local tests="conformance_sdk_$1, conformance_kit_${1/java/junit} and conformance_package_$1"
  [[ $1 == rust ]] && tests="conformance_sdk_rust and conformance_kit_rust"
  [[ $1 == newest* ]] && tests="conformance_sdk_$1"
  say "Left out: $tests, $2"
}

# has <language> <tool> <least version> <command that prints its version ...>: says what is missing.
has() {
  local language=$1 tool=$2 least=$3 version
  shift 3
  command -v "$tool" >/dev/null || {
    leave_out "$language" "there is no $tool"
    return 1
  }
  [[ $("$@" 2>&1 | sed 's/\x1b\[[0-9]*m//g') =~ [0-9]+(\.[0-9]+)* ]] || true
  version=${BASH_REMATCH[0]:-0}
  [[ $(printf '%s\n' "$least" "$version" | sort -V | head -n 1) == "$least" ]] || {
    leave_out "$language" "$tool $version is older than $least"
    return 1
  }
}

has_go() { GOTOOLCHAIN=local has go go 1.24 go version; }
has_rust() { has rust cargo 1.94.1 cargo --version; }
has_java() { has java javac 17 javac -version && has java mvn 3.6.3 mvn --version; }

has_newest() { has newest node 20 node --version && has newest npm 8 npm --version; }
has_newest_python() { has newest_python python3 3.10 python3 --version && python3 -c 'import ensurepip' >&2; }

make_newest() {
  mkdir -p "$folder/newest"
  cp "$here/newest/package.json" "$here/newest/package-lock.json" \
    "$here/../javascript/commands/commands.test.mjs" "$here/../javascript/waiters/every_waiter.test.mjs" \
    "$here/newest/retries.test.mjs" "$folder/newest"
  (cd "$folder/newest" && npm ci --silent --no-audit --no-fund)
}

make_newest_python() {
  [[ $here/newest/requirements.txt -nt $folder/newest_python/installed ]] || return 0
  python3 -m venv --clear "$folder/newest_python"
  "$folder/newest_python/bin/pip" install -q --disable-pip-version-check --no-input --no-deps --require-hashes \
    -r "$here/newest/requirements.txt"
  touch "$folder/newest_python/installed"
}

make_go() { (cd "$here/go" && GOTOOLCHAIN=local go build -mod=readonly -o "$folder/go/acceptance" .); }

make_rust() { (cd "$here/rust" && CARGO_TARGET_DIR=$folder/rust cargo build --quiet --locked); }

make_java() {
  rm -rf "$folder/java/libraries" # of an older version, maybe
  mvn --quiet --batch-mode --file "$here/java/pom.xml" "-Dfolder=$folder/java" package
  rm -rf "$folder/package_java" # what packages/java is compiled against
  mvn --quiet --batch-mode --file "$here/../../packages/java/pom.xml" "-DoutputDirectory=$folder/package_java" \
    dependency:copy-dependencies
  rm -rf "$folder/kcl/libraries"
  mvn --quiet --batch-mode --file "$here/kcl/pom.xml" "-Dfolder=$folder/kcl" package
}

for language in java go rust newest newest_python; do
  "has_$language" || continue
  say "Building the program of the $language SDK (the first time takes some minutes)"
  "make_$language" </dev/null >&2 || {
    say "The program of the $language SDK could not be built: are its registries within reach?"
    exit 1
  }
  printf '%s\n' "$language"
done
