import type { IssueDraft } from './issue-text.js'

/** issue.md: the title as its heading, a line of labels, the body. `parseIssue` reads it back, also after a person has edited it. */
export function renderIssue({ title, labels, body }: IssueDraft): string {
  return [`# ${title}`, '', `Labels: ${labels.map((label) => `\`${label}\``).join(', ')}`, '', body].join('\n')
}

/** Title, labels and body of an issue.md; null when it has no heading to take the title from. */
export function parseIssue(markdown: string): IssueDraft | null {
  const lines = markdown.replace(/\r\n?/g, '\n').split('\n')
  const heading = lines.findIndex((line) => line.trim() !== '')
  const title = lines[heading]?.match(/^# (.*\S)/)?.[1]
  if (title === undefined) return null
  const rest = lines.slice(heading + 1)
  const at = rest.findIndex((line) => line.trim() !== '')
  const hasLabels = rest[at]?.startsWith('Labels:') === true
  const labels = hasLabels ? [...(rest[at] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '') : []
  const body = rest
    .slice(hasLabels ? at + 1 : Math.max(at, 0))
    .join('\n')
    .trim()
  return { title, labels, body: `${body}\n` }
}
