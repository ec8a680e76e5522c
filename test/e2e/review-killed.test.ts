import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorker } from '../support/e2e-chaos.js'
import { type Cli, ensureBuilt, openPlace, type Place, until } from '../support/e2e-cli.js'
import { type Desk, hasPython, openDesk } from '../support/e2e-desk.js'
import { hasServer, leftoversIn, programsIn } from '../support/e2e-leftovers.js'
import {
  answerAboutEval,
  contentIn,
  documentsIn,
  EVAL_PATCH,
  EXAMPLE,
  holdDocument,
  reviewOf,
  type ShownReview,
  underWay,
} from '../support/e2e-review.js'

const ENV = { CIRCT_BIN: '' }
const isPart = ({ id, files }: Record<string, unknown>) => id === 'p1' && Array.isArray(files)
const isCoverage = ({ left_out, parts }: Record<string, unknown>) => Array.isArray(left_out) && parts === 1
const isSources = ({ review_type, files }: Record<string, unknown>) => review_type === 'diff' && Array.isArray(files)
const isContent = ({ created_at, review_result }: Record<string, unknown>) =>
  created_at !== undefined && review_result === undefined
const TASK = 'task_review:eval'

describe.skipIf(!hasPython)(`killed reviews${hasPython ? '' : ' (left out: no /usr/bin/python3)'}`, () => {
  let place: Place
  let desk: Desk
  let plain: ShownReview

  beforeAll(async () => {
    await ensureBuilt()
    place = openPlace('review-killed')
    desk = await openDesk(place, answerAboutEval)
    mkdirSync(join(place.root, 'project'))
    writeFileSync(join(place.root, 'project', 'a.js'), 'one()\neval(a)\n')
    writeFileSync(join(place.root, 'change.patch'), EVAL_PATCH)
    plain = reviewOf(await place.run([...runOf('plain'), '--json']))
  }, 300_000)
  afterAll(async () => {
    await desk?.close()
    await place?.close()
  })

  const folderOf = (key: string) => join(place.root, `content-${key}`)
  const pathOf = (key: string) => join(folderOf(key), `${TASK}_content.json`)

  /** The same task by another name of the run, so that only the run can make a difference. */
  function optionsOf(key: string): string[] {
    const sources = ['--patch', 'change.patch', '--repo', 'project', '--task-id', TASK, '--content-dir', folderOf(key)]
    return [...sources, '--key', key, '--unsandboxed', ...desk.agent(key)]
  }

  const runOf = (key: string) => ['run', 'review', ...optionsOf(key)]

  it('an undisturbed one: one of three issues is kept', () => {
    expect(plain.document).toMatchObject({ status: 'completed', verdict: 'reviewed' })
    expect(plain.report.review_results.counts).toEqual({
      raised: 3,
      kept: 1,
      filtered: { duplicate: 1, quotation_not_found: 1 },
    })
    expect(contentIn(folderOf('plain'), TASK)).toMatchObject({ review_result: {}, verification_result: {} })
  })

  it('kill -9 in every step, the content file lost or broken in between: the same end', async () => {
    const key = 'killed'
    const id = `review/${key}`
    const [reviewer, verifier] = [`${key} code-reviewer ${TASK}`, `${key} code-verifier ${TASK}`]
    const breaks = breaksOf(pathOf(key), folderOf(key))
    desk.hold(reviewer, verifier)
    let cli: Cli
    /** Kills, and breaks the content file behind the dead one's back. */
    const kill = async (lost: readonly string[] = []) => {
      await cli.kill('SIGKILL')
      await until('the end of its agents', () => desk.lost.length >= seen.length + lost.length)
      seen.push(...lost)
      breaks.shift()?.()
    }
    const seen: string[] = []
    const start = async () => {
      cli = place.start(runOf(key))
      await cli.hears('is there already')
    }

    const others = documentsIn(place, isContent)
    expect((await place.run(['start', 'review', ...optionsOf(key)])).exit).toBe(0)
    const [content = ''] = documentsIn(place, isContent).filter((each) => !others.includes(each))
    const sources = onlyIn(place, isSources)
    const unsplit = holdDocument(place, sources)
    cli = await startWorker(place, ENV)
    await underWay(place, id, 'splitSources')
    await kill()
    unsplit.restore()

    await start()
    await desk.has(reviewer)
    await kill([reviewer])

    await start()
    await desk.has(reviewer)
    await until('the content file', () => contentIn(folderOf(key), TASK) !== null)
    const ungrounded = holdDocument(place, sources)
    desk.release(reviewer)
    await underWay(place, id, 'groundPart')
    await kill()
    ungrounded.restore()

    const unkept = holdDocument(place, content)
    await start()
    await underWay(place, id, 'keepContent')
    await kill()
    unkept.restore()

    await start()
    await desk.has(verifier)
    await kill([verifier])

    await start()
    await desk.has(verifier)
    await until('the second stage', () => contentIn(folderOf(key), TASK)?.review_result !== undefined)
    const unsettled = holdDocument(place, onlyIn(place, isPart))
    desk.release(verifier)
    await underWay(place, id, 'settlePart')
    await kill()
    unsettled.restore()

    const unmerged = holdDocument(place, onlyIn(place, isCoverage))
    await start()
    await underWay(place, id, 'mergeReview')
    await kill()
    unmerged.restore()

    const ended = reviewOf(await place.run([...runOf(key), '--json']))
    expect(endOf(ended)).toEqual(endOf(plain))
    expect(timeless(key)).toEqual(timeless('plain'))
    expect(desk.lost).toEqual([reviewer, verifier])
    expect(desk.asked.filter((name) => name.startsWith(key))).toEqual([reviewer, reviewer, verifier, verifier])
    expect(breaks).toEqual([])
  }, 600_000)

  it('the content file lost or broken in every step under the eyes of the one who follows: the same end, and it is told', async () => {
    const key = 'broken'
    const id = `review/${key}`
    const [reviewer, verifier] = [`${key} code-reviewer ${TASK}`, `${key} code-verifier ${TASK}`]
    desk.hold(reviewer, verifier)
    const cli = place.start([...runOf(key)])
    await desk.has(reviewer)
    const isWritten = () => until('the content file', () => contentIn(folderOf(key), TASK) !== null)
    await isWritten()
    writeFileSync(pathOf(key), '{"task_id": ')
    const ungrounded = holdDocument(place, onlyIn(place, isSources))
    desk.release(reviewer)
    await underWay(place, id, 'groundPart')
    await isWritten()
    rmSync(pathOf(key))
    await ungrounded.release()
    await desk.has(verifier)
    await isWritten()
    rmSync(folderOf(key), { recursive: true })
    const unmerged = holdDocument(place, onlyIn(place, isCoverage))
    desk.release(verifier)
    await underWay(place, id, 'mergeReview')
    await isWritten()
    writeFileSync(pathOf(key), JSON.stringify({ task_id: 'task_of_somebody_else' }))
    await unmerged.release()
    const { exit, stderr } = await cli.ended
    expect(exit).toBe(0)
    expect(stderr.match(/was lost or broken, and has been written again/g)).toHaveLength(4)
    const ended = reviewOf(await place.run(['result', key, '--json']))
    const { report, ...end } = endOf(ended)
    expect(end).toEqual({
      ...endOf(plain),
      report: undefined,
      facts: { ...plain.result.facts, retries: expect.anything() },
    })
    expect({ ...report, retries: [] }).toEqual(endOf(plain).report)
    const actions = report.retries.map(({ action }) => action)
    expect(actions.length).toBeGreaterThanOrEqual(2)
    expect(new Set(actions)).toEqual(new Set(['recreate_content_file']))
    expect(timeless(key)).toEqual(timeless('plain'))
  }, 600_000)

  it('analysers are killed with their worker, and the next one finds what they would have found', async () => {
    const sources = ['--patch', join(EXAMPLE, 'change.patch'), '--repo', join(EXAMPLE, 'project'), '--task-id', TASK]
    const options = (key: string) => {
      return ['run', 'review', ...sources, '--content-dir', folderOf(key), '--key', key, '--unsandboxed']
    }
    const undisturbed = reviewOf(await place.run([...options('analysed'), '--json']))
    expect(undisturbed.report.review_results.issues.length).toBeGreaterThan(3)
    const cli = place.start(options('torn'))
    await cli.hears('review running')
    await underWay(place, 'review/torn', 'askAgent')
    await cli.kill('SIGKILL')
    const next = place.start(options('torn'))
    await next.hears(/verify (?:running|passed)/)
    await next.kill('SIGKILL')
    const ended = reviewOf(await place.run([...options('torn'), '--json']))
    expect(ended.report).toEqual(undisturbed.report)
    expect(programsIn(place)).toEqual([])
  }, 600_000)

  it('nothing is left over', async () => {
    await until('the end of the server', () => !hasServer(place.home))
    expect(programsIn(place)).toEqual([])
    expect(leftoversIn(place.home).filter((name) => !name.startsWith('runs/'))).toEqual([])
  }, 180_000)

  /** The content file without the moments. */
  function timeless(key: string) {
    const file = contentIn(folderOf(key), TASK)
    return JSON.parse(JSON.stringify(file), (name, value: unknown) =>
      name.endsWith('_at') ? 'then' : value,
    ) as unknown
  }
})

