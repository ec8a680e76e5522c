import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { ensureTemporalCli } from '../../src/tools/download/temporal-cli.js'
import { attributeNames } from '../../src/workers/search-attributes.js'

/** Downloads are shared by all tests, and kept between runs. */
export function testCache(): string {
  const cache =
    process.env['GAUNTLET_CACHE'] ?? fileURLToPath(new URL('../../node_modules/.cache/gauntlet', import.meta.url))
  mkdirSync(cache, { recursive: true })
  return cache
}

/** A dev server in memory (or in a file, for a test that reads it), in real time, with our search attributes. `skipTime` switches a run of it to skipping. */
export async function devServerEnv(
  dbFilename?: string,
  settings: readonly string[] = [],
): Promise<TestWorkflowEnvironment> {
  const cli = await ensureTemporalCli({ cache: testCache(), env: process.env, progress: (line) => console.error(line) })
  const dynamic = ['frontend.WorkflowTimeSkippingEnabled=true', 'history.transferProcessorMaxPollRPS=2000', ...settings]
  return TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: cli.path },
      searchAttributes: Object.entries(attributeNames).map(([name, type]) =>
        type === 'Bool'
          ? defineSearchAttributeKey(name, SearchAttributeType.BOOL)
          : defineSearchAttributeKey(name, SearchAttributeType.KEYWORD),
      ),
      extraArgs: dynamic.flatMap((entry) => ['--dynamic-config-value', entry]),
      log: { format: 'pretty', level: 'error' },
      ...(dbFilename === undefined ? {} : { dbFilename }),
    },
  })
}

/**
 * The same, but every workflow started through `env.client` skips time from its first moment: whenever no activity runs, its
 * clock jumps to the next timer (a jump takes up to a second of real time), so waits of days end at once. A test that wants
 * to signal or update a waiting run must start it with `devServerEnv` and call `skipTime` when it wants the wait to end.
 */
export async function timeSkippingEnv(): Promise<TestWorkflowEnvironment> {
  const env = await devServerEnv()
  const { workflowService } = env.connection
  const start = workflowService.startWorkflowExecution.bind(workflowService)
  // The client has no option for it yet: the request itself is completed on its way out.
  const skipping = (request: Parameters<typeof start>[0]) =>
    start({ timeSkippingConfig: { enabled: true }, ...request })
  workflowService.startWorkflowExecution = skipping as typeof start
  return env
}

/** From now on this run skips time whenever no activity of it runs. Works in either environment. */
export async function skipTime(env: TestWorkflowEnvironment, workflowId: string): Promise<void> {
  await env.connection.workflowService.updateWorkflowExecutionOptions({
    namespace: env.namespace ?? 'default',
    workflowExecution: { workflowId },
    workflowExecutionOptions: { timeSkippingConfig: { enabled: true } },
    updateMask: { paths: ['time_skipping_config'] },
  })
}
