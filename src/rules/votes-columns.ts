/** Rows as lines, two blanks between columns; numbers stand at the right. Wide letters (Chinese, Japanese, Korean) count as two. */
export function textColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, columnsOf(cell))))
  return rows.map((row) =>
    row
      .map((cell, at) => pad(cell, widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function pad(cell: string, width: number): string {
  const blanks = ' '.repeat(width - columnsOf(cell))
  return NUMBER.test(cell) ? blanks + cell : cell + blanks
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/

/** Columns of a terminal. */
export function columnsOf(text: string): number {
  const letters = Array.from(text.replaceAll(/\p{Mn}/gu, ''))
  return letters.reduce((width, letter) => width + (WIDE.test(letter) ? 2 : 1), 0)
}

const WIDE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u
