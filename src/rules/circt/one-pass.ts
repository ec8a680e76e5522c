/** The IR before a failing pass and that pass, as MLIR's crash reproducer writes them. */
export interface PassReproducer {
  ir: string
  /** What circt-opt may be given to run the pass, the shortest spelling first. */
  passArguments: string[]
}

/**
 * Takes a local crash reproducer apart: MLIR text that ends with `{-# … mlir_reproducer: { pipeline: "builtin.module(cse)" … } #-}`.
 * Null when it has no such end or its pipeline is not one pass.
 */
export function readReproducer(text: string): PassReproducer | null {
  const end = text.lastIndexOf('{-#')
  const pipeline = /pipeline: "([^"\n]{1,4000})"/.exec(text.slice(end))?.[1]
  if (end < 0 || pipeline === undefined) return null
  const plain = withoutOptions(pipeline)
  const pass = /^(?:[\w.]+\()+([\w-]+)\)+$/.exec(plain)?.[1]
  if (pass === undefined) return null
  const spellings = [`--${pass}`, `--pass-pipeline=${plain}`, `--pass-pipeline=${pipeline}`]
  return { ir: `${text.slice(0, end).trimEnd()}\n`, passArguments: [...new Set(spellings)] }
}

/** `a(b{x=1 y={z}})` → `a(b)`. */
function withoutOptions(pipeline: string): string {
  let depth = 0
  let kept = ''
  for (const character of pipeline) {
    if (character === '{') depth += 1
    if (depth === 0 && character !== ' ') kept += character
    if (character === '}') depth = Math.max(0, depth - 1)
  }
  return kept
}
