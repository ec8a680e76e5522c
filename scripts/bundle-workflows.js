import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { buildWorkflowBundle } from '../dist/workers/workflow-bundle.js'

/** Last step of the build: the workflow bundle, so that no worker spends a second on making it. */
const { code } = await buildWorkflowBundle()
await writeFile(fileURLToPath(new URL('../dist/workflow-bundle.js', import.meta.url)), code)
