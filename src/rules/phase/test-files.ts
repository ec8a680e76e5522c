/**
 * True for files that belong to tests by their name or folder, in the ways of Node, Python, Go, Rust, Java and Ruby: what a coder
 * may not change when a tester wrote it. Stubs that a tester left among the sources are not: the coder must fill them.
 */
export function isTestFile(path: string): boolean {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  return folders.some((folder) => FOLDERS.has(folder.toLowerCase())) || NAMES.some((pattern) => pattern.test(name))
}

const FOLDERS = new Set(['test', 'tests', '__tests__', 'spec', 'specs', '__snapshots__', 'testdata', 'e2e'])

const NAMES: readonly RegExp[] = [
  /[._-](?:test|tests|spec|e2e)\.[cm]?[jt]sx?$/,
  /^(?:test_.+|.+_test|conftest)\.py$/,
  /_test\.(?:go|rs|rb|exs)$/,
  /(?:Test|Tests|IT)\.(?:java|kt|scala|cs)$/,
  /_spec\.rb$/,
  /\.snap$/,
]
