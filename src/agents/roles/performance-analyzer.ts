import { PerformanceAnswer, ReviewerInput } from '../../contracts/refine-answers.js'
import { extractReview } from '../extract-review.js'
import { defineRole } from '../role.js'
import { type ReviewerWords, reviewPrompt, summaryComplaints } from '../round-prompt.js'

const WORDS: ReviewerWords = {
  dimension: 'performance',
  title: 'Performance review',
  checks: [
    'work that grows faster than its input: nested loops over the same data, searches in lists, repeated copying, recomputation',
    'input and output one at a time where many could go together: queries in loops, requests in sequence, unbuffered files',
    'calls that block a thread or an event loop which serves others; locks that are held while waiting',
    'memory: whole files or tables where a stream would do, caches without a bound, references that keep things alive',
    'work done at every call that could be done once; results worth caching, and caches that could go stale',
    'indexes, pages and limits where data is large; what happens at a thousand times the data of the tests',
  ],
  severities: {
    Critical: 'it does not end, or takes the process down, with data that occurs in practice',
    High: 'users wait, or cost grows, noticeably at the sizes this code is for',
    Medium: 'waste on a path that is used often',
    Low: 'waste on a path that is used rarely',
  },
  extras: [
    'for each issue, where it applies: complexity {current, optimized} (such as "O(n^2)" and "O(n)"), impact (what it costs, and when)',
    'analysis: {hotspots, caching_opportunities}, lists of sentences',
  ],
  passes: 'It passes by default from 80 points on. Do not report what no measurement could notice.',
}

/** Background 2.1. */
export const performanceAnalyzer = defineRole({
  name: 'performance-analyzer',
  abilities: 'read',
  input: ReviewerInput,
  answer: PerformanceAnswer,
  extract: extractReview,
  check: summaryComplaints,
  prompt: (input, look) => reviewPrompt(WORDS, input, look),
})
