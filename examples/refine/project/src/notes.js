/** Notes of one folder: `{title, file}`, by title. */
export function listNotes(files) {
  return files
    .filter((file) => file.endsWith('.md'))
    .map((file) => ({ title: file.slice(0, -3), file }))
    .sort((left, right) => left.title.localeCompare(right.title))
}
