import { Failure } from '../../contracts/failures.js'

export interface GitHubConfig {
  /** Without a trailing slash. */
  baseUrl: string
  token: string | null
  /** How often a read is tried again after a 5xx or a lost connection. 0 in activities, where retries belong to Temporal. */
  retries: number
  /** True keeps GitHub's own pace: one search in 2 s, one write in 3 s. */
  isPaced: boolean
  /** Of one call, milliseconds. */
  timeoutMs: number
}

/** `GITHUB_API_URL` and `GITHUB_TOKEN`, as in GitHub Actions. Throws `Failure('Contract.Violated')` for an address that is none. */
export function gitHubConfig(env: Readonly<Record<string, string | undefined>>): GitHubConfig {
  const url = env['GITHUB_API_URL'] || 'https://api.github.com'
  const isHttp = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  if (!isHttp) throw new Failure('Contract.Violated', 'GITHUB_API_URL: expected an http or https address')
  return {
    baseUrl: url.replace(/\/+$/, ''),
    token: env['GITHUB_TOKEN'] || null,
    retries: 0,
    isPaced: true,
    timeoutMs: 30_000,
  }
}
