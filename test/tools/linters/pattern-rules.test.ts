import { describe, expect, it } from 'vitest'
import { findingKind } from '../../../src/rules/review/finding-kinds.js'
import { createPatternAnalyser } from '../../../src/tools/linters/pattern-analyser.js'
import { ELEMENT_RULES, JAVASCRIPT_RULES } from '../../../src/tools/linters/pattern-rules-javascript.js'
import { PYTHON_RULES } from '../../../src/tools/linters/pattern-rules-python.js'

const analyse = createPatternAnalyser()

async function rulesOf(path: string, text: string): Promise<string[]> {
  return [...new Set((await analyse({ path, text })).map(({ rule }) => rule))]
}

/** Code that a rule is for, and code that looks like it and is right. */
interface Row {
  rule: string
  wrong: string[]
  right: string[]
}

const CHILD = `const { exec, execSync } = require('child_process')\n`
const HANDLER = (body: string) => `app.get('/', (req, res) => {\n${body}\n})\n`

const javascript: Row[] = [
  {
    rule: 'js/shell-command',
    wrong: [
      `${CHILD}module.exports = (name) => exec('ping ' + name)`,
      `${CHILD}module.exports = (name, done) => exec(\`ping \${name}\`, { cwd: '/' }, done)`,
      `import * as cp from 'node:child_process'\nexport const f = (a: string) => cp.execSync('ls ' + a)`,
      `${CHILD}const run = util.promisify(exec)\nmodule.exports = (a) => run(\`git log \${a}\`)`,
      `${CHILD}module.exports = (a) => {\n  const command = 'git log ' + a\n  return execSync(command)\n}`,
    ],
    right: [
      `${CHILD}exec('ls -la')`,
      `${CHILD}module.exports = (given) => {\n  const pid = parseInt(given)\n  exec('taskkill /pid ' + pid + ' /T')\n}`,
      `${CHILD}export const f = (pid: number) => exec(\`kill \${pid}\`)`,
      `${CHILD}module.exports = (a) => exec(\`git log \${shellQuote(a)}\`)`,
      `${CHILD}exec(\`\${process.execPath} script.js\`)`,
      `${CHILD}module.exports = (line) => /a+/.exec('x' + line)`,
      `${CHILD}module.exports = (line) => matcher.exec(\`x\${line}\`)`,
      `module.exports = (db, id) => db.exec('select ' + id)`,
    ],
  },
  {
    rule: 'js/command-value',
    wrong: [
      `${CHILD}module.exports = (command) => exec(command)`,
      `${CHILD}module.exports = (o) => execSync(o.command)`,
    ],
    right: [
      `${CHILD}const COMMAND = 'git status'\nexec(COMMAND)`,
      `module.exports = (re, text) => re.exec(text)`,
      `${CHILD}module.exports = (re, text) => re.exec(text)`,
    ],
  },
  {
    rule: 'js/shell-option',
    wrong: [`spawn(command, args, { shell: true })`, `spawn('npm', [name], { shell: true, cwd })`],
    right: [`spawn('npm', ['ci'], { shell: true })`, `spawn(command, args, { stdio: 'inherit' })`],
  },
  {
    rule: 'js/prototype-pollution',
    wrong: [
      `function merge(to, from) {\n  for (const key in from) {\n    if (isObject(from[key])) merge(to[key], from[key])\n    else to[key] = from[key]\n  }\n}`,
      `const extend = (to, from) => {\n  Object.keys(from).forEach((key) => {\n    to[key] = isObject(to[key]) ? extend(to[key], from[key]) : from[key]\n  })\n}`,
      `function set(target, path, value) {\n  for (let i = 0; i < path.length; i++) {\n    if (i === path.length - 1) target[path[i]] = value\n    target = target[path[i]]\n  }\n}`,
    ],
    right: [
      `function defaults(to, from) {\n  for (const key in from) to[key] = from[key]\n}`,
      `function widths(rows) {\n  for (const key in rows) width[key] = Math.max(width[key], rows[key].length)\n}`,
      `function merge(to, from) {\n  for (const key in from) {\n    if (key === '__proto__' || key === 'constructor') continue\n    if (isObject(from[key])) merge(to[key], from[key])\n    else to[key] = from[key]\n  }\n}`,
    ],
  },
  {
    rule: 'js/path-from-request',
    wrong: [
      HANDLER('res.sendFile(path.join(root, req.params.name))'),
      HANDLER('const { name } = req.query\nfs.readFile(name, done)'),
      HANDLER('const name = req.query.name\nreturn fs.createReadStream(path.resolve(root, name))'),
    ],
    right: [
      HANDLER('res.sendFile(path.join(root, path.basename(req.params.name)))'),
      HANDLER('const full = path.resolve(root, req.query.name)\nif (!full.startsWith(root)) throw new Error()'),
      HANDLER('const { name } = req.query\nfs.readFile(options.name, done)'),
      HANDLER('const { name } = req.query\nfs.readFile("name", done)'),
    ],
  },
  {
    rule: 'js/request-to-request',
    wrong: [
      HANDLER('return fetch(req.query.url)'),
      HANDLER('const { url } = req.body\nreturn axios.get(url, { timeout })'),
      HANDLER('return fetch(`${req.query.base}/status`)'),
    ],
    right: [
      HANDLER('return fetch(`https://example.org/${req.params.id}`)'),
      HANDLER('const { url } = req.body\nif (!hosts.has(new URL(url).hostname)) throw new Error()\nreturn fetch(url)'),
      HANDLER('return fetch(settings.url)'),
    ],
  },
  {
    rule: 'js/open-redirect',
    wrong: [HANDLER('res.redirect(req.query.next)'), HANDLER('res.redirect(302, req.query.next)')],
    right: [
      HANDLER("res.redirect('/items/' + req.params.id)"),
      HANDLER("const next = req.query.next\nif (!next.startsWith('/')) return\nres.redirect(next)"),
    ],
  },
  {
    rule: 'js/regexp-from-request',
    wrong: [HANDLER('return list.filter((x) => new RegExp(req.query.q).test(x))')],
    right: [HANDLER('return new RegExp(escapeRegExp(req.query.q))'), HANDLER('return new RegExp(pattern)')],
  },
  {
    rule: 'js/markup-from-request',
    wrong: [HANDLER('res.send(`<p>${req.query.name}</p>`)')],
    right: [HANDLER('res.send(`<p>${escapeHtml(req.query.name)}</p>`)'), HANDLER('res.send({ name: req.query.name })')],
  },
  {
    rule: 'js/exponential-regexp',
    wrong: [String.raw`const r = /^(?:\r\n|\r|\n)+$/`],
    right: [String.raw`const r = /(?:\r\n|\r|\n)+/`, 'const r = /^(?:a|b)+$/'],
  },
  {
    rule: 'js/sql-text',
    wrong: [
      'db.query(`select * from t where id = ${id}`)',
      "query('delete from t where id = ' + id)",
      'knex.raw("where name = \'" + name)',
    ],
    right: [
      "db.query('select * from t where id = $1', [id])",
      'query(`${name} from here`)',
      'client.query({ id })',
      'page.query(`select ${name}`)',
    ],
  },
  {
    rule: 'js/archive-paths',
    wrong: [
      `const yauzl = require('yauzl')\nzip.on('entry', (entry) => write(path.join(folder, entry.fileName)))`,
      `import tar from 'tar-stream'\nextract.on('entry', (header, stream) => pipe(stream, path.join(folder, header.name)))`,
    ],
    right: [
      `const yauzl = require('yauzl')\nzip.on('entry', (entry) => {\n  const to = path.join(folder, entry.fileName)\n  if (!to.startsWith(folder)) throw new Error()\n})`,
      `module.exports = (file) => path.join(folder, file.name)`,
    ],
  },
  {
    rule: 'js/biased-random',
    wrong: [
      `const bytes = crypto.randomBytes(n)\nfor (let i = 0; i < n; i++) out += chars[bytes[i] % chars.length]`,
      `function digits(n) {\n  const buffer = randomBytes(n)\n  return list.push(Math.floor(buffer[i] / 25.6))\n}`,
      `function text(n) {\n  for (const byte of randomBytes(n)) out += chars[byte % 62]\n}`,
    ],
    right: [
      `const bytes = crypto.randomBytes(n)\nout += chars[bytes[i] % 64]`,
      `function digits(n) {\n  const bytes = randomBytes(n)\n  if (bytes[i] < 250) out.push(bytes[i] % 10)\n}`,
      `const color = list[index % list.length]`,
    ],
  },
  {
    rule: 'js/predictable-random',
    wrong: ['const token = Math.random().toString(36)'],
    right: ['const element = list[Math.floor(Math.random() * list.length)]', 'const el = <li key={Math.random()} />'],
  },
  {
    rule: 'js/timing',
    wrong: [
      `function verify(body, signature) {\n  const own = createHmac('sha256', key).update(body).digest('hex')\n  return signature === own\n}`,
      HANDLER('if (req.headers.authorization !== settings.apiKey) return'),
    ],
    right: [
      `function verify(signature) {\n  if (signature === undefined) return\n  if (signature === '') return\n}`,
      `const same = (a, b) => a.signature === b.signature`,
      `const f = (secret, other) => secret === other`,
    ],
  },
  {
    rule: 'js/weak-hash',
    wrong: [`const store = (password) => crypto.createHash('md5').update(password).digest('hex')`],
    right: [
      `const etag = (text) => crypto.createHash('sha1').update(text).digest('hex')`,
      `const store = (password) => crypto.createHash('sha256').update(password).digest('hex')`,
    ],
  },
  {
    rule: 'js/assignment-for-comparison',
    wrong: ['if (a = 1) b()', "if (mode = 'fast') {\n  b()\n} else {\n  c()\n}"],
    right: ['if (a === 1) b()', 'if (match = /x/.exec(a)) b()', 'while (node = next()) b()'],
  },
  {
    rule: 'js/compared-with-itself',
    wrong: ['const a = b.c === b.c', 'if (x >= x) y()'],
    right: ['const isNaN = x !== x', 'const a = next() === next()', 'const c = a.b === a.c'],
  },
  {
    rule: 'js/raw-markup',
    wrong: ['export const A = (p) => <p dangerouslySetInnerHTML={{ __html: p.text }} />'],
    right: ['export const A = (p) => <p>{p.text}</p>'],
  },
]

