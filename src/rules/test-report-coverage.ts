/** Percent of lines, functions and branches, exact; null where there is nothing to cover or the tool does not say. */
export interface Coverage {
  line: number | null
  function: number | null
  branch: number | null
}

export type CoverageFormat = 'istanbul' | 'coverage.py' | 'lcov'

/** Reads a coverage report. Throws `Error` when it is none of its format. */
export function readCoverage(format: CoverageFormat, text: string): Coverage {
  if (format === 'lcov') return readLcov(text)
  const report = objectOf(JSON.parse(text))
  return format === 'istanbul' ? readIstanbul(report) : readCoveragePy(report)
}

/** The `json-summary` of istanbul, nyc, c8, Jest and Vitest. */
function readIstanbul(report: Fields): Coverage {
  const total = objectOf(report['total'])
  const share = (name: string) => {
    const { total: all, covered } = objectOf(total[name])
    return percent(numberOf(covered), numberOf(all))
  }
  return { line: share('lines'), function: share('functions'), branch: share('branches') }
}

/** coverage.py knows functions only in its regions, which its JSON gives since 7.6; branches only when they were asked for. */
function readCoveragePy(report: Fields): Coverage {
  const totals = objectOf(report['totals'])
  const branches = totals['num_branches']
  const branch = typeof branches === 'number' ? percent(numberOf(totals['covered_branches']), branches) : null
  return {
    line: percent(numberOf(totals['covered_lines']), numberOf(totals['num_statements'])),
    function: functionsOf(report['files']),
    branch,
  }
}

/** A function counts as covered when any line of it ran. Null where the report has no regions. */
function functionsOf(files: unknown): number | null {
  if (typeof files !== 'object' || files === null) return null
  const summaries = Object.values(files).flatMap((file) => {
    const regions = objectOf(file)['functions']
    if (typeof regions !== 'object' || regions === null) return []
    // The nameless region is the code outside of functions.
    return Object.entries(regions).filter(([name]) => name !== '')
  })
  const ran = summaries.filter(([, each]) => numberOf(objectOf(objectOf(each)['summary'])['covered_lines']) > 0)
  return percent(ran.length, summaries.length)
}

/** lcov's tracefile; Node's own runner writes one. Files of tests are left out: that they ran says nothing of the code. */
function readLcov(text: string): Coverage {
  const sums: Record<string, number> = {}
  let isTest = true
  let records = 0
  for (const line of text.split('\n')) {
    const [, key = '', value = ''] = /^([A-Z]+):(.*)$/.exec(line) ?? []
    if (key === 'SF') {
      isTest = isTestFile(value)
      records++
    } else if (!isTest && LCOV_SUMS.includes(key)) sums[key] = (sums[key] ?? 0) + numberOf(Number(value))
  }
  if (records === 0) throw new Error('expected records of lcov')
  const share = (hit: string, found: string) => percent(sums[hit] ?? 0, sums[found] ?? 0)
  return { line: share('LH', 'LF'), function: share('FNH', 'FNF'), branch: share('BRH', 'BRF') }
}

const LCOV_SUMS = ['LF', 'LH', 'FNF', 'FNH', 'BRF', 'BRH']

function isTestFile(path: string): boolean {
  return /(?:^|[\\/])(?:tests?|__tests__|spec)[\\/]|[.-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|[\\/])test\.[cm]?[jt]sx?$/.test(
    path,
  )
}

function percent(covered: number, all: number): number | null {
  if (covered > all) throw new Error('more was covered than there is')
  return all === 0 ? null : (100 * covered) / all
}

type Fields = Record<string, unknown>

function objectOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new Error('expected an object')
  return value as Fields
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw new Error('expected a count')
  return value
}
