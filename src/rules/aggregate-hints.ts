import type { Lang, TechStack } from '../contracts/aggregate.js'
import { TOPICS, type TechStackRow, type Topic } from './tech-stack-topics.js'
import { TECH_STACKS } from './tech-stacks.js'

/** What the tech stack has to say about one type of issue. */
export interface StackAdvice {
  /** "FastAPI": the row that says it. At most `maxHints`, the more particular first. */
  hints: { stack: string; text: string }[]
  /** How far the type moves up among issues of its severity (and, for High, of its reach). */
  shift: number
}

/** Looks up each type once, so that many issues cost no more than their types. */
export function stackAdvisor(stack: TechStack, lang: Lang): (type: string) => StackAdvice {
  const rows = TECH_STACKS.filter((row) => isUsed(row, stack))
  const known = new Map<string, StackAdvice>()
  return (type) => {
    const advice = known.get(type) ?? adviseOn(topicsOf(type), rows, lang)
    known.set(type, advice)
    return advice
  }
}

function adviseOn(topics: readonly Topic[], rows: readonly TechStackRow[], lang: Lang): StackAdvice {
  const found = rows.flatMap(({ name, hints }) =>
    topics.flatMap((topic) => (hints[topic] === undefined ? [] : [{ name, hint: hints[topic] }])),
  )
  return {
    hints: found.slice(0, maxHints).map(({ name, hint }) => ({ stack: name, text: hint[lang] })),
    shift: Math.max(0, ...found.map(({ hint }) => hint.shift ?? 0)),
  }
}

const maxHints = 3

/** 'SQL_INJECTION', 'SqlInjection', 'sql-injection' and 'SQL 注入' are one topic. */
export function topicsOf(type: string): Topic[] {
  const words = wordsOf(type.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' '))
  return TOPIC_NAMES.filter((topic) => TOPICS[topic].some((phrase) => hasPhrase(words, phrase)))
}

const TOPIC_NAMES = Object.keys(TOPICS) as Topic[]

/** Not split at capitals: "JavaScript" is no Java. */
function isUsed({ kind, aliases }: TechStackRow, stack: TechStack): boolean {
  const said = {
    language: [stack.language],
    framework: [stack.framework ?? '', stack.language],
    constraint: stack.constraints ?? [],
  }[kind]
  return said.some((text) => aliases.some((alias) => hasPhrase(wordsOf(text), alias)))
}

/** "SQL_Injection" → " sql injection ", "C++20" → " c++ 20 ". Plus and hash belong to names of languages. */
function wordsOf(text: string): string {
  const words = text
    .toLowerCase()
    .replaceAll(/(?<=\D)(?=\d)/g, ' ')
    .split(/[^\p{L}\p{N}+#]+/u)
  return ` ${words.filter((word) => word !== '').join(' ')} `
}

/** Chinese has no blanks between words; by the last character, because a regular expression per phrase and type would cost the most here. */
function hasPhrase(words: string, phrase: string): boolean {
  const isChinese = phrase.charCodeAt(phrase.length - 1) >= firstIdeograph
  return isChinese ? words.replaceAll(' ', '').includes(phrase.replaceAll(' ', '')) : words.includes(` ${phrase} `)
}

const firstIdeograph = 0x3400
