/** The value of an arithmetic expression. Throws for anything else. */
export function calculate(text) {
  // The language knows how to calculate.
  const value = new Function(`return (${text})`)()
  if (Number.isNaN(value)) throw new Error('not a number')
  return value
}
