import { rankNow } from './conclusion.js'
import { isScreened } from './knock-out.js'
import { MODES, type Upgrade, upgradeMode } from './modes.js'
import type { EvalProgress } from './progress.js'

/** Once round 1 is settled: the deeper modes that this evaluation goes on with, because its own cannot decide. */
export function deepenAfterVote(progress: EvalProgress): Upgrade[] {
  const { out } = progress
  const ups: Upgrade[] = []
  const found = { gap: gapOf(progress), hasEliminated: out.length > 0, criticalFound: false }
  let up = isScreened(progress) ? upgradeMode(progress.mode, found) : null
  for (; up !== null; up = upgradeMode(up.to, found)) ups.push(up)
  return ups
}

/** Takes an upgrade; the rounds follow the mode. */
export function deepen(progress: EvalProgress, upgrade: Upgrade): void {
  progress.upgrades.push(upgrade)
  progress.mode = upgrade.to
  progress.rounds = MODES[upgrade.to].rounds
}

/** Between the mean scores of the two best. */
function gapOf(progress: EvalProgress): number | null {
  const [best = null, next = null] = rankNow(progress).ranking.map(({ mean }) => mean)
  return best === null || next === null ? null : best - next
}
