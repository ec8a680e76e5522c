import { ReviewerInput, SecurityAnswer } from '../../contracts/refine-answers.js'
import { extractReview } from '../extract-review.js'
import { defineRole } from '../role.js'
import { type ReviewerWords, reviewPrompt, summaryComplaints } from '../round-prompt.js'

const WORDS: ReviewerWords = {
  dimension: 'security',
  title: 'Security review',
  checks: [
    'injection: SQL, commands, templates, paths, headers, logs; anything from outside that reaches an interpreter',
    'authentication, sessions and access control: checks that are missing, in the wrong place, or that can be gone around',
    'secrets in code or logs, keys and passwords with a default, weak or misused cryptography, predictable randomness',
    'what comes from outside and is trusted: deserialisation, redirects, uploads, prototype pollution, request forgery, XML entities',
    'output that reaches a browser unescaped; policies, cookies and headers that leave a door open',
    'personal data that is kept, logged or sent more widely than needed',
    'limits: sizes, rates, regular expressions and loops an outsider can drive without end',
    'races between a check and its use; errors that leave something open or tell an attacker too much',
  ],
  severities: {
    Critical:
      'an outsider can run code, read or change data of others, or get past authentication, with what this code does today',
    High: 'the same under conditions that occur in practice, or a secret in the code',
    Medium: 'a weakness that needs another one to be used, or a missing layer of defence where one is usual',
    Low: 'a deviation from good practice with little harm',
  },
  extras: [
    'for each issue, where known: code_snippet (the lines as they stand in the file, word for word), owasp_category (such as "A03:2021"), cwe_id (such as "CWE-89")',
  ],
  passes: 'It passes by default from 85 points on, with no Critical issue.',
}

/** Background 2.1. */
export const securityReviewer = defineRole({
  name: 'security-reviewer',
  abilities: 'read',
  input: ReviewerInput,
  answer: SecurityAnswer,
  extract: extractReview,
  check: summaryComplaints,
  prompt: (input, look) => reviewPrompt(WORDS, input, look),
})
