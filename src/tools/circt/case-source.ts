import type { CirctCase } from '../../contracts/circt.js'
import { Failure } from '../../contracts/failures.js'
import type { CirctBox, Toolchain } from './circt-box.js'

/** The case's texts, under the names that its published files use. */
export interface CaseSource {
  /** 'source.sv' and the like, whatever the user's file was called. */
  name: string
  text: Buffer
  errorText: string
}

/** Reads source and error text from the store. Throws `Failure('Contract.Violated')` when they are gone. */
export async function readCaseSource(order: CirctCase, box: Pick<CirctBox, 'store'>): Promise<CaseSource> {
  const [text, error] = await Promise.all([box.store.get(order.source), box.store.get(order.error)])
  return { name: `source.${order.language}`, text, errorText: error.toString('utf8') }
}

/** The toolchain of the case's command, or null when it is not to be had here or lacks the tool. */
export async function toolchainOf(order: CirctCase, box: Pick<CirctBox, 'toolchainFor'>): Promise<Toolchain | null> {
  try {
    const toolchain = await box.toolchainFor(order.command.version)
    return toolchain.has(order.command.tool) ? toolchain : null
  } catch (error) {
    if (error instanceof Failure && error.type === 'Tool.Missing') return null
    throw error
  }
}
