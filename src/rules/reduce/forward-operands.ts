import type { SourceLanguage } from '../../contracts/circt.js'
import { allBlocks } from './block-tree.js'
import type { Candidate, Pass } from './candidate.js'
import { bareName } from './defined-names.js'
import type { Outline } from './outline.js'
import { lineRange, outlineOf, withoutLines } from './outline.js'
import { tokenise } from './tokens.js'

/**
 * Puts an operand in the place of a result, and takes the line that made the result away: what only led to it is then free to go.
 * In MLIR for operations with one result, in FIRRTL for nodes.
 */
export const forwardOperands: Pass = {
  name: 'operands for results',
  *candidates(text, language, from) {
    if (language === 'sv') return
    const outline = outlineOf(text, language)
    const blocks = allBlocks(outline.roots).sort((one, other) => other.from - one.from)
    const start = from[0] ?? Number.POSITIVE_INFINITY
    for (const block of blocks) {
      const result = resultOf(outline, block.from, language)
      if (block.from > start || result === null) continue
      const without = withoutLines(outline.lines, lineRange(block.from, block.to))
      for (const operand of operandsOf(outline, block.from, result)) {
        const replaced = tokenise(without, language).map((token) =>
          bareName(token.text) === result ? operand : token.text,
        )
        yield { text: replaced.join(''), next: [block.from - 1] }
      }
    }
  },
}

/** The one value that a line makes; null when it makes none or several. */
function resultOf({ defined, lines }: Outline, line: number, language: SourceLanguage): string | null {
  const [result, ...others] = defined[line] ?? []
  if (result === undefined || others.length > 0) return null
  return (language === 'mlir' ? result.startsWith('%') : isNode(lines[line])) ? result : null
}

function isNode(line: string | undefined): boolean {
  return line?.trimStart().startsWith('node ') === true
}

function operandsOf({ mentioned, lines }: Outline, line: number, result: string): string[] {
  const names = [...(mentioned[line] ?? [])].filter((name) => name !== result)
  const isFirrtl = isNode(lines[line])
  return names.filter((name) => (isFirrtl ? name !== 'node' : name.startsWith('%'))).slice(0, MAX_OPERANDS)
}

const MAX_OPERANDS = 4

/** MLIR: a function or module with no arguments and results, and nothing but its bare terminator in it. */
export const emptyFunctions: Pass = {
  name: 'empty functions',
  *candidates(text, language, from) {
    if (language !== 'mlir') return
    const outline = outlineOf(text, language)
    const blocks = allBlocks(outline.roots).filter(
      (block) => block.bodyTo - block.bodyFrom > 0 && block.to > block.bodyTo,
    )
    for (let index = from[0] ?? 0; index < blocks.length; index += 1) {
      const block = blocks[index]
      if (block !== undefined) yield* emptied(outline, block, [index + 1])
    }
  },
}

function* emptied(
  { lines }: Outline,
  block: { from: number; bodyTo: number },
  next: readonly number[],
): Generator<Candidate> {
  const head = lines[block.from] ?? ''
  const last = lines[block.bodyTo - 1] ?? ''
  const terminator = /^\s*[\w.]+/u.exec(last)?.[0]
  const bare = /^(?<start>[^()]*@[\w$.-]+)\(.*\{\s*$/u.exec(head)?.groups?.['start']
  if (terminator === undefined || bare === undefined) return
  for (const body of [[terminator], []]) {
    const text = [...lines.slice(0, block.from), `${bare}() {`, ...body, ...lines.slice(block.bodyTo)].join('\n')
    yield { text, next }
  }
}
