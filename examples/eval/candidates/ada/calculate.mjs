/** The value of an arithmetic expression. Throws an `Error` that names the place for anything else. */
export function calculate(text) {
  const reader = { tokens: tokensOf(text), at: 0 }
  const value = sum(reader)
  if (reader.at < reader.tokens.length) throw unexpected(reader)
  return value
}

/** Numbers and signs in order; blanks between them are left out. */
function tokensOf(text) {
  const token = /\s*(?:(\d+(?:\.\d+)?)|([-+*/()]))/y
  const end = text.trimEnd().length
  const tokens = []
  while (token.lastIndex < end) {
    const start = token.lastIndex
    const match = token.exec(text)
    if (match === null) throw new Error(`unexpected ${JSON.stringify(text[start])} at ${start}`)
    tokens.push(match[1] === undefined ? match[2] : Number(match[1]))
  }
  return tokens
}

function sum(reader) {
  let value = product(reader)
  for (;;) {
    if (takes(reader, '+')) value += product(reader)
    else if (takes(reader, '-')) value -= product(reader)
    else return value
  }
}

function product(reader) {
  let value = factor(reader)
  for (;;) {
    if (takes(reader, '*')) value *= factor(reader)
    else if (takes(reader, '/')) value /= factor(reader)
    else return value
  }
}

function factor(reader) {
  if (takes(reader, '-')) return -factor(reader)
  if (takes(reader, '+')) return factor(reader)
  if (takes(reader, '(')) {
    const value = sum(reader)
    if (!takes(reader, ')')) throw unexpected(reader)
    return value
  }
  const token = reader.tokens[reader.at]
  if (typeof token !== 'number') throw unexpected(reader)
  reader.at += 1
  return token
}

/** Moves past a sign if it is there. */
function takes(reader, sign) {
  const isThere = reader.tokens[reader.at] === sign
  if (isThere) reader.at += 1
  return isThere
}

function unexpected(reader) {
  return new Error(`unexpected ${reader.tokens[reader.at] ?? 'end'} at token ${reader.at}`)
}
