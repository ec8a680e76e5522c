import type { DefectAnalysis } from '../../contracts/eval-answers.js'
import type { Angle } from './words.js'

/** What of a defect analysis has been found in the candidate itself. */
export interface GroundedAnalysis {
  /** Angles with evidence: a defect, or that nothing was found. */
  angles: Angle[]
  /** Defects whose evidence is there, by severity. */
  severities: Record<'Critical' | 'Major' | 'Minor', number>
  /** Titles of defects and angles whose quotations are not in the candidate: they do not count. */
  invented: string[]
}

/** Looks for every quotation in the candidate's text, blanks aside. One that is there is enough for a defect. */
export function groundAnalysis({ defects, none_found }: DefectAnalysis, text: string): GroundedAnalysis {
  const body = withoutBlanks(text)
  const isThere = (quotes: readonly string[]) => quotes.some((quote) => isQuoted(body, quote))
  const real = defects.filter(({ evidence }) => isThere(evidence))
  const clean = none_found.filter(({ evidence }) => isThere(evidence))
  const count = (severity: string) => real.filter((defect) => defect.severity === severity).length
  return {
    angles: [...new Set([...real.map(({ category }) => category), ...clean.map(({ angle }) => angle)])],
    severities: { Critical: count('Critical'), Major: count('Major'), Minor: count('Minor') },
    invented: [
      ...defects.filter((defect) => !real.includes(defect)).map(({ title }) => title),
      ...none_found.filter((each) => !clean.includes(each)).map(({ angle }) => angle),
    ],
  }
}

/** A letter or two are in every text. */
const LEAST = 6

function isQuoted(body: string, quote: string): boolean {
  const bare = withoutBlanks(quote)
  return bare.length >= LEAST ? body.includes(bare) : bare !== '' && body === bare
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/gu, '')
}
