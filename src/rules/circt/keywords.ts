import type { AnalysisFile } from '../../contracts/circt-files.js'

/** What the search for duplicates can see of one issue. */
export interface IssueText {
  title: string
  body: string
}

/**
 * The keywords to score with: at most ten, the rarest in the corpus first, ties in the order given (seed 002's score, narrowed by pipelines.md).
 * One piece of evidence must not earn twice: what the score counts by itself (`counted`: failing pass and dialect) is left out, and so is a word
 * of a keyword already chosen that hits the same issues as that keyword does. A word no issue has can earn nothing, so such words only fill the
 * places that are left: they still tell a reader what was looked for.
 */
export function pickKeywords(
  candidates: readonly string[],
  corpus: readonly IssueText[],
  counted: readonly string[] = [],
): string[] {
  const texts = corpus.map((issue) => wordsOf(`${issue.title}\n${issue.body}`))
  const own = new Set(counted.flatMap((name) => wordsOf(passName(name))))
  const found = uniqueKeywords(candidates)
    .filter((keyword) => wordsOf(keyword).length > 1 || !own.has(wordsOf(keyword).join('')))
    .map((keyword) => hitsOf(keyword, texts))
  const known = found.filter(({ hits }) => hits.length > 0).sort((a, b) => a.hits.length - b.hits.length)
  const unknown = found.filter(({ hits }) => hits.length === 0)
  return [...withoutRepeats(known), ...unknown].slice(0, maxKeywords).map(({ keyword }) => keyword)
}

const maxKeywords = 10

interface Hits {
  keyword: string
  words: string[]
  /** Places in the corpus. */
  hits: number[]
}

function hitsOf(keyword: string, texts: readonly string[][]): Hits {
  const hits = texts.flatMap((words, at) => (hasKeyword(words, keyword) ? [at] : []))
  return { keyword, words: wordsOf(keyword), hits }
}

function withoutRepeats(ranked: readonly Hits[]): Hits[] {
  const kept: Hits[] = []
  for (const each of ranked) {
    if (!kept.some((other) => overlaps(other, each) && other.hits.join() === each.hits.join())) kept.push(each)
  }
  return kept
}

function overlaps(one: Hits, other: Hits): boolean {
  return one.words.some((word) => other.words.includes(word))
}

/**
 * Keyword candidates of an analysis, the most telling first: the pass, the compiler's own functions, constructs, words of the message, then the
 * analysis's own keywords. Identifiers give their parts too (`extractConcat` also gives `extract` and `concat`), for titles are prose.
 */
export function candidateKeywords(analysis: KeywordSource): string[] {
  const message = analysis.assertion_message ?? analysis.signature?.message ?? ''
  const pass = analysis.failing_pass === null ? [] : [passName(analysis.failing_pass)]
  const names = [...pass, ...ownFunctions(analysis), ...analysis.test_case.key_constructs]
  const parts = names.flatMap((name) => wordsOf(name)).filter((word) => isTelling(word))
  const words = wordsOf(message).filter((word) => isTelling(word))
  return uniqueKeywords([...names, ...parts, ...analysis.keywords, ...words]).filter((keyword) => isTelling(keyword))
}

/** The fields of an analysis that keywords come from. */
export type KeywordSource = Pick<
  AnalysisFile,
  'failing_pass' | 'assertion_message' | 'frames' | 'test_case' | 'keywords' | 'signature'
>

/**
 * Names of the compiler's own functions in the top frames, without namespaces and arguments: `circt::comb::ExtractOp::canonicalize` is
 * `ExtractOp canonicalize`, since a method such as `canonicalize` or `runOnOperation` says nothing without its class.
 */
export function ownFunctions(analysis: Pick<AnalysisFile, 'frames' | 'signature'>): string[] {
  const frames = analysis.signature === null ? analysis.frames : analysis.signature.frames
  return frames.filter((frame) => isOwnFrame(frame)).map((frame) => functionName(frame))
}

function isOwnFrame(frame: string): boolean {
  return frame.includes('circt::') || !/\b(?:mlir|llvm|std|slang)::|^(?:main|_start|__libc)|^_*[a-z]+$/.test(frame)
}

/** `void circt::comb::foo<int>(mlir::Operation*) const` → `foo`; a generic method keeps its class: `SimToSVPass runOnOperation`. */
function functionName(frame: string): string {
  const path =
    (frame.replace(/<[^<>]*>|\(anonymous namespace\)/g, '').split('(')[0] ?? '').trim().split(/\s+/).at(-1) ?? ''
  const names = path.split('::').filter((name) => name !== '')
  const last = names.at(-1) ?? ''
  return genericMethods.has(last) ? passName(names.at(-2) ?? '') : last
}

const genericMethods = new Set(
  'runOnOperation matchAndRewrite canonicalize fold verify verifyInvariants verifyInvariantsImpl parse print build run operator'.split(
    ' ',
  ),
)

/** `CanonicalizerPass` → `Canonicalizer`; a name that is nothing but "Pass" stays. */
export function passName(pass: string): string {
  return pass.replace(/(?<=\w)Pass$/, '')
}

/** True when the keyword stands in the text as whole words. Both are split alike, so `scf-to-calyx` is in `SCFToCalyxPass`, and `port` is not in `Support`. */
export function hasKeyword(words: readonly string[], keyword: string): boolean {
  const joined = wordsOf(keyword).join('')
  return joined !== '' && words.some((_, start) => startsWith({ words, start, joined }))
}

/** Words are joined until they are as long as the keyword, so that `imdeadcodeelim` and `IMDeadCodeElim` are the same. */
function startsWith({ words, start, joined }: { words: readonly string[]; start: number; joined: string }): boolean {
  let rest = joined
  for (let at = start; rest !== ''; at += 1) {
    const word = words[at]
    if (word === undefined || !rest.startsWith(word)) return false
    rest = rest.slice(word.length)
  }
  return true
}

/**
 * Lower-case words of a text: cut at everything that is neither letter nor digit, then at the humps of CamelCase (`HWModuleOp` → hw, module, op).
 * A digit does not end a word (`Mem2Reg` stays one), as flags spell it so.
 */
export function wordsOf(text: string): string[] {
  return text
    .slice(0, maxTextLength)
    .replace(/([a-z])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$& ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** Characters of one issue that are read: GitHub's own limit for a body. */
const maxTextLength = 65_536

function uniqueKeywords(keywords: readonly string[]): string[] {
  const byWords = new Map<string, string>()
  for (const keyword of keywords) {
    const key = wordsOf(keyword).join('')
    if (key !== '' && !byWords.has(key)) byWords.set(key, keyword.slice(0, maxKeywordLength))
  }
  return [...byWords.values()]
}

const maxKeywordLength = 80

function isTelling(keyword: string): boolean {
  const words = wordsOf(keyword)
  const isCommon = commonWords.has(keyword.toLowerCase()) || words.every((word) => commonWords.has(word))
  return words.join('').length > 2 && !isCommon
}

/** Words that every second issue has (prose, the compiler's own vocabulary, Verilog's reserved words): a hit on them is no evidence. */
const commonWords = new Set(
  `and are but does for from has have into not same that the then this was when with all any than to in of on at as be by is it no or an
  pass run file files fir code exit without diagnostic
  operation op ops value values type types module modules input inputs output outputs expected detected requires current see failed
  error errors crash crashes assertion assert lowering lower convert conversion check impl get set local model process operand operands
  circt mlir llvm firtool opt verilog support test main anon
  always always_comb always_ff assign begin end case const constant func function if else initial logic reg wire parameter connect node inst`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
