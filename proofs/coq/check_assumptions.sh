#!/usr/bin/env bash
# Fails when a compiled module rests on an axiom, or when a theorem that README.md names is missing or not closed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "${1:-$here/../../build/coq}"

if grep -nE '\b(Admitted|Axiom|Axioms|Parameter|Parameters|Conjecture|admit|Abort)\b|bypass_check|Unset +(Guard|Positivity|Universe)' ./*.v; then
    echo "an escape hatch in the sources" >&2
    exit 1
fi

# The kernel reads the compiled files again, without the tactics that made them.
modules=(*.vo)
coqchk -silent -o -Q . Veritile "${modules[@]/#/}" >coqchk.log 2>&1 || { cat coqchk.log >&2; exit 1; }
for part in Axioms "Constants/Inductives relying on type-in-type" "Constants/Inductives relying on unsafe (co)fixpoints" \
    "Inductives whose positivity is assumed"; do
    grep -qF "* $part: <none>" coqchk.log || { echo "coqchk does not say '$part: <none>'" >&2; cat coqchk.log >&2; exit 1; }
done

# Print Assumptions of every theorem named in the table.
grep -oE '^\| `[A-Z][A-Za-z]*\.[a-z0-9_]+`' "$here/README.md" | grep -oE '[A-Z][A-Za-z]*\.[a-z0-9_]+' >theorems
mkdir -p check
for module in *.vo; do echo "From Veritile Require ${module%.vo}."; done >check/Assumptions.v
sed 's/.*/Print Assumptions &./' theorems >>check/Assumptions.v
coqc -q -Q . Veritile check/Assumptions.v >assumptions.log 2>&1 || { cat assumptions.log >&2; exit 1; }
named=$(wc -l <theorems)
closed=$(grep -c '^Closed under the global context$' assumptions.log || true)
if [ "$named" -eq 0 ] || [ "$named" -ne "$closed" ] || grep -qvE '^(Closed under the global context)?$' assumptions.log; then
    echo "$closed of $named named theorems are closed" >&2
    grep -vE '^(Closed under the global context)?$' assumptions.log >&2
    exit 1
fi
