/** A folder's name made to fit `RunKey`: what is not allowed becomes a dash; 'case' when nothing is left. */
export function keyFromName(name: string): string {
  const fitted = name
    .replaceAll(/[^A-Za-z0-9._:-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 120)
  return fitted === '' ? 'case' : fitted
}
