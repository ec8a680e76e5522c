export function calculate(s) {
  let i = 0,
    v = [],
    o = [],
    e = 1,
    p = { '+': 1, '-': 1, '*': 2, '/': 2, n: 3, u: 3 },
    x,
    y,
    c
  const r = () => (
    (c = o.pop()),
    c === 'n' || c === 'u'
      ? v.push(c === 'n' ? -v.pop() : v.pop())
      : ((y = v.pop()), (x = v.pop()), v.push(c === '+' ? x + y : c === '-' ? x - y : c === '*' ? x * y : x / y))
  )
  const f = (m) => {
    throw new Error(m)
  }
  for (; i < s.length;) {
    if (/\s/.test((c = s[i]))) {
      i++
      continue
    }
    if (/\d/.test(c)) {
      if (!e) f('?')
      let j = i
      while (j < s.length && /\d/.test(s[j])) j++
      if (s[j] === '.' && /\d/.test(s[j + 1] ?? '')) {
        j++
        while (j < s.length && /\d/.test(s[j])) j++
      }
      v.push(+s.slice(i, j))
      i = j
      e = 0
    } else if (c === '(') {
      if (!e) f('?')
      o.push(c)
      i++
    } else if (c === ')') {
      if (e) f('?')
      while (o.length && o[o.length - 1] !== '(') r()
      o.length ? o.pop() : f(')')
      i++
      e = 0
    } else if (p[c] && c !== 'n' && c !== 'u') {
      if (e) {
        c === '-' ? o.push('n') : c === '+' ? o.push('u') : f('?')
      } else {
        let d = c
        while (o.length && o[o.length - 1] !== '(' && p[o[o.length - 1]] >= p[d]) r()
        o.push(d)
        e = 1
      }
      i++
    } else f(c)
  }
  if (e) f('end')
  while (o.length) {
    if (o[o.length - 1] === '(') f('(')
    r()
  }
  return v[0]
}
