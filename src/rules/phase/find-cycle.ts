/**
 * A cycle among things that depend on one another, as the path that closes it: ['A', 'B', 'A'] when A depends on B and B on A.
 * Null when there is none. Dependencies that nobody has are no part of a cycle.
 */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>()
  for (const start of graph.keys()) {
    const cycle = cycleFrom(start, graph, done)
    if (cycle !== null) return cycle
  }
  return null
}

/** Depth first without recursion: a plan comes from outside and may be one long chain. */
function cycleFrom(start: string, graph: ReadonlyMap<string, readonly string[]>, done: Set<string>): string[] | null {
  const path: { id: string; next: number }[] = [{ id: start, next: 0 }]
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const child = graph.get(top.id)?.[top.next]
    top.next += 1
    if (child === undefined || done.has(top.id)) {
      done.add(top.id)
      path.pop()
    } else if (path.some((each) => each.id === child)) {
      return [...path.slice(path.findIndex((each) => each.id === child)).map((each) => each.id), child]
    } else if (graph.has(child)) path.push({ id: child, next: 0 })
  }
  return null
}
