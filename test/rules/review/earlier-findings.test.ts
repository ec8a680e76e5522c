import { expect, it } from 'vitest'
import { parseDiff } from '../../../src/rules/review/diff.js'
import { earlierFindings, type RuleHit } from '../../../src/rules/review/earlier-findings.js'

const hit = (rule: string, line: number): RuleHit => ({ rule, line })

const BEFORE = 'keep()\neval(a)\nmiddle()\nplain()\nend()\n'
const AFTER = 'top()\nkeep()\neval(b)\nmiddle()\neval(c)\nend()\n'
const DIFF =
  '--- a/x\n+++ b/x\n@@ -1,5 +1,6 @@\n+top()\n keep()\n-eval(a)\n+eval(b)\n middle()\n-plain()\n+eval(c)\n end()\n'

const file = {
  path: 'x',
  old_path: null,
  status: 'modified' as const,
  hunks: parseDiff(DIFF).files[0]!.hunks,
  text: AFTER,
  before: BEFORE,
}

it.each<[what: string, after: RuleHit[], before: RuleHit[], wasThere: boolean[]]>([
  ['a line that was changed and is no better', [hit('eval', 3)], [hit('eval', 2)], [true]],
  ['a line beside it that is new', [hit('eval', 3), hit('eval', 5)], [hit('eval', 2)], [true, false]],
  ['the new one first', [hit('eval', 5), hit('eval', 3)], [hit('eval', 2)], [false, true]],
  ['a line that moved', [hit('call', 2)], [hit('call', 1)], [true]],
  ['another rule', [hit('eval', 3)], [hit('other', 2)], [false]],
  ['one before, two of the same text now', [hit('call', 4), hit('call', 4)], [hit('call', 3)], [true, false]],
  ['nothing before', [hit('eval', 3)], [], [false]],
])('%s', (_, after, before, wasThere) => {
  expect(earlierFindings(file, after, before)).toEqual(wasThere)
})
