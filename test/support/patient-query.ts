const DEADLINE_MS = 3_000

/** Asks again when no answer comes: the SDK's core drops a query that reaches a run while it is evicted from the cache. */
export async function patientQuery<T>(query: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const late = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), DEADLINE_MS))
    const asked = query()
    asked.catch(() => 'asked again below')
    const answer = await Promise.race([asked.then((value) => ({ value })), late])
    if (answer !== 'late') return answer.value
    if (attempt === 5) throw new Error('no answer to a query')
  }
}
