import type { SourceLanguage } from '../../contracts/circt.js'
import { constructsOf } from './constructs.js'

/**
 * What is left in a reduced test case, as a phrase behind "with": its pattern where one is known, else its first two constructs; null when it has
 * neither. The analysis looked at the whole source, of which most had nothing to do with the failure.
 */
export function triggerOf(language: SourceLanguage, testCase: string): string | null {
  const { keyConstructs, problematicPatterns } = constructsOf(language, testCase, [])
  const names = keyConstructs.slice(0, 2).join(', ')
  const [pattern] = problematicPatterns
  if (pattern === undefined) return names === '' ? null : names
  return pattern.startsWith('operations that use each other') && names !== '' ? `${names} in a loop` : pattern
}
