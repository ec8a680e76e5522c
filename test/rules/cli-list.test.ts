import { describe, expect, it } from 'vitest'
import { listedRun, type VisibleRun, visibilityQuery } from '../../src/rules/cli-list.js'

const OURS =
  "WorkflowType IN ('circtBugReport', 'phasePipeline', 'refineLoop', 'codeReview', 'multiRoundEval') AND ExecutionStatus != 'ContinuedAsNew'"

const RUN: VisibleRun = {
  workflowId: 'circt/a',
  runId: 'r',
  execution: 'RUNNING',
  startedAt: '2026-01-28T14:00:00.000Z',
  closedAt: null,
  attributes: { pipeline: 'circt', status: 'waiting', waiting: true, key: 'a' },
}

describe('listedRun', () => {
  it('shows what the run says of itself', () => {
    expect(listedRun(RUN)).toMatchObject({
      workflow_id: 'circt/a',
      key: 'a',
      pipeline: 'circt',
      status: 'waiting',
      is_waiting: true,
    })
  })

  it.each([
    ['TERMINATED', 'terminated'],
    ['FAILED', 'failed'],
  ])('believes Temporal (%s) when the run last said it was waiting', (execution, status) => {
    expect(listedRun({ ...RUN, execution })).toMatchObject({ status, is_waiting: false })
  })

  it('believes the run when it said its end', () => {
    const attributes = { ...RUN.attributes, status: 'aborted', waiting: false }
    expect(listedRun({ ...RUN, execution: 'COMPLETED', attributes }).status).toBe('aborted')
  })

  it('lists a workflow that somebody started by hand, without search attributes', () => {
    const attributes = { pipeline: undefined, status: undefined, waiting: undefined, key: undefined }
    expect(listedRun({ ...RUN, attributes })).toMatchObject({ status: 'running', key: null, pipeline: null })
  })
})

describe('visibilityQuery', () => {
  it.each([
    [null, false, OURS],
    ['running', false, `${OURS} AND GauntletStatus = 'running'`],
    ['failed', false, `${OURS} AND ExecutionStatus = 'Failed'`],
    [null, true, `${OURS} AND GauntletWaiting = true AND ExecutionStatus = 'Running'`],
  ])('for status %s, waiting %s', (status, isWaiting, query) => {
    expect(visibilityQuery({ status, isWaiting })).toBe(query)
  })
})