/** Rules that have been there for long, one text each. */
const others: readonly (readonly [rule: string, path: string, code: string])[] = [
  ['js/generated-code', 'a.js', 'vm.runInThisContext(code)'],
  ['js/unchecked-tls', 'a.js', 'https.get({ host, rejectUnauthorized: false })'],
  ['js/weak-cipher', 'a.js', "crypto.createCipher('aes192', password)"],
  ['js/unverified-token', 'a.js', 'jwt.decode(token)'],
  ['js/async-for-each', 'a.js', 'list.forEach(async (each) => await f(each))'],
  ['js/spread-in-reduce', 'a.js', 'list.reduce((all, each) => ({ ...all, [each.a]: each }), {})'],
  ['js/sync-in-handler', 'a.js', "app.get('/', (req, res) => res.end(fs.readFileSync(file)))"],
  ['js/swallowed-error', 'a.js', 'try { f() } catch (error) {}'],
  [
    'js/prototype-pollution-constructor',
    'a.js',
    "function set(o, keys, value) {\n  for (const key of keys) {\n    if (key === '__proto__') continue\n    o[key] = value\n    o = o[key]\n  }\n}",
  ],
  ['py/eval', 'a.py', 'eval(text)'],
  ['py/yaml-load', 'a.py', 'yaml.load(text)'],
  ['py/system', 'a.py', 'os.system("ls " + name)'],
  ['py/unchecked-tls', 'a.py', 'requests.get(url, verify=False)'],
  ['py/temporary-name', 'a.py', 'tempfile.mktemp()'],
  ['py/open-permissions', 'a.py', 'os.chmod(path, 0o777)'],
  ['py/any-host-key', 'a.py', 'client.set_missing_host_key_policy(paramiko.AutoAddPolicy())'],
  ['py/debug-server', 'a.py', 'app.run(debug=True)'],
  ['py/unescaped-templates', 'a.py', 'import jinja2\nenv = jinja2.Environment(loader=l)'],
  ['py/predictable-random', 'a.py', 'def token():\n    return random.choice(letters)'],
  ['py/unverified-token', 'a.py', 'jwt.decode(token, options={"verify_signature": False})'],
  ['py/swallowed-error', 'a.py', 'try:\n    f()\nexcept Exception:\n    pass\n'],
  ['py/identity-of-literal', 'a.py', 'x = a is "b"'],
  ['py/assert-tuple', 'a.py', 'assert (a, "b")'],
]

