import { isAssertion, type TestCase, type TestReport } from './test-report.js'

/**
 * TAP as Node's test runner writes it (and any TAP whose subtests are indented by four). A suite is no test of its own unless
 * it failed by itself; a file without tests, which Node counts as one that passed, is not a test at all. In flat TAP, as tape
 * writes it, each assertion is a test, by the name of the comment above it.
 */
export function readTapReport(text: string): TestReport {
  const lines = text.split('\n')
  const points = pointsOf(lines)
  const cases = lines.some((line) => /^ *# Subtest: /.test(line))
    ? points.flatMap((point, at) => caseOf(point, parentOf(points, at)))
    : numbered(points.flatMap((point) => caseOf(point, point.comment)))
  return { cases, flaw: flawOf(text, points) }
}

interface Point {
  isOk: boolean
  name: string
  directive: 'skip' | 'todo' | null
  depth: number
  /** The last comment above it at the margin, as the start of a name. */
  comment: string
  /** Points below it came right before it. */
  hasChildren: boolean
  /** Of its YAML block: the top-level scalars. */
  facts: Record<string, string>
}

function pointsOf(lines: readonly string[]): Point[] {
  const points: Point[] = []
  const openDepths = new Set<number>()
  let comment = ''
  for (let at = 0; at < lines.length; at++) {
    const [, said] = /^# (.+)$/.exec(lines[at] ?? '') ?? []
    if (said !== undefined) comment = `${said.trim()} > `
    const [, indent = '', not = '', rest] = /^((?: {4})*)(not )?ok\b(?: \d+)?(?: -)? ?(.*)$/.exec(lines[at] ?? '') ?? []
    if (rest === undefined) continue
    const depth = indent.length / 4
    const block = blockAfter(lines, at, indent)
    at = block.end
    points.push({
      isOk: not === '',
      ...nameOf(rest),
      depth,
      comment,
      hasChildren: openDepths.has(depth + 1),
      facts: block.facts,
    })
    openDepths.delete(depth + 1)
    openDepths.add(depth)
  }
  return points
}

function nameOf(rest: string): Pick<Point, 'name' | 'directive'> {
  // A # of the name itself is escaped.
  const [, name = rest, word] = /^(.*?)(?:(?<!\\)# ?(skip|todo)\b.*)?$/i.exec(rest) ?? []
  const directive = word?.toLowerCase()
  const plain = name.trimEnd().replaceAll(/\\(.)/g, '$1')
  return { name: plain, directive: directive === 'skip' || directive === 'todo' ? directive : null }
}

/** The YAML block of a point. Its text is deeper than its end mark, so nothing that a test prints can look like a point. */
function blockAfter(lines: readonly string[], at: number, indent: string): { end: number; facts: Point['facts'] } {
  if (lines[at + 1] !== `${indent}  ---`) return { end: at, facts: {} }
  const found = lines.indexOf(`${indent}  ...`, at + 2)
  const end = found === -1 ? lines.length : found
  // tape indents what is within by two more.
  const [inner = ''] = /^ */.exec(lines[at + 2] ?? '') ?? []
  return { end, facts: factsOf(lines.slice(at + 2, end).map((line) => line.slice(inner.length))) }
}

/** The scalars at the top of a block, the first line of those that have several. */
function factsOf(block: readonly string[]): Point['facts'] {
  const facts: Point['facts'] = {}
  block.forEach((line, at) => {
    const [, key, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (key === undefined || key in facts) return
    facts[key] = /^[|>]/.test(value) ? (block[at + 1] ?? '').trim() : value.replaceAll(/^['"]|['"]$/g, '')
  })
  return facts
}

function parentOf(points: readonly Point[], at: number): string {
  let depth = points[at]?.depth ?? 0
  const names: string[] = []
  // A point comes after what is below it.
  for (let next = at + 1; depth > 0 && next < points.length; next++) {
    const point = points[next]
    if (point === undefined || point.depth >= depth) continue
    names.unshift(`${point.name} > `)
    depth = point.depth
  }
  return names.join('')
}

/** Assertions seldom have names of their own. */
function numbered(cases: readonly TestCase[]): TestCase[] {
  const seen = new Map<string, number>()
  return cases.map((each) => {
    const count = (seen.get(each.name) ?? 0) + 1
    seen.set(each.name, count)
    return count === 1 ? each : { ...each, name: `${each.name} (${count})` }
  })
}

function caseOf(point: Point, prefix: string): TestCase[] {
  const { facts, isOk, directive } = point
  const isFile = isFileOf(point)
  if (isNoTest(point, isFile)) return []
  const test = { name: `${prefix}${point.name}`, file: isFile ? point.name : fileOf(facts) }
  if (directive !== null) return [{ ...test, status: 'skipped', kind: null, message: '' }]
  if (isOk) return [{ ...test, status: 'passed', kind: null, message: '' }]
  return [{ ...test, status: 'failed', kind: isFile ? 'collection' : kindOf(facts), message: messageOf(facts) }]
}

/** Node lists a file as a test of its own when no test of it was reported. */
function isFileOf({ depth, hasChildren, name }: Point): boolean {
  return depth === 0 && !hasChildren && isFileName(name)
}

/** A file without tests, or a suite that only adds up what is in it. */
function isNoTest({ isOk, hasChildren, facts }: Point, isFile: boolean): boolean {
  const isContainer = hasChildren || facts['type'] === 'suite'
  if (isOk) return isFile || isContainer
  return isContainer && facts['failureType'] === 'subtestsFailed'
}

/** tape names the assertion, and what it does not expect ends the process; mocha's stack begins with what was thrown, Node's with where. */
function kindOf({ code = '', name = '', error, operator, stack = '' }: Point['facts']): 'assertion' | 'error' {
  const isNamed = code === 'ERR_ASSERTION' || name.includes('Assertion') || operator !== undefined
  return isNamed || (error === undefined && isAssertion(stack)) ? 'assertion' : 'error'
}

function messageOf({ error, message, operator, expected = '', actual = '' }: Point['facts']): string {
  if (error !== undefined || operator === undefined) return error ?? message ?? ''
  return `${operator}: expected ${expected}, got ${actual.trim()}`
}

/** Node's location is a path, tape's a line of a stack. */
function fileOf({ location, at }: Point['facts']): string | null {
  if (location !== undefined) return location.replace(/:\d+:\d+$/, '')
  const [, path = null] = /(?:^| \()([^()]+):\d+:\d+\)?$/.exec(at ?? '') ?? []
  return path
}

function isFileName(name: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(name) && (/[\\/]/.test(name) || /\.(?:test|spec)\.|^test\./.test(name))
}

/** A report that was cut short lacks its plan; one with more or fewer points than planned was written to by somebody else. */
function flawOf(text: string, points: readonly Point[]): string | null {
  const plans = [...text.matchAll(/^1\.\.(\d+)/gm)].map((match) => Number(match[1]))
  if (plans.length === 0) return 'it has no plan, so it was cut short'
  const top = points.filter((point) => point.depth === 0).length
  const told = Math.max(...plans)
  const failures = /^# fail +(\d+)$/m.exec(text)?.[1]
  const seen = points.filter((point) => !point.isOk && point.directive === null).length
  if (plans.length > 1) return 'it has more than one plan'
  if (top !== told) return `it plans ${told} tests and lists ${top}`
  return failures !== undefined && Number(failures) > 0 && seen === 0
    ? `it counts ${failures} failures, lists none`
    : null
}
