import { describe, expect, it } from 'vitest'
import { AgentResult } from '../../../src/contracts/phase-agent-result.js'
import {
  blocked,
  unfinished,
  planned,
  reviewed,
  seenGreen,
  seenRed,
  STILL_RED,
  verified,
} from '../../../src/rules/phase/agent-results.js'
import { someReview } from '../../support/phase-answers.js'

const who = (agentType: AgentResult['agentType']) => ({ taskId: 'TASK-001', agentType })

describe("an agent's result, in the seed's words", () => {
  it.each<[string, AgentResult, unknown]>([
    [
      'a plan',
      planned(who('planner'), 3),
      {
        status: 'success',
        output: {
          artifacts: [],
          contextUpdate: '## Planning Complete\n- Total tasks: 3',
          suggestions: ['Review task dependencies before execution'],
        },
      },
    ],
    [
      'red tests',
      seenRed(who('tester'), { files: ['tests/user.test.ts'], failing: 3 }),
      {
        status: 'success',
        output: {
          artifacts: ['tests/user.test.ts'],
          contextUpdate: '## TDD Complete\n- Test file: tests/user.test.ts\n- Tests failing: 3',
          suggestions: ['Implement functionality to pass these tests'],
        },
      },
    ],
    [
      'tests that pass',
      unfinished(who('tester'), 'Tests passed - TDD requires failing tests (RED phase)'),
      {
        status: 'failed',
        error: { message: 'Tests passed - TDD requires failing tests (RED phase)', retryable: true },
      },
    ],
    [
      'an implementation',
      seenGreen(who('coder'), ['src/a.ts', 'src/b.ts']),
      {
        status: 'success',
        output: {
          artifacts: ['src/a.ts', 'src/b.ts'],
          contextUpdate: '## Develop Complete\n- Implementation files: 2',
          suggestions: ['Run quality gates in verify phase'],
        },
      },
    ],
    [
      'one that stays red',
      blocked(who('coder'), STILL_RED),
      {
        status: 'blocked',
        blockInfo: {
          reason: 'Tests still failing after implementation',
          type: 'information',
          missingInfo: ['Implementation approach guidance'],
        },
      },
    ],
    [
      'gates that pass',
      verified(who('executor'), { overallStatus: 'pass', reasons: [] }),
      {
        status: 'success',
        output: {
          artifacts: [],
          contextUpdate: '## Verify Complete\n- All quality gates passed',
          suggestions: ['Proceed to accept phase for final review'],
        },
      },
    ],
    [
      'gates that fail',
      verified(who('executor'), { overallStatus: 'fail', reasons: ['test failed: 1 of 2', 'lint failed: 3 errors'] }),
      { status: 'failed', error: { message: 'Quality gates failed: test, lint', retryable: true } },
    ],
    [
      'gates that could not be measured',
      verified(who('executor'), { overallStatus: 'unverified', reasons: ['security is unavailable: no network'] }),
      {
        status: 'failed',
        error: { message: 'Quality gates unverified: security is unavailable: no network', retryable: false },
      },
    ],
    [
      'a review that approves',
      reviewed(who('reviewer'), someReview(), []),
      {
        status: 'success',
        output: {
          artifacts: [],
          contextUpdate: '## Accept Complete\n- Score: 8/10\n- Approved: Yes',
          suggestions: ['Add JSDoc comments for public methods'],
        },
      },
    ],
    [
      'a review that does not',
      reviewed(who('reviewer'), someReview(), ['slow', 'unsafe']),
      { status: 'failed', error: { message: 'Review not approved: slow; unsafe', retryable: true } },
    ],
  ])('of %s', (_, result, expected) => {
    expect(AgentResult.parse(result)).toMatchObject(expected as object)
  })
})
