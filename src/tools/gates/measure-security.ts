import { copyFile, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecurityGate } from '../../contracts/quality.js'
import { hasGraveVulnerability, readNpmAudit, type Vulnerabilities } from '../../rules/quality-audit.js'
import type { GateBox } from './gate-box.js'
import { byExitCode, ranNothing } from './gate-facts.js'
import { isPlan, type NoPlan, type SecurityPlan } from './gate-plan.js'
import { runCommand } from './run-command.js'

type MeasuredSecurity = Omit<SecurityGate, 'isBlocking'>

/** Known vulnerabilities of the dependencies; an audit service that does not answer is `unavailable`. */
export async function measureSecurity(box: GateBox, plan: SecurityPlan | NoPlan): Promise<MeasuredSecurity> {
  if (!isPlan(plan)) return { ...ranNothing(plan), vulnerabilities: null }
  if (plan.format === 'npm-audit') return await auditByNpm(box, plan)
  const end = await runCommand(box, plan)
  if ('missing' in end) return { ...ranNothing({ status: 'unavailable', details: end.missing }), vulnerabilities: null }
  return { ...byExitCode(end, 'nothing was found'), vulnerabilities: null }
}

/**
 * The one command with the network: npm itself, in a folder with nothing but manifest and lockfile, so neither code nor settings
 * of the project can use it.
 */
async function auditByNpm(box: GateBox, plan: SecurityPlan): Promise<MeasuredSecurity> {
  const cwd = await mkdtemp(join(box.scratch, 'audit-'))
  for (const name of ['package.json', 'package-lock.json']) await copyFile(join(box.copy, name), join(cwd, name))
  const end = await runCommand(box, plan, { cwd, hasNetwork: true })
  if ('missing' in end) return { ...ranNothing({ status: 'unavailable', details: end.missing }), vulnerabilities: null }
  const { command, seconds, exitCode } = end
  const facts = { command, seconds, exitCode, tail: '' }
  const found = end.stopped === null ? readNpmAudit(end.stdout) : { problem: end.stopped }
  if ('problem' in found) return { ...facts, status: 'unavailable', details: found.problem, vulnerabilities: null }
  const status = hasGraveVulnerability(found) ? 'fail' : 'pass'
  return { ...facts, status, details: wordsOf(found), vulnerabilities: found }
}

function wordsOf(found: Vulnerabilities): string {
  const parts = Object.entries(found).filter(([, count]) => count > 0)
  return parts.length === 0
    ? 'no known vulnerabilities'
    : `known vulnerabilities: ${parts.map(([name, count]) => `${count} ${name}`).join(', ')}`
}
