/**
 * Operations whose result is used by themselves, directly or by two that use each other: the smallest loops a rewrite can run around in.
 * Names are matched within one module, as `%0` starts anew in each.
 */
export function loopingOperations(code: string): string[] {
  return code.split(/^\s{0,80}\w{1,40}\.module\b/m).flatMap((body) => loopsWithin(body))
}

function loopsWithin(body: string): string[] {
  const made = new Map<string, { operation: string; uses: string[] }>()
  for (const line of body.split('\n')) {
    const [result, operation, rest] =
      /^\s{0,80}(%[\w.$-]{1,100})(?::\d+)? = "?([\w.]{1,80})(.{0,2000})/.exec(line)?.slice(1) ?? []
    if (result === undefined || operation === undefined) continue
    made.set(result, { operation, uses: rest?.match(/%[\w.$-]{1,100}/g) ?? [] })
  }
  // Registers break a loop: what goes around through one is a counter, not a cycle.
  const isLoop = (name: string, uses: string[]) =>
    uses.some(
      (used) =>
        used === name || (made.get(used)?.uses.includes(name) === true && !isRegister(made.get(used)?.operation)),
    )
  return [...made].flatMap(([name, { operation, uses }]) =>
    !isRegister(operation) && isLoop(name, uses) ? [operation] : [],
  )
}

function isRegister(operation: string | undefined): boolean {
  return /reg|mem/.test(operation ?? '')
}
