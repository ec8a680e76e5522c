import type { Pass } from './candidate.js'
import { emptyFunctions, forwardOperands } from './forward-operands.js'
import { matchOperands } from './match-operands.js'
import { printReadably } from './readable.js'
import { removeBlocks } from './remove-blocks.js'
import { removeItems } from './remove-items.js'
import { removeLines, removeSingleLines } from './remove-lines.js'
import { removeMentions, removeNames } from './remove-names.js'
import { removeSiblings } from './remove-siblings.js'
import { removeTokens } from './remove-tokens.js'
import { hoistArguments, simplifyNumbers } from './simplify-values.js'

/** Coarse and cheap: where most of a source goes. Run until a round takes nothing, before anything finer is tried. */
export const COARSE_PASSES: readonly Pass[] = [printReadably, removeBlocks, removeSiblings, emptyFunctions, removeNames]

/** One round of everything. Run until a round takes nothing. */
export const ALL_PASSES: readonly Pass[] = [
  removeBlocks,
  removeSiblings,
  removeNames,
  removeMentions,
  removeLines,
  forwardOperands,
  matchOperands,
  removeItems,
  hoistArguments,
  removeTokens,
  simplifyNumbers,
  printReadably,
]

/** The end: printed, then 1-minimal by line. Run until the second takes nothing. */
export const LAST_PASSES: readonly Pass[] = [printReadably, removeSingleLines]