const FLASK = 'from flask import request\ndef view():\n    '

const python: Row[] = [
  {
    rule: 'py/path-from-request',
    wrong: [
      `${FLASK}return send_file(request.args["name"])`,
      `${FLASK}name = request.args["name"]\n    return open(name)`,
    ],
    right: [
      `${FLASK}return open(os.path.join(root, secure_filename(request.args["name"])))`,
      `${FLASK}return open(NAME)`,
    ],
  },
  {
    rule: 'py/request-to-request',
    wrong: [`${FLASK}return requests.get(request.args["url"], timeout=3)`],
    right: [
      `${FLASK}return requests.get(f"https://example.org/{request.args['id']}")`,
      `${FLASK}return requests.get(URL)`,
    ],
  },
  {
    rule: 'py/open-redirect',
    wrong: [`${FLASK}return redirect(request.args.get("next"))`],
    right: [
      `${FLASK}return redirect(url_for("index"))`,
      `${FLASK}to = request.args["next"]\n    if urlparse(to).netloc:\n        raise ValueError\n    return redirect(to)`,
    ],
  },
  {
    rule: 'py/markup-from-text',
    wrong: [
      `def f(name):\n    return mark_safe(f"<b>{name}</b>")`,
      `${FLASK}return render_template_string(request.form["t"])`,
    ],
    right: ['x = mark_safe("<br>")', `def f(name):\n    return render_template_string(PAGE, name=name)`],
  },
  {
    rule: 'py/sql-text',
    wrong: ['cursor.execute(f"select * from t where id = {id}")', 'c.execute("update t set a = %s" % a)'],
    right: ['cursor.execute("select * from t where id = %s", (id,))', 'runner.execute(f"{name} from here")'],
  },
  {
    rule: 'py/timing',
    wrong: ['def verify(body, signature):\n    return hmac.new(KEY, body).hexdigest() == signature'],
    right: [
      'def verify(body, signature):\n    return hmac.compare_digest(own(body), signature)',
      'def __eq__(self, other):\n    return self.signature == other.signature',
      'def verify(signature):\n    return signature == ""',
    ],
  },
  {
    rule: 'py/shell-command',
    wrong: ['subprocess.run(f"ls {name}", shell=True)', 'Popen(command, shell=True)'],
    right: ['subprocess.run("ls | wc -l", shell=True)', 'subprocess.run(["ls", name])'],
  },
  {
    rule: 'py/weak-hash',
    wrong: ['def store(password):\n    return hashlib.md5(password).hexdigest()'],
    right: ['def etag(text):\n    return hashlib.md5(text).hexdigest()'],
  },
  {
    rule: 'py/xml-entities',
    wrong: ['from xml.etree.ElementTree import fromstring', 'from xmlrpc.client import ServerProxy', 'ET.parse(path)'],
    right: [
      'from xml.sax.saxutils import escape',
      'from xml.etree.ElementTree import Element, tostring',
      'from xmlrpc.client import Fault',
      'import xml.dom',
    ],
  },
  {
    rule: 'py/archive-paths',
    wrong: ['def f(path):\n    with tarfile.open(path) as archive:\n        archive.extractall(TO)'],
    right: [
      'def f(path):\n    with zipfile.ZipFile(path) as archive:\n        archive.extractall(TO)',
      'def f(path):\n    with tarfile.open(path) as archive:\n        archive.extractall(TO, filter="data")',
      'def f(path):\n    with tarfile.open(path) as archive:\n        archive.extractall(TO, checked)',
    ],
  },
  {
    rule: 'py/permissions-after-write',
    wrong: ['def f(key):\n    with open(key, "w") as out:\n        out.write("x")\n    os.chmod(key, 0o600)'],
    right: ['def f(script):\n    with open(script, "w") as out:\n        out.write("x")\n    os.chmod(script, 0o755)'],
  },
  {
    rule: 'py/shared-default',
    wrong: [
      'def f(a, seen=[]):\n    seen.append(a)',
      'def f(self, options={}):\n    self.options = options',
      'def f(rows=[]):\n    return rows',
      'def f(key, cache={}):\n    cache[key] = 1',
    ],
    right: ['def f(names=[]):\n    for name in names:\n        print(name)', 'def f(a=()):\n    return a'],
  },
  {
    rule: 'py/pickle',
    wrong: ['pickle.loads(data)'],
    right: ['marshal.loads(data)', 'json.loads(data)'],
  },
  {
    rule: 'py/exponential-regexp',
    wrong: ['re.match(r"^(a+)+$", text)', 're.search(r"((\\r\\n|\\r|\\n)+) *$", text)'],
    right: ['re.match(r"^a+$", text)', 're.search(r"((\\r|\\n)+) *$", text)'],
  },
  {
    rule: 'py/slow-regexp',
    wrong: ['re.search(r"^\\s*(.*)\\s*$", text)'],
    right: ['re.split(r"\\s+", text)', 'RE = re.compile("[^.]*")'],
  },
  {
    rule: 'py/slow-search',
    wrong: ['re.search(r"\\s+$", text)', 'RE = re.compile(r"\\s+$")'],
    right: [
      're.match(r"\\s+$", text)',
      'RE = re.compile(r"\\s+$")\nRE.match(text)',
      're.compile(r"\\s+$").match(text)',
    ],
  },
]

