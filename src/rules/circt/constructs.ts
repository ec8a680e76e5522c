import type { SourceLanguage } from '../../contracts/circt.js'
import { loopingOperations } from './looping-operations.js'

export interface Constructs {
  /** Up to 12, those named by the failure first, then the rare before the common. */
  keyConstructs: string[]
  /** Sentences without the user's names. */
  problematicPatterns: string[]
}

/**
 * What a test case is made of, as far as it may matter: language features for SystemVerilog and FIRRTL, operations for MLIR.
 * `hints` are words of the failure (operation names, the source line a diagnostic points at): what they name comes first.
 * Reads at most one million characters.
 */
export function constructsOf(language: SourceLanguage, text: string, hints: readonly string[]): Constructs {
  const code = withoutComments(language, text.slice(0, MAX_TEXT))
  const found = language === 'mlir' ? [...loopingOperations(code), ...operationsOf(code)] : featuresOf(language, code)
  const hinted = found.filter((name) => hints.some((hint) => mentions(language, hint, name)))
  const keyConstructs = [...new Set([...hinted, ...found])].slice(0, 12)
  const table = PATTERNS[language]
  return { keyConstructs, problematicPatterns: table.filter(([, has]) => has(code)).map(([sentence]) => sentence) }
}

/** Operation names of MLIR text, the rarest first: what is everywhere explains least. */
export function operationsOf(text: string): string[] {
  const counts = new Map<string, number>()
  for (const [, name = ''] of text.matchAll(/(?:^|[\s"=])((?:[a-z]\w{1,30})\.[a-z][\w.]{0,60})/gm)) {
    if (!PLAIN_OPERATIONS.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => a[1] - b[1]).map(([name]) => name)
}

const MAX_TEXT = 1_000_000

function withoutComments(language: SourceLanguage, text: string): string {
  if (language === 'fir') return text.replace(/;[^\n"]*$/gm, '')
  const [start = '', ...commented] = text.replace(/\/\/[^\n]*/g, '').split('/*')
  return [start, ...commented.map((part) => (part.includes('*/') ? part.slice(part.indexOf('*/') + 2) : ''))].join(' ')
}

const PLAIN_OPERATIONS = new Set([
  'hw.module',
  'hw.output',
  'hw.constant',
  'builtin.module',
  'func.func',
  'func.return',
  'calyx.component',
  'calyx.wires',
  'calyx.control',
  'firrtl.circuit',
  'firrtl.module',
  'moore.module',
  'moore.output',
  'handshake.func',
])

function featuresOf(language: 'sv' | 'fir', code: string): string[] {
  return FEATURES[language].filter(([, words]) => words.test(code)).map(([name]) => name)
}

function mentions(language: SourceLanguage, hint: string, name: string): boolean {
  if (language === 'mlir') return hint.includes(name)
  return FEATURES[language].some(([feature, words]) => feature === name && words.test(hint))
}

type Features = readonly (readonly [name: string, words: RegExp])[]

/** Rare features first. */
const FEATURES: Record<'sv' | 'fir', Features> = {
  fir: [
    ['enum', /\{\|/],
    ['match', /^\s*match\b/m],
    ['rwprobe', /\b(?:RWProbe|rwprobe)\b/],
    ['force', /\b(?:force|release)(?:_initial)?\b/],
    ['probe', /\b(?:Probe<|probe\(|define\b)/],
    ['layer', /\b(?:layer|layerblock|group|declgroup)\b/],
    ['class', /^\s*(?:class|object)\b/m],
    ['property', /\bpropassign\b/],
    ['instchoice', /\binstchoice\b/],
    ['intrinsic', /\b(?:intmodule|intrinsic)\b/],
    ['annotation', /%\[\[/],
    ['fstring', /\bfprintf\b|"[^"\n]{0,300}\{\{/],
    ['analog attach', /\b(?:Analog<|attach\b)/],
    ['cmem', /^\s*cmem\b/m],
    ['smem', /^\s*smem\b/m],
    ['mem', /^\s*mem\b/m],
    ['mport', /\bmport\b/],
    ['async reset', /\b(?:AsyncReset|asAsyncReset)\b/],
    ['abstract reset', /:\s?Reset\b/],
    ['zero width', /\b[US]Int<0>/],
    ['const', /\bconst [US{]/],
    ['type alias', /^\s*type\b/m],
    ['dshl', /\bdshlw?\(/],
    ['division', /\b(?:div|rem)\(/],
    ['invalidate', /\bis invalid\b|\binvalidate\b/],
    ['dynamic index', /\w\[[A-Za-z_]\w{0,60}\]/],
    ['vector', />\[\d{1,9}\]/],
    ['verification', /\b(?:assert|assume|cover)\(/],
    ['printf', /\bprintf\(/],
    ['extmodule', /^\s*extmodule\b/m],
    ['regreset', /\bregreset\b/],
    ['when', /^\s*when\b/m],
  ],
  sv: [
    ['union', /\bunion\b/],
    ['class', /\bclass\b/],
    ['interface', /\binterface\b/],
    ['wildcard equality', /[=!]=\?/],
    ['inside', /\binside\b/],
    ['streaming', /\{\s{0,8}(?:<<|>>)/],
    ['string', /\bstring\b/],
    ['real', /\b(?:real|shortreal)\b/],
    ['queue', /\[\$\]/],
    ['property', /\b(?:property|sequence)\b/],
    ['assertion', /\b(?:assert|assume|cover)\b/],
    ['fork', /\bfork\b/],
    ['delay', /#\s?\d/],
    ['force', /\b(?:force|release)\b/],
    ['inout', /\b(?:inout|tri)\b/],
    ['casez', /\bcase[xz]\b/],
    ['latch', /\balways_latch\b/],
    ['packed struct', /\bstruct\s{1,8}packed\b/],
    ['struct', /\bstruct\b/],
    ['enum', /\benum\b/],
    ['unpacked array', /\w\s?\[[^\]\n]{1,60}\]\s?;/],
    ['function', /\bfunction\b/],
    ['task', /\btask\b/],
    ['generate', /\bgen(?:erate|var)\b/],
    ['system task', /\$(?!clog2|bits|signed|unsigned)[a-z]\w{0,40}/],
    ['division', /\w\s?[/%]\s?\w/],
    ['signed', /\bsigned\b/],
    ['for loop', /\bfor\s?\(/],
    ['part select assignment', /^\s*(?:assign\s)?\w{1,60}\s?\[[^\]\n]{1,60}\]\s?<?=/m],
    ['always_comb', /\balways_comb\b|always\s?@\s?\(?\*/],
    ['always_ff', /\balways_ff\b|always\s?@\s?\((?:pos|neg)edge/],
    ['initial', /\binitial\b/],
  ],
}

const PATTERNS: Record<SourceLanguage, readonly (readonly [sentence: string, has: (code: string) => boolean])[]> = {
  fir: [
    ['a memory whose element is an enum', (code) => /^\s*[cs]mem\b[^\n]{0,200}\{\|/m.test(code)],
    ['an enum that is invalidated', (code) => code.includes('{|') && /\bis invalid\b|\binvalidate\b/.test(code)],
    ['a circuit that has no main module', hasNoMain],
    ['values of zero width', (code) => /\b[US]Int<0>/.test(code)],
    ['a vector without elements', (code) => />\[0\]/.test(code)],
    ['an annotation that has nothing but its class', (code) => /"class"\s?:\s?"[^"\n]{1,200}"\s{0,8}\}/.test(code)],
  ],
  sv: [
    [
      'parts of one vector written one by one in always_comb',
      (code) => code.includes('always_comb') && /^\s*\w{1,60}\s?\[[^\]\n]{1,60}\]\s?=[^=]/m.test(code),
    ],
    [
      'a two-state operand compared with a four-state pattern',
      (code) => /==\?\s?\d{0,9}'[bh][0-9a-fxz?]{0,64}[xz?]/i.test(code),
    ],
    ['a module without a body', (code) => /\bmodule\s{1,8}\w{1,100}\s?(?:\(\s?\))?;\s{0,80}endmodule/.test(code)],
  ],
  mlir: [
    ['operations that use each other in a loop', (code) => loopingOperations(code).length > 0],
    [
      'a function that is declared without a body',
      (code) => /^\s*func\.func private @\S{1,200}\([^\n]{0,2000}\)[^{\n]{0,400}$/m.test(code),
    ],
    ['values of zero width', (code) => /\bi0\b/.test(code)],
  ],
}

function hasNoMain(code: string): boolean {
  const circuit = /^\s{0,80}circuit\s{1,80}([^\s:]{1,200})/m.exec(code)?.[1]
  const modules = code.matchAll(/^\s{0,80}(?:(?:public|ext|int)\s?)?module\s{1,80}([^\s:<]{1,200})/gm)
  return circuit !== undefined && ![...modules].some(([, name]) => name === circuit)
}
