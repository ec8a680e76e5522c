import type { SourceLanguage } from '../../contracts/circt.js'
import type { Token } from './tokens.js'

/** What stands between two brackets: indices of the bracket tokens and the ranges [from, to) of the items between top-level commas. */
export interface BracketGroup {
  open: number
  close: number
  items: { from: number; to: number }[]
}

/** All closed groups, outer before inner ones. `<` counts as a bracket in types of FIRRTL and MLIR. */
export function bracketGroups(tokens: readonly Token[], language: SourceLanguage): BracketGroup[] {
  const pairs = language === 'sv' ? PLAIN : WITH_ANGLES
  const stack: { open: number; commas: number[] }[] = []
  const groups: BracketGroup[] = []
  tokens.forEach((token, index) => {
    if (token.kind !== 'mark') return
    const top = stack.at(-1)
    if (pairs[token.text] !== undefined) stack.push({ open: index, commas: [] })
    else if (token.text === ',') top?.commas.push(index)
    else if (top !== undefined && pairs[tokens[top.open]?.text ?? ''] === token.text) {
      stack.pop()
      groups.push({ open: top.open, close: index, items: itemsOf({ ...top, close: index }) })
    }
  })
  return groups.sort((one, other) => one.open - other.open)
}

function itemsOf(group: { open: number; close: number; commas: readonly number[] }): BracketGroup['items'] {
  const starts = [group.open, ...group.commas].map((index) => index + 1)
  const ends = [...group.commas, group.close]
  return starts.map((from, index) => ({ from, to: ends[index] ?? from }))
}

const PLAIN: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const WITH_ANGLES: Readonly<Record<string, string>> = { ...PLAIN, '<': '>' }
