/** A name for code that came without one: its ending chooses the analysers. */
export function snippetName(text: string): string {
  const found = SHAPES.find(([shape]) => shape.test(text))
  return found?.[1] ?? 'snippet.txt'
}

const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/^\s*(?:def \w+\(.*\).*:|from [\w.]+ import |import \w+(?:\s*,\s*\w+)*\s*$|class \w+.*:\s*$)/m, 'snippet.py'],
  [/^\s*(?:interface \w+ \{|type \w+ =|(?:export )?(?:async )?function \w+\(.*\): )/m, 'snippet.ts'],
  [/\b(?:const|let|var|function)\b|=>|require\(/, 'snippet.js'],
]
