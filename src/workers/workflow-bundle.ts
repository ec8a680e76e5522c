import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleOption } from '@temporalio/worker'

/**
 * The workflow bundle: the one built with the package, else (running from sources) a fresh one, built once per process.
 * A prebuilt bundle saves about a second at every start.
 */
export async function workflowBundle(): Promise<WorkflowBundleOption> {
  const prebuilt = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url))
  if (existsSync(prebuilt)) return { codePath: prebuilt }
  return (fresh ??= buildWorkflowBundle())
}

let fresh: Promise<{ code: string }> | undefined

/** Builds the bundle with its inline source map, which the SDK needs for stack traces. */
export async function buildWorkflowBundle(): Promise<{ code: string }> {
  const own = fileURLToPath(import.meta.url)
  const entry = new URL(`../workflows/all-workflows${own.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
  return await bundleWorkflowCode({ workflowsPath: fileURLToPath(entry), logger: new DefaultLogger('WARN') })
}
