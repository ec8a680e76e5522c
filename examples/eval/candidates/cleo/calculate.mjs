/** The value of an arithmetic expression. Throws an `Error` for anything else. */
export function calculate(text) {
  return sum(tokensOf(text))
}

/** Takes one token after the other from the front of the text. */
function tokensOf(text) {
  const tokens = []
  let rest = Array.from(text.trim())
  while (rest.length > 0) {
    const match = /^(?:\d+(?:\.\d+)?|[-+*/()])/.exec(rest.join(''))
    if (match === null) {
      throw new Error(`unexpected ${rest[0]}`)
    }
    tokens.push(match[0])
    rest = rest.slice(match[0].length)
    while (rest.length > 0 && rest[0].trim() === '') {
      rest = rest.slice(1)
    }
  }
  return tokens
}

function sum(tokens) {
  const split = lastOutside(tokens, ['+', '-'])
  if (split < 0) {
    return product(tokens)
  }
  const left = sum(tokens.slice(0, split))
  const right = product(tokens.slice(split + 1))
  if (tokens[split] === '+') {
    return left + right
  }
  return left - right
}

function product(tokens) {
  const split = lastOutside(tokens, ['*', '/'])
  if (split < 0) {
    return factor(tokens)
  }
  const left = product(tokens.slice(0, split))
  const right = factor(tokens.slice(split + 1))
  if (tokens[split] === '*') {
    return left * right
  }
  return left / right
}

function factor(tokens) {
  const [first, ...others] = tokens
  if (first === '-') {
    return -factor(others)
  }
  if (first === '+') {
    return factor(others)
  }
  if (first === '(' && tokens.at(-1) === ')') {
    return sum(tokens.slice(1, -1))
  }
  if (tokens.length !== 1 || !/^\d/.test(first)) {
    throw new Error(`unexpected ${first ?? 'end'}`)
  }
  return Number(first)
}

/** The last of these signs that stands between two values and in no parentheses; -1 for none. */
function lastOutside(tokens, signs) {
  let depth = 0
  let found = -1
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at] === '(') {
      depth += 1
    }
    if (tokens[at] === ')') {
      depth -= 1
    }
    if (depth < 0) {
      throw new Error('unexpected )')
    }
    const isBetween = at > 0 && /^[\d)]/.test(tokens[at - 1])
    if (depth === 0 && isBetween && signs.includes(tokens[at])) {
      found = at
    }
  }
  if (depth > 0) {
    throw new Error('expected )')
  }
  return found
}
