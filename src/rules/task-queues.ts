/** `light`: workflows and short activities; `tools`: compilers, gates, reducers; `agents`: waiting on others. */
export const LANES = ['light', 'tools', 'agents'] as const
export type Lane = (typeof LANES)[number]

/** Task queues carry the store's id, so that a worker without that store never gets its work: 'gauntlet@ab12cd34'. */
export function queueOf(storeId: string): string {
  return `gauntlet@${storeId}`
}

/** 'gauntlet@ab12cd34' and 'tools' make 'gauntlet-tools@ab12cd34'. */
export function queueFor(lane: Lane, baseQueue: string): string {
  return lane === 'light' ? baseQueue : baseQueue.replace(/^gauntlet/, `gauntlet-${lane}`)
}
