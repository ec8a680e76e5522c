import type { SourceLanguage } from '../../contracts/circt.js'
import type { BracketGroup } from './bracket-groups.js'
import { bracketGroups } from './bracket-groups.js'
import type { Pass } from './candidate.js'
import { removals } from './candidate.js'
import { bareName, definedNames } from './defined-names.js'
import { cursorIn } from './remove-siblings.js'
import type { Token } from './tokens.js'
import { isBlank, joinTokens, tokenise } from './tokens.js'

/**
 * Takes items out of comma lists in brackets (ports, operands, annotations), across lines too, with their comma; alone, and together
 * with every line that mentions a name of theirs. Also whole groups: their content, the brackets, the word before them.
 */
export const removeItems: Pass = {
  name: 'list items',
  *candidates(text, language, from) {
    const tokens = tokenise(text, language)
    const groups = bracketGroups(tokens, language)
    for (let index = from[0] ?? 0; index < groups.length; index += 1) {
      const group = groups[index]
      if (group === undefined) continue
      const cursor = cursorIn(from, index)
      if (cursor.length === 0) yield* wholeGroup(tokens, group, index)
      yield* itemRemovals(tokens, { group, language, index, cursor })
    }
  },
}

function* wholeGroup(tokens: readonly Token[], group: BracketGroup, index: number) {
  const { open, close } = group
  const before = wordBefore(tokens, open)
  const next = [index]
  yield { text: without(tokens, before, close + 1), next }
  if (before < open) yield { text: without(tokens, open, close + 1), next }
  if (tokens.slice(open + 1, close).some((token) => !isBlank(token))) {
    yield { text: without(tokens, open + 1, close), next: [index, 1, 0] }
  }
}

interface Place {
  group: BracketGroup
  language: SourceLanguage
  index: number
  cursor: readonly number[]
}

function* itemRemovals(tokens: readonly Token[], { group, language, index, cursor }: Place) {
  const { items } = group
  if (items.length < 2) return
  for (const removal of removals(items.length, cursor)) {
    if (removal.to - removal.from === items.length) continue
    const [from, end] = withComma(items, removal)
    const to = removal.to === items.length ? withoutLayout(tokens, end) : end
    const next = [index, ...removal.next]
    const names = namesIn(tokens.slice(from, to), language)
    if (names.size > 0) yield { text: withoutMentions(tokens, { from, to, names }), next }
    yield { text: without(tokens, from, to), next }
  }
}

/** The comma before the first item goes with it; for the list's first item the comma after it. */
function withComma(items: BracketGroup['items'], removal: { from: number; to: number }): [number, number] {
  const from = items[removal.from]?.from ?? 0
  const to = items[removal.to - 1]?.to ?? 0
  return removal.from === 0 ? [from, to + 1] : [from - 1, to]
}

/** The layout before a closing bracket stays, so that the bracket keeps its line. */
function withoutLayout(tokens: readonly Token[], end: number): number {
  const last = tokens.slice(0, end).findLastIndex((token) => token.kind !== 'space' && token.kind !== 'newline')
  return last + 1
}

function namesIn(item: readonly Token[], language: SourceLanguage): Set<string> {
  if (language !== 'mlir') return new Set(definedNames(item, language))
  const values = item.filter((token) => token.kind === 'word' && token.text.startsWith('%'))
  return new Set(values.map((token) => bareName(token.text)))
}

/** Without the tokens [from, to), and without the later lines that mention one of `names`. */
function withoutMentions(
  tokens: readonly Token[],
  { from, to, names }: { from: number; to: number; names: ReadonlySet<string> },
): string {
  const rest = joinTokens(tokens.slice(to)).split('\n')
  const [first = '', ...later] = rest
  const hits = linesMentioning(tokens.slice(to), names)
  const kept = later.filter((_line, index) => !hits.has(index + 1))
  return joinTokens(tokens.slice(0, from)) + [first, ...kept].join('\n')
}

function linesMentioning(tokens: readonly Token[], names: ReadonlySet<string>): Set<number> {
  const hits = new Set<number>()
  let line = 0
  for (const token of tokens) {
    if (token.kind === 'word' && names.has(bareName(token.text))) hits.add(line)
    line += token.text.split('\n').length - 1
  }
  return hits
}

function wordBefore(tokens: readonly Token[], index: number): number {
  let at = index
  while (at > 0 && (tokens[at - 1]?.kind === 'word' || tokens[at - 1]?.text === '%' || tokens[at - 1]?.text === '#'))
    at -= 1
  return at
}

function without(tokens: readonly Token[], from: number, to: number): string {
  return joinTokens(tokens.slice(0, from)) + joinTokens(tokens.slice(to))
}
