#!/usr/bin/env bash
# Runs a sweep in shares by GNU parallel, here or on hosts over ssh, and merges what they found:
#
#     parallel.sh SHARES FOLDER SWEEP-OPTION…
#     HOSTS=4/ann@lab1,4/ann@lab2 parallel.sh 32 /tmp/out --subject ./my-set --seeds 1..100000
#
# HOSTS is what parallel's --sshlogin takes; without it all runs here, a share for each core. The program and the subject are at the
# same paths everywhere. CARAVAN names the command, by default `caravan simulate`. Run it again to go on after a machine was lost: shares
# that are whole are not run again.
set -euo pipefail
shares=$1 folder=$2
shift 2
mkdir -p "$folder"
# Without a home, as in some CI, parallel finds every command too long.
export HOME="${HOME:-$folder}"
command="${CARAVAN:-caravan simulate} sweep$(printf ' %q' "$@")"
# Output goes to the share's file here, wherever the share runs. A share fails as a whole, and is tried three times.
parallel --will-cite ${HOSTS:+--sshlogin "$HOSTS" --workdir "$PWD"} --joblog "$folder/log" --resume-failed --retries 3 --line-buffer \
    --results "$folder/{}.jsonl" "$command --shard {}/$shares" ::: $(seq "$shares") >/dev/null || true
exec ${CARAVAN:-caravan simulate} merge $(seq -f "$folder/%g.jsonl" "$shares")
