/** A script of package.json, understood as far as it can be without a shell. */
export interface ScriptCommand {
  /** Words of its last command, without variables in front, `npx` and the like. */
  words: readonly string[]
  /** True when it is one command without anything that only a shell understands. */
  isPlain: boolean
}

/** npm puts further arguments behind the last command of a script, so that is the one that matters. */
export function lastCommand(script: string): ScriptCommand {
  const last = script.split(/&&|\|\||[;|]/).at(-1) ?? ''
  const words = (last.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => word.replaceAll(/^["']|["']$/g, ''))
  const start = words.findIndex((word) => !/^\w+=/.test(word) && !STARTERS.includes(word))
  const isPlain = !/[&|;<>$`*?(){}[\]~\\"'!]/.test(script) && start === 0
  return { words: start === -1 ? [] : words.slice(start), isPlain }
}

/** Words that only start another command. */
const STARTERS = ['npx', 'cross-env', 'env', 'pnpm', 'yarn', 'exec', '--', '--no-install', '--no', '--yes', '-y']

/** What `npm init` writes when there are no tests. */
export function isPlaceholder(script: string): boolean {
  return /no test specified/.test(script)
}

/** 'vitest' of 'node_modules/.bin/vitest run'. */
export function programOf({ words }: ScriptCommand): string {
  return (words[0] ?? '').split('/').at(-1) ?? ''
}
