/** Names of files that are there to test others. */
const TEST = [
  /(?:^|\/)(?:tests?|__tests__|__mocks__|spec|specs|testing|fixtures|e2e|cypress)\//i,
  /[._-](?:test|tests|spec|e2e)\.[A-Za-z]+$/i,
  /(?:^|\/)test_[^/]*\.py$/,
  /_test\.(?:go|py|dart|rb|exs|c|cc|cpp)$/,
  /(?:^|\/)conftest\.py$/,
  /[A-Za-z](?:Test|Tests|Spec|IT)\.(?:java|kt|scala|groovy|cs|php|swift)$/,
]

export function isTestFile(path: string): boolean {
  return TEST.some((pattern) => pattern.test(path))
}

const GENERATED = [
  /\.min\.(?:js|mjs|css)$/i,
  /(?:^|\/)(?:dist|build|out|vendor|third_party|node_modules|generated|__generated__)\//,
  /\.(?:pb\.go|pb\.cc|pb\.h|g\.dart|designer\.cs|generated\.[A-Za-z]+)$/i,
  /_pb2(?:_grpc)?\.pyi?$/,
]

const GENERATED_WORDS = /@generated\b|\bDO NOT EDIT\b|\bautomatically generated\b|\bauto-generated\b/i

/** By its name, or by what it says of itself at its start. */
export function isGeneratedFile(path: string, text: string | null): boolean {
  if (GENERATED.some((pattern) => pattern.test(path))) return true
  return text !== null && GENERATED_WORDS.test(text.slice(0, 2_000))
}

/** Files that only list what other programs chose: reading them finds nothing that can be mended there. */
export function isLockFile(path: string): boolean {
  return /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|composer\.lock|Gemfile\.lock|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|go\.sum|flake\.lock|gradle\.lockfile)$/.test(
    path,
  )
}
