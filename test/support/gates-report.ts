import type { GateName, GateResult, GateStatus, QualityReport } from '../../src/contracts/quality.js'
import { decideOverall, type GateResults, GATES, qualityOf } from '../../src/rules/quality.js'

/** Gates that passed, all blocking, but for those that are named. */
export function someGates(statuses: Partial<Record<GateName, GateStatus>>): GateResults {
  const gate = (name: GateName): GateResult => ({
    status: statuses[name] ?? 'pass',
    isBlocking: true,
    details: `of ${name}`,
    command: ['run', name],
    seconds: 1.5,
    exitCode: 0,
    tail: '',
  })
  const tests = { outcome: null, passed: 1, failed: 0, skipped: 0, failures: [] }
  return {
    build: gate('build'),
    test: { ...gate('test'), ...tests },
    coverage: { ...gate('coverage'), line: 90, function: null, branch: null, threshold: 80 },
    lint: { ...gate('lint'), errors: null, warnings: null },
    security: { ...gate('security'), vulnerabilities: null },
    e2e: { ...gate('e2e'), ...tests },
    acceptance: { ...gate('acceptance'), criteria: [] },
  }
}

export function someReport(statuses: Partial<Record<GateName, GateStatus>>): QualityReport {
  const config = qualityOf('strict')
  const gates = someGates(statuses)
  return { ...gates, ...decideOverall(gates, config), score: 100, config, isSandboxed: true, notes: [] }
}

/** Statuses in the order of the gates. */
export function statusesOf(report: QualityReport): Record<GateName, GateStatus> {
  return Object.fromEntries(GATES.map((name) => [name, report[name].status])) as Record<GateName, GateStatus>
}
