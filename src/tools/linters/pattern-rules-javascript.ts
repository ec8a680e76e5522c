import type { SgNode } from '@ast-grep/napi'
import { anyOf, functionText, isBuilt, literally, type PatternRule } from './pattern-rule.js'
import { POLLUTION_RULES } from './pattern-rules-pollution.js'

const FROM_REQUEST = String.raw`\b(?:req|request|ctx|event)\.(?:query|params|body|headers|cookies|url|queryStringParameters)\b`

/** JavaScript and TypeScript. */
export const JAVASCRIPT_RULES: readonly PatternRule[] = [
  ...POLLUTION_RULES,
  {
    id: 'js/shell-command',
    rule: anyOf(
      'exec($C, $$$)',
      'execSync($C, $$$)',
      '$O.exec($C, $$$)',
      '$O.execSync($C, $$$)',
      'exec($C)',
      'execSync($C)',
      '$O.execSync($C)',
      '$O.exec($C)',
    ),
    accepts: (match) => isCommand(match) && (isBuilt(match.getMatch('C')) || isBuiltBefore(match)),
  },
  {
    id: 'js/shell-option',
    rule: anyOf(
      'spawn($C, $A, {$$$, shell: true, $$$})',
      'spawnSync($C, $A, {$$$, shell: true, $$$})',
      'execFile($C, $A, {$$$, shell: true, $$$})',
    ),
  },
  {
    id: 'js/sql-text',
    rule: anyOf(
      '$DB.query($Q)',
      '$DB.query($Q, $$$)',
      '$DB.execute($Q)',
      '$DB.execute($Q, $$$)',
      '$DB.raw($Q)',
      '$DB.$queryRawUnsafe($Q)',
    ),
    accepts: (match) =>
      isBuilt(match.getMatch('Q')) &&
      /\b(?:select|insert|update|delete|where|from|drop|alter)\b/i.test(match.getMatch('Q')?.text() ?? ''),
  },
  {
    id: 'js/generated-code',
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
    rule: {
      any: [
        { kind: 'pair', regex: String.raw`^['"]?rejectUnauthorized['"]?\s*:\s*(?:false|0)$` },
        { pattern: 'process.env.NODE_TLS_REJECT_UNAUTHORIZED = $V' },
      ],
    },
  },
  {
    id: 'js/weak-hash',
    rule: anyOf(
      "$C.createHash('md5')",
      "$C.createHash('sha1')",
      "createHash('md5')",
      "createHash('sha1')",
      '$C.createHash("md5")',
      '$C.createHash("sha1")',
      'createHash("md5")',
      'createHash("sha1")',
    ),
  },
  { id: 'js/weak-cipher', rule: anyOf('$C.createCipher($$$)', '$C.createDecipher($$$)') },
  {
    id: 'js/predictable-random',
    rule: { pattern: 'Math.random()' },
    accepts: (match) =>
      /token|secret|passw|\bkey|session|nonce|salt|uuid|\bid\b|\buid\b|csrf|otp/i.test(statementText(match)),
  },
  {
    id: 'js/path-from-request',
    rule: {
      any: [
        { pattern: 'path.join($$$A)' },
        { pattern: 'path.resolve($$$A)' },
        { pattern: '$F.readFile($$$A)' },
        { pattern: '$F.readFileSync($$$A)' },
        { pattern: '$F.createReadStream($$$A)' },
        { pattern: '$R.sendFile($$$A)' },
      ],
      regex: FROM_REQUEST,
    },
  },
  { id: 'js/open-redirect', rule: { pattern: '$R.redirect($$$A)', regex: FROM_REQUEST } },
  {
    id: 'js/markup-from-request',
    rule: { pattern: '$R.send($A)', regex: FROM_REQUEST },
    accepts: (match) => isBuilt(match.getMatch('A')),
  },
  {
    id: 'js/raw-markup',
    rule: { any: [{ kind: 'jsx_attribute', regex: '^dangerouslySetInnerHTML' }, { pattern: 'document.write($$$)' }] },
  },
  {
    id: 'js/unverified-token',
    rule: { any: [{ pattern: 'jwt.decode($$$)' }, { pattern: 'jwt.verify($$$)', regex: String.raw`['"]none['"]` }] },
  },
  {
    id: 'js/async-for-each',
    rule: anyOf(
      '$A.forEach(async ($$$) => $B)',
      '$A.forEach(async $X => $B)',
      '$A.forEach(async function ($$$) { $$$ })',
    ),
  },
  {
    id: 'js/spread-in-reduce',
    rule: anyOf('$A.reduce(($ACC, $$$) => ({ ...$ACC, $$$ }), $$$)', '$A.reduce(($ACC, $$$) => [...$ACC, $$$], $$$)'),
  },
  {
    id: 'js/sync-in-handler',
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
    rule: { kind: 'catch_clause', has: { kind: 'statement_block', regex: String.raw`^\{\s*\}$` } },
  },
]

/** `exec` of a regular expression is another one. */
function isCommand(match: SgNode): boolean {
  const owner = match.getMatch('O')?.text() ?? ''
  const text = match.getRoot().root().text()
  return (
    /child_process|\bcp\b|shell/i.test(owner) ||
    (/child_process/.test(text) && !/regexp?|pattern|\bre\b|\/$/i.test(owner))
  )
}

/** The command is a name that was given a text put together a few lines before. */
function isBuiltBefore(match: SgNode): boolean {
  const command = match.getMatch('C')
  if (command?.kind() !== 'identifier') return false
  const name = literally(command.text())
  return new RegExp(
    String.raw`\b${name}\s*\+?=\s*(?:[^;\n]*\+\s*[A-Za-z_(]|[^;\n]*\$\{|[^;\n]*\.(?:concat|join)\()`,
  ).test(functionText(match))
}

function statementText(match: SgNode): string {
  const around = match
    .ancestors()
    .find((each) => /statement|declaration|function|pair|method/.test(String(each.kind())))
  return (around ?? match).text().slice(0, 300)
}
