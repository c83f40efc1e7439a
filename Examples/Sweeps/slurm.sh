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
exec ${CARAVAN:-caravan simulate} sweep "$@" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
