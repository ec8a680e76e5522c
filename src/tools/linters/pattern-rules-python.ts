import type { SgNode } from '@ast-grep/napi'
import { anyOf, functionText, isBuilt, IS_QUERY, type PatternRule } from './pattern-rule.js'
import { PYTHON_FAULT_RULES } from './pattern-rules-python-faults.js'
import { PYTHON_FILE_RULES } from './pattern-rules-python-files.js'
import { PYTHON_REQUEST_RULES } from './pattern-rules-request.js'

function firstIsNoLiteral(match: SgNode): boolean {
  const first = match.getMatch('A')
  return first !== null && (!/^(?:string|integer|float|true|false|none)$/.test(String(first.kind())) || isBuilt(first))
}

/** Words of a function that a forged hash would do harm in. */
const GUARDS_A_SECRET = /passw|secret|signature|\bsign\(|\bauth|credential|csrf|session_?(?:id|token)/i
/** A name that ends in what must be kept from strangers. */
const SECRET_NAME = /(?:hmac|signature|digest\(\)|\bmac|secret|api_?key|csrf_?token|auth_?token|password_?hash)$/i

/** Neither side is fixed text or nothing, and they are not the same member of two objects. */
function isSecretCompared(written: readonly string[]): boolean {
  const sides = written.map((side) => side.trim())
  if (sides.some((side) => /^(?:["'\d(]|None\b|True\b|False\b|b["']|len\()/.test(side))) return false
  const [first, second] = sides.map((side) => /\.(\w+)$/.exec(side)?.[1])
  return (first === undefined || first !== second) && sides.some((side) => SECRET_NAME.test(side))
}

/** Python. */
export const PYTHON_RULES: readonly PatternRule[] = [
  ...PYTHON_REQUEST_RULES,
  ...PYTHON_FAULT_RULES,
  ...PYTHON_FILE_RULES,
  {
    id: 'py/eval',
    needs: /\b(?:eval|exec)\b/,
    rule: anyOf('eval($A)', 'eval($A, $$$)', 'exec($A)', 'exec($A, $$$)'),
    accepts: firstIsNoLiteral,
  },
  {
    id: 'py/yaml-load',
    needs: /\byaml\b/,
    rule: anyOf(
      'yaml.load($A)',
      'yaml.load($A, $$$B)',
      'yaml.load_all($A)',
      'yaml.load_all($A, $$$B)',
      'yaml.unsafe_load($A)',
      'yaml.full_load($A)',
    ),
    accepts: (match) => !/SafeLoader|safe_load|BaseLoader/.test(match.text()),
  },
  {
    id: 'py/pickle',
    needs: /pickle|\bdill\b/i,
    rule: anyOf(
      'pickle.load($$$)',
      'pickle.loads($$$)',
      'cPickle.load($$$)',
      'cPickle.loads($$$)',
      'dill.loads($$$)',
      'jsonpickle.decode($$$)',
    ),
  },
  {
    id: 'py/shell-command',
    needs: /shell\s*=/,
    rule: {
      any: [
        { pattern: 'subprocess.$F($A, $$$)', regex: String.raw`shell\s*=\s*True` },
        { pattern: 'Popen($A, $$$)', regex: String.raw`shell\s*=\s*True` },
      ],
    },
    accepts: firstIsNoLiteral,
  },
  {
    id: 'py/system',
    needs: /\b(?:system|popen|getoutput)\b/,
    rule: anyOf('os.system($A)', 'os.popen($A)', 'commands.getoutput($A)'),
    accepts: firstIsNoLiteral,
  },
  {
    id: 'py/sql-text',
    needs: /execute|\braw\b/,
    rule: anyOf(
      '$C.execute($A)',
      '$C.execute($A, $$$)',
      '$C.executemany($A, $$$)',
      '$C.raw($A)',
      '$C.executescript($A)',
    ),
    accepts: (match) => isBuilt(match.getMatch('A')) && IS_QUERY.test(match.getMatch('A')?.text() ?? ''),
  },
  {
    id: 'py/weak-hash',
    needs: /hashlib/,
    rule: anyOf('hashlib.md5($$$)', 'hashlib.sha1($$$)'),
    accepts: (match) => !/usedforsecurity\s*=\s*False/.test(match.text()) && GUARDS_A_SECRET.test(functionText(match)),
  },
  {
    id: 'py/timing',
    needs: /hmac|signature|headers|api_?key/i,
    rule: { kind: 'comparison_operator', regex: String.raw`^[^=<>!]+[!=]=[^=<>!]+$` },
    accepts: (match) =>
      isSecretCompared(match.text().split(/[!=]=/)) && /hmac|signature|headers|api_?key/i.test(functionText(match)),
  },
  {
    id: 'py/unchecked-tls',
    needs: /verify|_create_unverified_context|check_hostname/,
    rule: {
      any: [
        { kind: 'keyword_argument', regex: String.raw`^verify\s*=\s*False$` },
        { pattern: 'ssl._create_unverified_context($$$)' },
        { pattern: '$C.check_hostname = False' },
        { pattern: '$C.verify_mode = ssl.CERT_NONE' },
      ],
    },
  },
  {
    id: 'py/xml-entities',
    needs: /xml|etree|\bET\b|minidom|make_parser/i,
    rule: {
      any: [
        { pattern: 'ET.parse($$$)' },
        { pattern: 'ET.fromstring($$$)' },
        { pattern: 'ElementTree.parse($$$)' },
        { pattern: 'ElementTree.fromstring($$$)' },
        { pattern: 'etree.parse($$$)' },
        { pattern: 'etree.fromstring($$$)' },
        { pattern: 'etree.XML($$$)' },
        { pattern: 'minidom.parse($$$)' },
        { pattern: 'minidom.parseString($$$)' },
        { pattern: 'xml.sax.parse($$$)' },
        { pattern: 'make_parser($$$)' },
        { pattern: 'XMLParser($$$)' },
        {
          kind: 'import_from_statement',
          regex: String.raw`^from\s+(?:(?:xml\.(?:etree|dom|sax)|lxml)\b[\s\S]*\b(?:i?parse|parseString|fromstring|XML|XMLParser|make_parser)\b|xmlrpc\.(?:client|server)\s[\s\S]*\b(?:ServerProxy|Server|SimpleXMLRPC\w+|loads)\b)`,
        },
        { kind: 'import_statement', regex: String.raw`^import\s+(?:xmlrpc|xmlrpclib)\b` },
      ],
    },
    accepts: (match, text) => !/defusedxml/.test(text) && !/resolve_entities\s*=\s*False/.test(functionText(match)),
  },
  {
    id: 'py/any-host-key',
    needs: /AutoAddPolicy/,
    rule: anyOf(
      '$C.set_missing_host_key_policy(paramiko.AutoAddPolicy($$$))',
      '$C.set_missing_host_key_policy(AutoAddPolicy($$$))',
    ),
  },
  { id: 'py/debug-server', needs: /debug/, rule: { pattern: '$APP.run($$$)', regex: String.raw`debug\s*=\s*True` } },
  {
    id: 'py/unescaped-templates',
    needs: /jinja2/,
    rule: { any: [{ pattern: 'Environment($$$)' }, { pattern: 'jinja2.Environment($$$)' }] },
    accepts: (match) => !/autoescape/.test(match.text()),
  },
  {
    id: 'py/predictable-random',
    needs: /\brandom\b/,
    rule: {
      any: [
        { pattern: 'random.random($$$)' },
        { pattern: 'random.randint($$$)' },
        { pattern: 'random.choice($$$)' },
        { pattern: 'random.getrandbits($$$)' },
        { pattern: 'random.randrange($$$)' },
      ],
    },
    accepts: (match) =>
      /token|secret|passw|session_?id|nonce|salt|csrf|\botp\b|(?:api|private|access)_?key/i.test(
        functionText(match).slice(0, 400),
      ),
  },
  {
    id: 'py/unverified-token',
    needs: /\bjwt\b/,
    rule: {
      pattern: 'jwt.decode($$$)',
      regex: String.raw`verify_signature["']?\s*:\s*False|verify\s*=\s*False|["']none["']`,
    },
  },
]