const rows = (all: readonly Row[], kind: 'wrong' | 'right') =>
  all.flatMap((row) => row[kind].map((code) => [row.rule, code] as const))

describe('rules without a second text', () => {
  it.each(others)('%s is told of in %s: %s', async (rule, path, code) => {
    expect(await rulesOf(path, code)).toContain(rule)
  })

  it('each rule is in one of the tables, and has a kind of its own', () => {
    const named = [...javascript, ...python].map(({ rule }) => rule).concat(others.map(([rule]) => rule))
    const ids = [...JAVASCRIPT_RULES, ...ELEMENT_RULES, ...PYTHON_RULES].map(({ id }) => id)
    expect(ids.filter((id) => !named.includes(id))).toEqual([])
    expect(ids.filter((id) => findingKind(id).subject === id)).toEqual([])
  })
})

describe('patterns of JavaScript', () => {
  it.each(rows(javascript, 'wrong'))('%s is told of: %s', async (rule, code) => {
    expect(await rulesOf(code.includes('</') || code.includes('/>') ? 'a.tsx' : 'a.ts', code)).toContain(rule)
  })

  it.each(rows(javascript, 'right'))('%s is not told of: %s', async (rule, code) => {
    expect(await rulesOf('a.tsx', code)).not.toContain(rule)
  })

  it.each(['a.ts', 'a.mts', 'a.cts', 'a.tsx', 'a.js', 'a.jsx', 'a.mjs', 'a.cjs'])('all rules read %s', async (path) => {
    expect(await rulesOf(path, 'jwt.decode(token)')).toEqual(['js/unverified-token'])
  })
})

describe('patterns of Python', () => {
  it.each(rows(python, 'wrong'))('%s is told of: %s', async (rule, code) => {
    expect(await rulesOf('a.py', code)).toContain(rule)
  })

  it.each(rows(python, 'right'))('%s is not told of: %s', async (rule, code) => {
    expect(await rulesOf('a.py', code)).not.toContain(rule)
  })
})
