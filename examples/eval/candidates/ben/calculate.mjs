/** The value of an arithmetic expression. Throws an `Error` for anything else. */
export function calculate(text) {
  const reader = { tokens: tokensOf(text), at: 0 }
  const value = sum(reader)
  if (reader.at < reader.tokens.length) throw new Error('unexpected token')
  return value
}

function tokensOf(text) {
  const tokens = text.match(/\d+(?:\.\d+)?|\S/g) ?? []
  for (const token of tokens) {
    if (!/^(?:\d|[-+*/()])/.test(token)) throw new Error(`unexpected ${token}`)
  }
  return tokens
}

/** A sum is a product, and what is added to or taken from it. */
function sum(reader) {
  const value = product(reader)
  if (takes(reader, '+')) return value + sum(reader)
  if (takes(reader, '-')) return value - sum(reader)
  return value
}

/** A product is a factor, and what it is multiplied with or divided by. */
function product(reader) {
  const value = factor(reader)
  if (takes(reader, '*')) return value * product(reader)
  if (takes(reader, '/')) return value / product(reader)
  return value
}

function factor(reader) {
  if (takes(reader, '-')) return -factor(reader)
  if (takes(reader, '+')) return factor(reader)
  if (takes(reader, '(')) {
    const value = sum(reader)
    if (!takes(reader, ')')) throw new Error('expected a closing parenthesis')
    return value
  }
  const token = reader.tokens[reader.at] ?? ''
  if (!/^\d/.test(token)) throw new Error(`unexpected ${token || 'end'}`)
  reader.at += 1
  return Number(token)
}

function takes(reader, sign) {
  const isThere = reader.tokens[reader.at] === sign
  if (isThere) reader.at += 1
  return isThere
}
