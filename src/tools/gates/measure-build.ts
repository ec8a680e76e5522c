import type { GateBox } from './gate-box.js'
import { byExitCode, type GateFacts, ranNothing } from './gate-facts.js'
import { type CommandPlan, isPlan, type NoPlan } from './gate-plan.js'
import { runCommand } from './run-command.js'

export async function measureBuild(box: GateBox, plan: CommandPlan | NoPlan): Promise<GateFacts> {
  if (!isPlan(plan)) return ranNothing(plan)
  const end = await runCommand(box, plan)
  if ('missing' in end) return ranNothing({ status: 'unavailable', details: end.missing })
  return byExitCode(end, 'completed without errors')
}
