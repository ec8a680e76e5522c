/** `text` with every absolute path cut to its last part, so that nothing of the machine is in it; addresses on the web stay. */
export function withoutMachinePaths(text: string): string {
  return text.replace(/(?<![\w.:/~-])\/(?:[\w.+@~-]+\/)+([\w.+@~-]+)/gu, '$1')
}
