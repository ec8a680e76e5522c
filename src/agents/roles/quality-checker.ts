import { QualityAnswer, ReviewerInput } from '../../contracts/refine-answers.js'
import { extractReview } from '../extract-review.js'
import { defineRole } from '../role.js'
import { type ReviewerWords, reviewPrompt, summaryComplaints } from '../round-prompt.js'

const WORDS: ReviewerWords = {
  dimension: 'quality',
  title: 'Quality review',
  checks: [
    'does it do what was asked for, completely, and nothing else; is it correct at the edges: empty, one, many, absent, very large',
    'errors: swallowed, too wide, without context, resources that stay open when something fails',
    'functions that are too long, too deeply nested or do several things; cyclomatic complexity above 10',
    'names that mislead, duplicated logic, dead code, parts that know too much of each other',
    'types and contracts: what may be missing, what is only assumed, casts that hide a mistake',
    "the project's conventions and the idioms of the language and framework",
    'tests: what the change does that no test would notice if it broke',
    'comments that say what the code does instead of why, or that are not true',
  ],
  severities: {
    Critical: 'it does not do what was asked for, or destroys data',
    High: 'a mistake that users will meet, or a structure the next change cannot work with',
    Medium: 'hard to read, to test or to change without need',
    Low: 'a matter of polish',
  },
  extras: [
    'for each issue, where it applies: function (its name), metrics {cyclomatic_complexity, lines_of_code, nesting_depth}',
    'totals: {average_complexity, max_complexity, total_lines} of the files under review, where you know them',
  ],
  passes: 'It passes by default from 80 points on.',
}

/** Background 2.1. */
export const qualityChecker = defineRole({
  name: 'quality-checker',
  abilities: 'read',
  input: ReviewerInput,
  answer: QualityAnswer,
  extract: extractReview,
  check: summaryComplaints,
  prompt: (input, look) => reviewPrompt(WORDS, input, look),
})
