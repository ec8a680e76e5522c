import { DefaultLogger, Runtime } from '@temporalio/worker'

/** Lines the SDK and its core logged at WARN or above, for tests that must see none of a kind. */
export const logged: string[] = []

/** Import it first in a test that runs workers: the runtime is installed once, and says nothing on the terminal. */
Runtime.install({
  logger: new DefaultLogger('WARN', ({ message, meta }) => {
    logged.push(`${message} ${JSON.stringify(meta ?? {})}`)
  }),
  telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'WARN' } } },
})
