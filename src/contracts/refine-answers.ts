import { z } from 'zod'
import { ReviewIssue } from './aggregate.js'
import { Artifact, RelativePath } from './artifact.js'

const Word = z.string().max(200)
const Sentence = z.string().max(2_000)

/** What the code is written in and with. Required before anything is written; the aggregator reads language, framework, constraints. */
export const RefineTechStack = z.strictObject({
  /** 'Python', 'TypeScript/Node'. */
  language: Word.min(1),
  language_version: Word.nullable(),
  framework: Word.nullable(),
  framework_version: Word.nullable(),
  build_tool: Word.nullable(),
  test_framework: Word.nullable(),
  code_style: Word.nullable(),
  /** 'async/await', 'Pydantic v2'. */
  constraints: z.array(Word).max(50),
  project_type: z.enum(['single', 'multi-language', 'monorepo']),
})
export type RefineTechStack = z.infer<typeof RefineTechStack>

/** A document that travels with a question: shown to the agent as data. */
export const QuestionDocument = z.object({
  /** 'the requirement', 'design.md'. */
  name: z.string().min(1).max(200),
  artifact: Artifact,
})
export type QuestionDocument = z.infer<typeof QuestionDocument>

/** Input of the role `code-writer`. */
export const WriterInput = z.object({
  round: z.int().min(1),
  tech_stack: RefineTechStack,
  /** The requirement first, then what is known of the change. */
  documents: z.array(QuestionDocument).min(1).max(60),
  /** Of the last judged round; null in the first. */
  feedback: Artifact.nullable(),
  /** What a person said on the way, oldest first. */
  guidance: z.array(z.string().max(2_000)).max(8),
  /** What the engine noticed: a regression, a Critical issue that stays. */
  notes: z.array(z.string().max(500)).max(12),
  /** For texts people read. */
  lang: z.enum(['en', 'zh']),
})
export type WriterInput = z.infer<typeof WriterInput>

/** The code itself is what the writer leaves in its folder. */
export const WriterAnswer = z.strictObject({
  files_modified: z.array(z.string().max(1_000)).max(2_000),
  changes_made: z.array(Sentence).max(200),
  /** 0 to 1. */
  confidence: z.number().min(0).max(1),
  notes: z.string().max(10_000),
  tech_stacks_used: z.array(Word).max(50).optional(),
  cross_language_notes: Sentence.optional(),
})
export type WriterAnswer = z.infer<typeof WriterAnswer>

/** What history keeps of it. */
export const WriterExtract = z.object({
  confidence: z.number(),
  changes: z.array(z.string().max(200)).max(10),
  claimed_files: z.int().min(0),
})
export type WriterExtract = z.infer<typeof WriterExtract>

/** What is judged: the files that differ from where the work began, whole. Of those that are gone nothing is left to judge. */
export const ReviewScope = z.object({
  files: z.array(RelativePath).max(5_000),
  deleted: z.int().min(0),
  /** Files whose names cannot travel, or beyond the list. */
  left_out: z.int().min(0),
})
export type ReviewScope = z.infer<typeof ReviewScope>

/** Input of the three reviewers. Their folder holds the code as the round left it. */
export const ReviewerInput = z.object({
  round: z.int().min(1),
  tech_stack: RefineTechStack,
  requirement: Artifact,
  /** `ReviewScope` as JSON: the files that are judged. */
  scope: Artifact,
  /** The change as a diff, for reading. */
  diff: Artifact,
  lang: z.enum(['en', 'zh']),
})
export type ReviewerInput = z.infer<typeof ReviewerInput>

const Count = z.int().min(0)

/** Counts of the issues by severity. */
const Summary = z.strictObject({ critical: Count, high: Count, medium: Count, low: Count })

const Judgement = {
  /** The reviewer's own word; it never decides. */
  passed: z.boolean(),
  score: z.number().min(0).max(100),
  summary: Summary,
  recommendations: z.array(Sentence).max(100),
}

const SecurityIssue = ReviewIssue.extend({
  code_snippet: z.string().max(4_000).nullish(),
  /** 'A03:2021' */
  owasp_category: Word.nullish(),
  /** 'CWE-89' */
  cwe_id: Word.nullish(),
})

const QualityIssue = ReviewIssue.extend({
  function: Word.nullish(),
  metrics: z
    .strictObject({
      cyclomatic_complexity: z.number().min(0).nullish(),
      lines_of_code: z.number().min(0).nullish(),
      nesting_depth: z.number().min(0).nullish(),
    })
    .nullish(),
})

const PerformanceIssue = ReviewIssue.extend({
  /** 'O(n^2)', 'O(n)'. */
  complexity: z.strictObject({ current: Word, optimized: Word }).nullish(),
  impact: Sentence.nullish(),
})

const issuesOf = <T extends z.ZodType>(issue: T) => z.array(issue).max(2_000)

export const SecurityAnswer = z.strictObject({ ...Judgement, issues: issuesOf(SecurityIssue) })
export type SecurityAnswer = z.infer<typeof SecurityAnswer>

export const QualityAnswer = z.strictObject({
  ...Judgement,
  issues: issuesOf(QualityIssue),
  /** Of all that was looked at. */
  totals: z
    .strictObject({
      average_complexity: z.number().min(0).nullish(),
      max_complexity: z.number().min(0).nullish(),
      total_lines: z.number().min(0).nullish(),
    })
    .nullish(),
})
export type QualityAnswer = z.infer<typeof QualityAnswer>

export const PerformanceAnswer = z.strictObject({
  ...Judgement,
  issues: issuesOf(PerformanceIssue),
  analysis: z
    .strictObject({ hotspots: z.array(Sentence).max(100), caching_opportunities: z.array(Sentence).max(100) })
    .nullish(),
})
export type PerformanceAnswer = z.infer<typeof PerformanceAnswer>

/** What history keeps of a review. */
export const ReviewExtract = z.object({
  passed: z.boolean(),
  score: z.number(),
  issues: Count,
  /** Of a builtin reviewer: what no analyser covers. */
  limits: z.array(z.string().max(300)).max(10),
})
export type ReviewExtract = z.infer<typeof ReviewExtract>
