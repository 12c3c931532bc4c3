#!/usr/bin/env bash
# Compiles the proofs into build/coq, re-checks the compiled files with coqchk, and fails on any assumption.
# Leaves build/coq/record: what was built, from which sources, and the theorems that were found closed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/../../build/coq}
modules="Modes Coalesce Shapes Compose Division Complement Divide Inverse Completeness Swizzle"

if ! command -v coqc >/dev/null || ! command -v coqchk >/dev/null; then
    echo "make coq needs coqc and coqchk: apt-get install --no-install-recommends coq" >&2
    exit 1
fi
mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -f "$out"/record "$out"/*.v "$out"/*.vo
for module in $modules; do
    cp "$here/$module.v" "$out/"
    (cd "$out" && coqc -q -Q . Veritile "$module.v")
done
"$here/check_assumptions.sh" "$out"
(
    cd "$out"
    for module in $modules; do sha256sum "$module.v" "$module.vo"; done
    echo "coq  $(coqc --print-version | cut -d' ' -f1)"
    sed 's/^/theorem  /' theorems
) >"$out/record.new"
mv "$out/record.new" "$out/record"
echo "$(grep -c ^theorem "$out/record") theorems compiled and checked with coqchk; no assumption"
