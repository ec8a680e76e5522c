/**
 * An error message without what differs between inputs of one bug: SSA values, symbols, quoted names, numbers, a sample path.
 * Operation and type names in quotes ('moore.ult', '!moore.l1') stay, as they tell one bug from another. At most 500 characters.
 */
export function normaliseMessage(message: string): string {
  return (
    message
      .slice(0, 2000)
      .replace(/, sample path: .*$/, '')
      // MLIR prints the whole operation after this.
      .replace(/^(failed to legalize operation '[\w.]{1,100}'(?: that was explicitly marked illegal)?).*$/, '$1')
      .replace(/'[^']{0,200}'|"[^"]{0,200}"|`[^`]{0,200}`/g, (quoted) =>
        isOperationOrType(quoted.slice(1, -1)) ? quoted : "'_'",
      )
      .replace(/[%@][A-Za-z_$][\w$.-]{0,200}/g, (name) => `${name.charAt(0)}_`)
      .replace(/\d+/g, 'N')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 500)
  )
}

/** `hw.module`, `!moore.l1`, `!firrtl.uint<8>`, `i32`: an unquoted file name such as `top.sv` is none. */
function isOperationOrType(name: string): boolean {
  return /^!?[a-z_]+\.[a-z_][\w.]*(?:<.*>)?$/.test(name) && !/\.(?:sv|v|fir|mlir|vh|svh)$/.test(name)
}
