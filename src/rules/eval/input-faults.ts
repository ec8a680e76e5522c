import type { Judge } from '../../contracts/eval.js'
import type { VoteFault } from '../votes-faults.js'
import { DEFAULT_WEIGHTS } from '../votes-tally.js'

interface Parts {
  candidates: readonly { name: string }[]
  judges: readonly Judge[]
  spares: readonly Judge[]
  threshold: number | null
}

/** Names that stand twice, a threshold that no votes can reach, a scoring judge without its script. */
export function evalFaults({ candidates, judges, spares, threshold }: Parts): VoteFault[] {
  const most = judges.length * DEFAULT_WEIGHTS.High
  const tooHigh: VoteFault[] =
    threshold === null || threshold <= most
      ? []
      : [{ path: ['threshold'], message: `expected at most ${most}, which is all ${judges.length} judges at High` }]
  return [
    ...twice(candidates, (at) => ['candidates', at, 'name']),
    ...twice([...judges, ...spares], (at) =>
      at < judges.length ? ['judges', at, 'name'] : ['spares', at - judges.length, 'name'],
    ),
    ...tooHigh,
    ...judges.flatMap((judge, at) => scriptFaults(judge, ['judges', at])),
    ...spares.flatMap((judge, at) => scriptFaults(judge, ['spares', at])),
  ]
}

function twice(named: readonly { name: string }[], pathOf: (at: number) => (string | number)[]): VoteFault[] {
  const firsts = new Map<string, number>()
  return named.flatMap(({ name }, at) => {
    const first = firsts.get(name)
    if (first === undefined) firsts.set(name, at)
    if (first === undefined) return []
    return [{ path: pathOf(at), message: `expected each name once, but ${pathOf(first).join('.')} is the same` }]
  })
}

function scriptFaults(judge: Judge, path: (string | number)[]): VoteFault[] {
  if (judge.kind !== 'measure' || judge.measure !== 'score') return []
  return judge.script === null || judge.files === null
    ? [{ path: [...path, 'script'], message: 'expected the scoring script of the judge' }]
    : []
}
