import { MEASURES } from './words.js'

/** What was typed as NAME=BACKEND. */
export type JudgeFlag =
  | { kind: 'agent'; name: string; backend: string }
  /** `path`: a folder of the judge's own, or the script of `score`; null for none. */
  | { kind: 'measure'; name: string; measure: (typeof MEASURES)[number]; path: string | null }

interface Mistake {
  expected: string
  came: string
}

/** Reads `--judge` and `--spare`. Of a mistake it says what was expected and what came. */
export function readJudgeFlag(text: string): JudgeFlag | Mistake {
  const at = text.indexOf('=')
  const [name, backend] = at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(name) || backend === '')
    return { expected: 'NAME=BACKEND, the name of letters, digits, dots and dashes', came: JSON.stringify(text) }
  return /^builtin(?::|$)/.test(backend) ? readMeasure(name, backend) : { kind: 'agent', name, backend }
}

function readMeasure(name: string, backend: string): JudgeFlag | Mistake {
  const [, word = '', path = ''] = /^builtin:([^:]*)(?::(.*))?$/.exec(backend) ?? []
  const measure = MEASURES.find((each) => each === word)
  const came = JSON.stringify(backend)
  if (measure === undefined) return { expected: `builtin:${MEASURES.join(', builtin:')}`, came }
  if (measure === 'score' && path === '') return { expected: 'builtin:score:SCRIPT', came }
  return { kind: 'measure', name, measure, path: path === '' ? null : path }
}
