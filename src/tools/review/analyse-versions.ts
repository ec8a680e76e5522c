import type { ReviewFile } from '../../contracts/review-part.js'
import { earlierFindings } from '../../rules/review/earlier-findings.js'
import { type Analyser, type AnalyserReport, ANALYSERS, analyseTexts } from '../linters/analysers.js'
import type { LinterBox } from '../linters/linter-box.js'
import type { RawFinding } from '../linters/raw-finding.js'

export interface ReadableFile extends ReviewFile {
  text: string
}

/** What one analyser says of a line. */
export interface AnalyserHit {
  analyser: string
  finding: RawFinding
  /** True when the version before has it too. */
  wasThere: boolean
}

export interface AnalysedVersions {
  reports: AnalyserReport[]
  /** By path, of the version under review. */
  hits: ReadonlyMap<string, AnalyserHit[]>
}

/** Before the path of an earlier version, so that both are read in one go; no path under review has it. */
const EARLIER = '\u0001'

/** Runs analysers, all by default, over both versions of every file, where there is one before. */
export async function analyseVersions(
  box: LinterBox,
  files: readonly ReadableFile[],
  analysers: readonly Analyser[] = ANALYSERS,
): Promise<AnalysedVersions> {
  const earlier = files.flatMap(({ path, before }) => (before === null ? [] : [{ path: EARLIER + path, text: before }]))
  const reports = await analyseTexts(box, [...files, ...earlier], analysers)
  const byPath = new Map<string, Pick<AnalyserHit, 'analyser' | 'finding'>[]>()
  for (const { name, findings } of reports) {
    for (const finding of findings) {
      const list = byPath.get(finding.path) ?? []
      byPath.set(finding.path, list)
      list.push({ analyser: name, finding })
    }
  }
  const of = (path: string) => byPath.get(path) ?? []
  const hits = files.map((file) => {
    const found = of(file.path)
    const before = of(EARLIER + file.path).map(({ finding }) => finding)
    const wasThere = earlierFindings(
      file,
      found.map(({ finding }) => finding),
      before,
    )
    return [file.path, found.map((hit, index) => ({ ...hit, wasThere: wasThere[index] === true }))] as const
  })
  return { reports: reports.map(withoutEarlier), hits: new Map(hits) }
}

/** Notes count versions; what could not be read is told of the version under review. */
function withoutEarlier(report: AnalyserReport): AnalyserReport {
  return {
    ...report,
    note: report.note.replaceAll(EARLIER, ''),
    findings: report.findings.filter(({ path }) => !path.startsWith(EARLIER)),
    failures: report.failures.filter(({ path }) => !path.startsWith(EARLIER)),
  }
}
