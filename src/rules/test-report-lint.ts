export interface Findings {
  errors: number
  warnings: number
}

/** Counts a linter's findings: the JSON of ESLint (a list of files) or of Ruff (a list of findings). Null when it is neither. */
export function countFindings(format: 'eslint' | 'ruff', text: string): Findings | null {
  let report: unknown
  try {
    report = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
  if (!Array.isArray(report)) return null
  if (format === 'ruff') return { errors: report.length, warnings: 0 }
  const sum = (name: string) => report.reduce<number>((total, file: unknown) => total + countOf(file, name), 0)
  return { errors: sum('errorCount'), warnings: sum('warningCount') }
}

function countOf(file: unknown, name: string): number {
  const value = typeof file === 'object' && file !== null ? (file as Record<string, unknown>)[name] : undefined
  return typeof value === 'number' && value >= 0 ? value : 0
}
