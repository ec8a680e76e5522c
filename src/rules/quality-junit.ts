import type { GateName, QualityReport } from '../contracts/quality.js'
import { GATES } from './quality.js'

/**
 * The gates as JUnit XML, a case each and one for the whole: a blocking failure is a failure, what had to be measured and was not
 * is an error, what does not block is skipped with its reason, so that CI systems come to the report's own verdict.
 */
export function qualityJunit(report: QualityReport): string {
  const cases = [...GATES.map((name) => gateCase(name, report)), overallCase(report)]
  const count = (tag: string) => cases.filter((each) => each.includes(`<${tag} `)).length
  const seconds = GATES.reduce((sum, name) => sum + report[name].seconds, 0)
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts} time="${seconds.toFixed(3)}">`,
    `  <testsuite name="gauntlet gates" ${counts} skipped="${count('skipped')}" time="${seconds.toFixed(3)}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')
}

function gateCase(name: GateName, report: QualityReport): string {
  const { seconds, tail } = report[name]
  const output = tail === '' ? '' : `<system-out>${text(tail)}</system-out>`
  return caseOf(name, seconds, `${markOf(name, report)}${output}`)
}

function markOf(name: GateName, { config, ...report }: QualityReport): string {
  const { status, details, isBlocking } = report[name]
  if (status === 'pass') return ''
  if (status === 'fail' && isBlocking) return `<failure message="${attribute(details)}"/>`
  if (status === 'unavailable' && isBlocking && config.unavailable === 'block')
    return `<error message="${attribute(details)}"/>`
  const why = status === 'skipped' ? details : `${status}, which does not block here: ${details}`
  return `<skipped message="${attribute(why)}"/>`
}

function overallCase({ overallStatus, reasons }: QualityReport): string {
  if (overallStatus === 'pass') return caseOf('overall', 0, '')
  const tag = overallStatus === 'fail' ? 'failure' : 'error'
  return caseOf('overall', 0, `<${tag} message="${attribute(`${overallStatus}: ${reasons.join('; ')}`)}"/>`)
}

function caseOf(name: string, seconds: number, inner: string): string {
  return `    <testcase classname="gates" name="${name}" time="${seconds.toFixed(3)}">${inner}</testcase>`
}

function attribute(value: string): string {
  return text(value).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')
}

function text(value: string): string {
  return value.replaceAll(NOT_XML, '?').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** What XML 1.0 cannot hold, escaped or not: most controls, lone surrogates, two non-characters. */
const NOT_XML = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu
