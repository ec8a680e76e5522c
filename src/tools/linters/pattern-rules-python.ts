import type { SgNode } from '@ast-grep/napi'
import { anyOf, functionText, isBuilt, literally, type PatternRule } from './pattern-rule.js'

function firstIsNoLiteral(match: SgNode): boolean {
  const first = match.getMatch('A')
  return first !== null && (!/^(?:string|integer|float|true|false|none)$/.test(String(first.kind())) || isBuilt(first))
}

/** Python. */
export const PYTHON_RULES: readonly PatternRule[] = [
  {
    id: 'py/eval',
    rule: anyOf('eval($A)', 'eval($A, $$$)', 'exec($A)', 'exec($A, $$$)'),
    accepts: firstIsNoLiteral,
  },
  {
    id: 'py/yaml-load',
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
    rule: anyOf(
      'pickle.load($$$)',
      'pickle.loads($$$)',
      'cPickle.load($$$)',
      'cPickle.loads($$$)',
      'marshal.loads($$$)',
      'marshal.load($$$)',
      'dill.loads($$$)',
      'jsonpickle.decode($$$)',
    ),
  },
  {
    id: 'py/shell-command',
    rule: {
      any: [
        { pattern: 'subprocess.$F($$$)', regex: String.raw`shell\s*=\s*True` },
        { pattern: 'Popen($$$)', regex: String.raw`shell\s*=\s*True` },
      ],
    },
  },
  {
    id: 'py/system',
    rule: anyOf('os.system($A)', 'os.popen($A)', 'commands.getoutput($A)'),
    accepts: firstIsNoLiteral,
  },
  {
    id: 'py/sql-text',
    rule: anyOf(
      '$C.execute($A)',
      '$C.execute($A, $$$)',
      '$C.executemany($A, $$$)',
      '$C.raw($A)',
      '$C.executescript($A)',
    ),
    accepts: (match) =>
      isBuilt(match.getMatch('A')) &&
      /\b(?:select|insert|update|delete|where|from|drop|alter)\b/i.test(match.getMatch('A')?.text() ?? ''),
  },
  {
    id: 'py/weak-hash',
    rule: anyOf('hashlib.md5($$$)', 'hashlib.sha1($$$)'),
    accepts: (match) => !/usedforsecurity\s*=\s*False/.test(match.text()),
  },
  {
    id: 'py/unchecked-tls',
    rule: {
      any: [
        { kind: 'keyword_argument', regex: String.raw`^verify\s*=\s*False$` },
        { pattern: 'ssl._create_unverified_context($$$)' },
        { pattern: '$C.check_hostname = False' },
        { pattern: '$C.verify_mode = ssl.CERT_NONE' },
      ],
    },
  },
  { id: 'py/temporary-name', rule: anyOf('tempfile.mktemp($$$)', 'os.tempnam($$$)', 'os.tmpnam($$$)') },
  {
    id: 'py/xml-entities',
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
          regex: String.raw`^from\s+(?:xml\.(?:etree|dom|sax)|lxml|xmlrpc\.(?:client|server))\b`,
        },
        { kind: 'import_statement', regex: String.raw`^import\s+(?:xml\.(?:etree|dom|sax)|xmlrpc|xmlrpclib)\b` },
      ],
    },
    accepts: (match) =>
      !/defusedxml/.test(match.getRoot().root().text()) && !/resolve_entities\s*=\s*False/.test(functionText(match)),
  },
  {
    id: 'py/archive-paths',
    rule: anyOf('$T.extractall($$$)'),
    accepts: (match) => !/filter\s*=|members\s*=/.test(match.text()),
  },
  {
    id: 'py/open-permissions',
    rule: { pattern: 'os.chmod($$$)', regex: String.raw`0o?[0-7]*[2367][0-7]?\)?$|0o?777|0o?666` },
  },
  {
    id: 'py/permissions-after-write',
    rule: anyOf('os.chmod($P, $M)'),
    accepts: (match) =>
      new RegExp(String.raw`open\(\s*${literally(match.getMatch('P')?.text() ?? '')}\s*,\s*["'][wa]`).test(
        functionText(match),
      ),
  },
  {
    id: 'py/any-host-key',
    rule: anyOf(
      '$C.set_missing_host_key_policy(paramiko.AutoAddPolicy($$$))',
      '$C.set_missing_host_key_policy(AutoAddPolicy($$$))',
    ),
  },
  { id: 'py/debug-server', rule: { pattern: '$APP.run($$$)', regex: String.raw`debug\s*=\s*True` } },
  {
    id: 'py/unescaped-templates',
    rule: { any: [{ pattern: 'Environment($$$)' }, { pattern: 'jinja2.Environment($$$)' }] },
    accepts: (match) => !/autoescape/.test(match.text()) && /jinja2/.test(match.getRoot().root().text()),
  },
  {
    id: 'py/predictable-random',
    rule: {
      any: [
        { pattern: 'random.random($$$)' },
        { pattern: 'random.randint($$$)' },
        { pattern: 'random.choice($$$)' },
        { pattern: 'random.getrandbits($$$)' },
        { pattern: 'random.randrange($$$)' },
      ],
    },
    accepts: (match) => /token|secret|passw|\bkey|session|nonce|salt|csrf|otp/i.test(functionText(match).slice(0, 400)),
  },
  {
    id: 'py/unverified-token',
    rule: {
      pattern: 'jwt.decode($$$)',
      regex: String.raw`verify_signature["']?\s*:\s*False|verify\s*=\s*False|["']none["']`,
    },
  },
  {
    id: 'py/swallowed-error',
    rule: {
      kind: 'except_clause',
      regex: String.raw`^except(?:\s+(?:Exception|BaseException)(?:\s+as\s+\w+)?)?\s*:\s*(?:pass|\.\.\.)\s*$`,
    },
  },
  {
    id: 'py/shared-default',
    rule: { kind: 'default_parameter', regex: String.raw`=\s*(?:\[\s*\]|\{\s*\}|list\(\)|dict\(\)|set\(\))$` },
  },
  {
    id: 'py/identity-of-literal',
    rule: { kind: 'comparison_operator', regex: String.raw`\bis\s+(?:not\s+)?(?:["']|\d)` },
  },
  {
    id: 'py/assert-tuple',
    rule: { kind: 'assert_statement', has: { kind: 'tuple' }, regex: String.raw`^assert\s*\(.*,.*\)\s*$` },
  },
]
