#!/usr/bin/env bash
#SBATCH --job-name=sweep
#SBATCH --array=1-32
#SBATCH --output=sweep-%a.jsonl
#SBATCH --error=sweep-%a.err
#SBATCH --requeue
# A share for each task of a Slurm array; the folder is one that all machines see. Then, when all have ended:
#
#     sbatch --wait slurm.sh --subject ./my-set --seeds 1..100000
#     caravan simulate merge sweep-*.jsonl
#
# Slurm runs a share again when its machine failed, and this script when the worker was killed, as for want of memory: three times at most.
set -uo pipefail
${CARAVAN:-caravan simulate} sweep "$@" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
status=$?
if [ "$status" -gt 128 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then scontrol requeue "$SLURM_JOB_ID"; fi
exit "$status"
