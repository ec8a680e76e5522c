/** Criteria as a person writes them: one per line, a list's dashes and numbers left out, 'name: description'. Headings and blanks are none. */
export function readCriteria(text: string): { name: string; description: string }[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replace(/^(?:[-*+•]|\d+[.)])\s+/, ''))
    .map((line) => {
      const [, name = line, description = ''] = /^([^:：]{1,200})[:：]\s*(.*)$/.exec(line) ?? []
      return { name: name.trim(), description: description.trim() }
    })
}
