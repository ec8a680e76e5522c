import type { ShownCandidate } from '../contracts/eval-answers.js'
import { FolderListing } from '../contracts/eval.js'
import { fence } from '../rules/fence.js'
import type { Look } from './role.js'

/**
 * A candidate as fenced data under its label, at most `maxCharacters` of it: a text as it is, a folder file by file. What is left out is
 * named. File names are the candidate's own words, so that they stand inside the fence.
 */
export async function showCandidate(look: Look, candidate: ShownCandidate, maxCharacters: number): Promise<string> {
  const { label, kind, content } = candidate
  const text = kind === 'text' ? await look.artifact(content) : await folderText(look, content, maxCharacters)
  return fence(`candidate ${label}`, cut(text, maxCharacters))
}

async function folderText(look: Look, content: ShownCandidate['content'], maxCharacters: number): Promise<string> {
  const listing = listingIn(await look.artifact(content))
  if (listing === null) return '[more files than can be shown]'
  const parts: string[] = []
  const left: string[] = []
  let size = 0
  for (const file of listing) {
    const text = size + file.size > maxCharacters ? null : await look.artifact(file)
    if (text === null || text.includes('\0')) left.push(file.name)
    else parts.push(`=== ${file.name}\n${text}`)
    size += text?.length ?? 0
  }
  const note = left.length === 0 ? [] : [`=== not shown: ${left.slice(0, 50).join(', ')}`]
  return [...parts, ...note].join('\n')
}

/** Null for a list that was cut on its way here. */
function listingIn(text: string): FolderListing | null {
  try {
    return FolderListing.parse(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function cut(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  return `${text.slice(0, maxCharacters)}\n[${text.length - maxCharacters} characters left out]`
}

/** All candidates of one prompt together. */
export const MAX_SHOWN = 400_000
