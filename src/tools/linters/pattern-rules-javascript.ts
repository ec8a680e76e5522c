import type { SgNode } from '@ast-grep/napi'
import { ambiguousRepetition } from '../../rules/review/ambiguous-repetition.js'
import { anyOf, functionText, isBuilt, IS_QUERY, type PatternRule } from './pattern-rule.js'
import { COMMAND_RULES } from './pattern-rules-commands.js'
import { POLLUTION_RULES } from './pattern-rules-pollution.js'
import { RANDOM_RULES } from './pattern-rules-random.js'
import { JAVASCRIPT_REQUEST_RULES } from './pattern-rules-request.js'

/** Words of a function that a forged hash would do harm in. */
const GUARDS_A_SECRET = /passw|secret|signature|\bsign\(|\bauth|credential|csrf|session_?(?:id|token)/i
/** A name that ends in what must be kept from strangers. */
const SECRET_NAME =
  /(?:hmac|signature|\bmac|secret|api_?key|csrf_?token|auth_?token|password_?hash)(?:_?(?:hex|header))?$/i
const PATHS = ['path.join', 'path.resolve', 'join', 'resolve']
const ENTRY_NAMES = ['fileName', 'entryName', 'path', 'name']
const LITERALS = ['string', 'number', 'true', 'false', 'null', 'undefined']

/** JavaScript and TypeScript. */
export const JAVASCRIPT_RULES: readonly PatternRule[] = [
  ...POLLUTION_RULES,
  ...COMMAND_RULES,
  ...JAVASCRIPT_REQUEST_RULES,
  {
    id: 'js/sql-text',
    needs: /query|execute|raw/i,
    rule: anyOf(
      'query($Q)',
      'query($Q, $$$)',
      '$DB.query($Q)',
      '$DB.query($Q, $$$)',
      '$DB.execute($Q)',
      '$DB.execute($Q, $$$)',
      '$DB.raw($Q)',
      '$DB.$queryRawUnsafe($Q)',
    ),
    accepts: (match) => isBuilt(match.getMatch('Q')) && IS_QUERY.test(match.getMatch('Q')?.text() ?? ''),
  },
  {
    id: 'js/generated-code',
    needs: /\b(?:Function|vm)\b/,
    rule: anyOf(
      'new Function($$$A)',
      'Function($$$A)',
      'vm.runInThisContext($$$A)',
      'vm.runInNewContext($$$A)',
      'vm.runInContext($$$A)',
      'new vm.Script($$$A)',
    ),
    accepts: (match) =>
      match
        .getMultipleMatches('A')
        .some((each) =>
          /^(?:identifier|binary_expression|template_string|call_expression|member_expression)$/.test(
            String(each.kind()),
          ),
        ),
  },
  {
    id: 'js/unchecked-tls',
    needs: /rejectUnauthorized|NODE_TLS_REJECT/,
    rule: {
      any: [
        { kind: 'pair', regex: String.raw`^['"]?rejectUnauthorized['"]?\s*:\s*(?:false|0)$` },
        { pattern: 'process.env.NODE_TLS_REJECT_UNAUTHORIZED = $V' },
      ],
    },
  },
  {
    id: 'js/weak-hash',
    needs: /createHash/,
    rule: anyOf('$C.createHash($A)', 'createHash($A)'),
    accepts: (match) =>
      /^['"](?:md5|sha1)['"]$/i.test(match.getMatch('A')?.text() ?? '') && GUARDS_A_SECRET.test(functionText(match)),
  },
  {
    id: 'js/weak-cipher',
    needs: /create(?:Cipher|Decipher)\b/,
    rule: anyOf('$C.createCipher($$$)', '$C.createDecipher($$$)'),
  },
  ...RANDOM_RULES,
  {
    id: 'js/exponential-regexp',
    needs: /\|[^|()\n]+\)[+*{]/,
    rule: { kind: 'regex_pattern' },
    accepts: (match) => ambiguousRepetition(match.text()) !== null,
  },
  {
    id: 'js/archive-paths',
    needs: /unzipper|yauzl|adm-zip|jszip|stream-zip|tar-stream|tar-fs|decompress/i,
    rule: { any: PATHS.flatMap((join) => ENTRY_NAMES.map((name) => ({ pattern: `${join}($$$, $E.${name})` }))) },
    accepts: (match) =>
      /^(?:\w*entry|header|file|item)$/i.test(match.getMatch('E')?.text() ?? '') &&
      !/startsWith\(|\.relative\(|['"]\.\.['"]|basename\(|sanitize/i.test(functionText(match)),
  },
  {
    id: 'js/timing',
    needs: /createHmac|signature|headers|api_?key/i,
    rule: anyOf('$A === $B', '$A !== $B', '$A == $B', '$A != $B'),
    accepts: (match) =>
      [match.getMatch('A'), match.getMatch('B')].every(isCompared) &&
      isSecretCompared(match.getMatch('A')?.text() ?? '', match.getMatch('B')?.text() ?? '') &&
      /createHmac|signature|headers|api_?key/i.test(functionText(match)),
  },
  {
    id: 'js/assignment-for-comparison',
    needs: /\bif\s*\([^=()]*[^=()!<>]=(?![=>])/,
    rule: { pattern: 'if ($A = $B) $$$C' },
    constraints: { B: { any: LITERALS.map((kind) => ({ kind })) } },
  },
  {
    id: 'js/compared-with-itself',
    needs: /(?<![\w.])([\w.[\]'"]{1,80})\s{0,3}(?:===?|[<>]=?)\s{0,3}\1(?![\w.])/,
    rule: anyOf('$A === $A', '$A == $A', '$A < $A', '$A > $A', '$A <= $A', '$A >= $A'),
    accepts: (match) => !/\(/.test(match.getMatch('A')?.text() ?? ''),
  },
  {
    id: 'js/unverified-token',
    needs: /\bjwt\b/,
    rule: { any: [{ pattern: 'jwt.decode($$$)' }, { pattern: 'jwt.verify($$$)', regex: String.raw`['"]none['"]` }] },
  },
  {
    id: 'js/async-for-each',
    needs: /forEach/,
    rule: anyOf(
      '$A.forEach(async ($$$) => $B)',
      '$A.forEach(async $X => $B)',
      '$A.forEach(async function ($$$) { $$$ })',
    ),
  },
  {
    id: 'js/spread-in-reduce',
    needs: /\breduce\b/,
    rule: anyOf('$A.reduce(($ACC, $$$) => ({ ...$ACC, $$$ }), $$$)', '$A.reduce(($ACC, $$$) => [...$ACC, $$$], $$$)'),
  },
  {
    id: 'js/sync-in-handler',
    needs: /readFileSync|execSync|pbkdf2Sync/,
    rule: {
      any: [{ pattern: '$F.readFileSync($$$)' }, { pattern: '$F.execSync($$$)' }, { pattern: '$F.pbkdf2Sync($$$)' }],
      inside: {
        stopBy: 'end',
        any: [{ pattern: '$R.get($$$)' }, { pattern: '$R.post($$$)' }, { pattern: '$R.put($$$)' }],
      },
    },
    accepts: (match) => /\b(?:req|request|ctx)\b/.test(functionText(match)),
  },
  {
    id: 'js/swallowed-error',
    needs: /\bcatch\b/,
    rule: { kind: 'catch_clause', has: { kind: 'statement_block', regex: String.raw`^\{\s*\}$` } },
  },
]

/** Neither fixed text nor the name of a type or of nothing. */
function isCompared(side: SgNode | null): boolean {
  return (
    side !== null && /^(?:identifier|member_expression|subscript_expression|call_expression)$/.test(String(side.kind()))
  )
}

/** One side is named after a secret, and they are not the same member of two objects. */
function isSecretCompared(...sides: readonly string[]): boolean {
  const [first, second] = sides.map((side) => /\.(\w+)$/.exec(side)?.[1])
  return (first === undefined || first !== second) && sides.some((side) => SECRET_NAME.test(side))
}

/** Where there are elements in the language. */
export const ELEMENT_RULES: readonly PatternRule[] = [
  {
    id: 'js/raw-markup',
    needs: /dangerouslySetInnerHTML/,
    rule: { kind: 'jsx_attribute', regex: '^dangerouslySetInnerHTML' },
  },
]
