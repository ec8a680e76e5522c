import type { Pass } from './candidate.js'
import { removals } from './candidate.js'
import { tokenLines } from './line-levels.js'
import { cursorIn } from './remove-siblings.js'
import type { Token } from './tokens.js'
import { isBlank, joinTokens } from './tokens.js'

/** Takes runs of tokens out of single lines, the last line first; lines are never joined, and a line is never emptied here. */
export const removeTokens: Pass = {
  name: 'tokens in lines',
  *candidates(text, language, from) {
    const lines = tokenLines(text, language)
    const texts = text.split('\n')
    // Lines count from the back, so that the cursor [line, size, end] means the same before and after a token of it went.
    for (let index = from[0] ?? 0; index < lines.length; index += 1) {
      const at = lines.length - 1 - index
      const line = lines[at] ?? []
      if (joinTokens(line) !== texts[at]) continue
      const places = line.flatMap((token, place) => (isBlank(token) ? [] : [place]))
      for (const removal of removals(places.length, cursorIn(from, index))) {
        const going = places.slice(removal.from, removal.to)
        if (going.length === places.length || going.every((place) => isSeparator(line[place]))) continue
        const shorter = withoutPlaces(line, going)
        yield { text: texts.with(at, shorter).join('\n'), next: [index, ...removal.next] }
      }
    }
  },
}

/** Compilers that recover from a missing comma would leave a source that no reader takes for one. */
function isSeparator(token: Token | undefined): boolean {
  return token?.text === ',' || token?.text === ';'
}

/** The tokens from the first to the last of `places` go, with the layout before them unless they begin the line. */
function withoutPlaces(line: readonly Token[], places: readonly number[]): string {
  const first = places[0] ?? 0
  const last = places.at(-1) ?? first
  const isLayoutBefore = first > 1 && line[first - 1]?.kind === 'space'
  const hasLayoutAfter = line[last + 1] === undefined || line[last + 1]?.kind === 'space'
  const from = isLayoutBefore && hasLayoutAfter ? first - 1 : first
  return joinTokens(line.slice(0, from)) + joinTokens(line.slice(last + 1))
}
