import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import type { AnalysedText, AnalyseText, RawFinding } from './raw-finding.js'

/** Keys, tokens and passwords in texts of any kind. What is found never stands in a message. */
export function createSecretAnalyser(): AnalyseText {
  return async (text) => {
    const { messages } = await lintSource({
      source: { filePath: `/${text.path}`, content: text.text, ext: extensionOf(text.path), contentType: 'text' },
      options: { config: { rules: [{ id: PRESET, rule: creator }] }, noPhysicFilePath: true, maskSecrets: true },
    })
    return messages.map((message) => asFinding(text, message))
  }
}

const PRESET = '@secretlint/secretlint-rule-preset-recommend'

interface Message {
  ruleId: string
  message: string
  range: readonly [number, number]
  loc: { start: { line: number; column: number }; end: { line: number; column: number } }
}

function asFinding({ path }: AnalysedText, { ruleId, message, range, loc }: Message): RawFinding {
  const { start, end } = loc
  const length = range[1] - range[0]
  return {
    path,
    rule: ruleId.replace('@secretlint/secretlint-rule-', 'secret/'),
    line: start.line,
    endLine: start.line,
    message: message.split(':')[0] ?? 'found a secret',
    secret: { from: start.column, to: end.line === start.line ? end.column : start.column + length },
  }
}

function extensionOf(path: string): string {
  return /\.[A-Za-z0-9]+$/.exec(path)?.[0] ?? ''
}
