import { runProgram } from '../download/run-program.js'
import type { GateBox } from '../gates/gate-box.js'

/** The person's package index (never the project's), as pip's variables: from the environment, else from pip's own settings. */
export async function pipIndex({ python, env }: Pick<GateBox, 'python' | 'env'>): Promise<Record<string, string>> {
  const given = Object.entries(VARIABLES).flatMap(([variable]) => {
    const value = env[variable]
    return value === undefined ? [] : [[variable, value] as const]
  })
  if (given.some(([variable]) => variable === 'PIP_INDEX_URL')) return Object.fromEntries(given)
  const argv = [...(python?.argv ?? ['python3']), '-m', 'pip', 'config', 'list'] as [string, ...string[]]
  const { stdout } = await runProgram({ argv, env, timeMs: 20_000 })
  const settings = new Map(
    [...stdout.matchAll(/^\w+\.([\w-]+)='(.*)'$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  const found = Object.entries(VARIABLES).flatMap(([variable, setting]) => {
    const value = settings.get(setting)
    return value === undefined ? [] : [[variable, value] as const]
  })
  return { ...Object.fromEntries(found), ...Object.fromEntries(given) }
}

const VARIABLES = {
  PIP_INDEX_URL: 'index-url',
  PIP_EXTRA_INDEX_URL: 'extra-index-url',
  PIP_TRUSTED_HOST: 'trusted-host',
}
