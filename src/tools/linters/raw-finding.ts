/** What an analyser says, before it is known whether it matters here. */
export interface RawFinding {
  path: string
  /** The analyser's own name for the rule, with its prefix: 'security/detect-child-process', 'S602'. */
  rule: string
  /** From 1, the last included. */
  line: number
  endLine: number
  message: string
  /** How bad, where the analyser says so and the table of kinds does not. */
  severity?: 'High' | 'Medium' | 'Low'
  /** Characters of the line, from 0, that must not be quoted: a secret. */
  secret?: { from: number; to: number }
}

/** A text to look at. */
export interface AnalysedText {
  /** As the review names it. */
  path: string
  text: string
}

/** Looks at one text. Throws an `Error` when the text cannot be read by it: no valid code, for one. */
export type AnalyseText = (text: AnalysedText) => Promise<RawFinding[]> | RawFinding[]
