import type { Attack } from '../contracts/eval-answers.js'
import { rankNow } from '../rules/eval/conclusion.js'
import { deepen } from '../rules/eval/deepen.js'
import type { AttackExtract } from '../rules/eval/extracts.js'
import { roundEnd } from '../rules/eval/gates.js'
import { MODES, upgradeMode } from '../rules/eval/modes.js'
import { agentSeats } from '../rules/eval/progress.js'
import type { RoundEnd } from '../rules/eval/schedule.js'
import { askJudge, commonInput, fromSeat, type Jury, shownAs } from './eval-jury.js'

/** Round 3: the leaders are attacked, each by the judges that think least of it. A Critical defect may call for more attacks. */
export async function holdAttack(jury: Jury): Promise<RoundEnd> {
  const { input, progress } = jury
  const orders = attackOrders(jury)
  await attackAll(jury, orders)
  const criticalFound = progress.attacks.some(({ criticals }) => criticals > 0)
  const deeper = upgradeMode(progress.mode, { gap: null, hasEliminated: true, criticalFound })
  if (input.rounds === null && deeper !== null && progress.mode === 'thorough') {
    deepen(progress, deeper)
    const isNew = (order: AttackOrder) =>
      !orders.some((each) => each.seat === order.seat && each.candidate === order.candidate)
    const more = attackOrders(jury).filter(isNew)
    await attackAll(jury, more)
    orders.push(...more)
  }
  return roundEnd(progress.attacks.length, orders.length)
}

interface AttackOrder {
  seat: number
  candidate: number
}

/** Those who were attacked already, then whoever leads now, as many as the mode says. */
function attackOrders({ progress }: Jury): AttackOrder[] {
  const { leaders, advocates } = MODES[progress.mode]
  const { ranking } = rankNow(progress)
  const seats = agentSeats(progress)
  const attacked = progress.attacks.map(({ candidate }) => candidate)
  const chosen = new Set([...attacked, ...ranking.map(({ candidate }) => candidate)])
  return [...chosen].slice(0, leaders).flatMap((candidate) => {
    const scoreOf = (seat: number) => progress.cells[seat]?.[candidate]?.score ?? Infinity
    const harshest = [...seats].sort((one, other) => scoreOf(one) - scoreOf(other) || one - other)
    return harshest.slice(0, advocates).map((seat) => ({ seat, candidate }))
  })
}

/** All at once but for a judge that has several: it takes one after the other. */
async function attackAll(jury: Jury, orders: readonly AttackOrder[]): Promise<void> {
  const seats = [...new Set(orders.map(({ seat }) => seat))]
  await Promise.all(
    seats.map(async (seat) => {
      for (const { candidate } of orders.filter((order) => order.seat === seat)) await attack(jury, { seat, candidate })
    }),
  )
  jury.progress.attacks.sort((one, other) => one.candidate - other.candidate || (one.judge < other.judge ? -1 : 1))
}

async function attack(jury: Jury, { seat, candidate }: AttackOrder): Promise<void> {
  const { input, progress } = jury
  const name = progress.seats[seat]?.name ?? ''
  const extract = await fromSeat<AttackExtract>(jury, {
    seat,
    round: 3,
    row: `round 3: ${name} on ${input.candidates[candidate]?.name ?? ''}`,
    work: async (judge) => {
      if (judge.kind !== 'agent') return { status: 'lost', why: 'a program cannot answer the seven questions' }
      const said = await askJudge<AttackExtract>(jury, judge, {
        role: 'devils-advocate',
        step: `attack-${seat + 1}-${judge.name.replaceAll('.', '_')}-${candidate + 1}`,
        round: 1,
        seat: name,
        input: {
          ...commonInput(jury, name),
          candidate: shownAs(input, candidate, 'A'),
          known_defects: progress.defects[candidate] ?? [],
        },
      })
      return said.status === 'said' ? { status: 'said', value: said.value.extract } : said
    },
    note: ({ recommendation, criticals }) => `${wordOf(recommendation)}, ${criticals} Critical`,
  })
  if (extract === null) return
  const { titles, ...summary } = extract
  progress.attacks.push({ candidate, judge: name, ...summary })
  progress.defects[candidate] = [...(progress.defects[candidate] ?? []), ...titles].sort().slice(0, 5)
}

function wordOf(recommendation: Attack['final_judgment']['recommendation']): string {
  return recommendation.replace('_', ' ')
}
