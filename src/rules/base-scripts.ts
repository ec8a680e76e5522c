type Scripts = Readonly<Record<string, string>>

export interface JudgedScripts {
  scripts: Scripts
  /** Names of those in which the two differ and the base's were taken. */
  kept: readonly string[]
}

/**
 * The scripts by which an attempt is judged: those of the commit it began with, so that it cannot lower its own bar, and what it
 * added besides. Scripts that npm would run before or after one of the base's are none of the attempt's to add.
 */
export function baseScripts(base: Scripts, own: Scripts): JudgedScripts {
  const isHook = (name: string) => /^(?:pre|post)/.test(name) && name.replace(/^(?:pre|post)/, '') in base
  const added = Object.entries(own).filter(([name]) => !(name in base) && !isHook(name))
  const hooks = Object.keys(own).filter((name) => !(name in base) && isHook(name))
  const changed = Object.keys(base).filter((name) => own[name] !== base[name])
  return { scripts: { ...Object.fromEntries(added), ...base }, kept: [...changed, ...hooks] }
}