/** As many ways to lose a content file as a run is killed. */
function breaksOf(path: string, folder: string): (() => void)[] {
  return [
    () => writeFileSync(path, '{"task_id": '),
    () => rmSync(path, { force: true }),
    () => truncateSync(path, 40),
    () => writeFileSync(path, JSON.stringify({ task_id: 'task_of_somebody_else' })),
    () => {
      rmSync(path)
      symlinkSync('/etc', path)
    },
    () => rmSync(folder, { recursive: true }),
    () => writeFileSync(path, ''),
  ]
}

/** What does not depend on which run it was: an agent's name comes of what was typed for it. */
function endOf({ document, result, report: { review_results, ...rest } }: ShownReview) {
  const { status, verdict, reason } = document
  const { facts, parts, leftovers } = result
  const reviewers = review_results.coverage.reviewers.map(({ note, ...reviewer }) => ({
    note,
    status: reviewer.status,
  }))
  const report = { ...rest, ...review_results, coverage: { ...review_results.coverage, reviewers } }
  return { status, verdict, reason, facts, parts, leftovers, report }
}

/** All runs here share what is the same in them. */
function onlyIn(place: Place, isMeant: (document: Record<string, unknown>) => boolean): string {
  const [found, another] = documentsIn(place, isMeant)
  if (found === undefined || another !== undefined)
    throw new Error(`expected one such document, found ${found}, ${another}`)
  return found
}
