import { anyOf, functionText, literally, type PatternRule } from './pattern-rule.js'

/** Files that Python makes, and who may reach them. */
export const PYTHON_FILE_RULES: readonly PatternRule[] = [
  {
    id: 'py/archive-paths',
    needs: /extractall/,
    rule: anyOf('$T.extractall()', '$T.extractall($A)'),
    // Archives of zipfile take .. out of names themselves.
    accepts: (match) =>
      !/(?:filter|members)\s*=/.test(match.text()) &&
      /\btar|tarfile|shutil/i.test(`${match.text()}${functionText(match)}`),
  },
  {
    id: 'py/temporary-name',
    needs: /mktemp|tempnam|tmpnam/,
    rule: anyOf('tempfile.mktemp($$$)', 'os.tempnam($$$)', 'os.tmpnam($$$)'),
  },
  {
    id: 'py/open-permissions',
    needs: /chmod/,
    rule: { pattern: 'os.chmod($$$)', regex: String.raw`0o?[0-7]*[2367][0-7]?\)?$|0o?777|0o?666` },
  },
  {
    id: 'py/permissions-after-write',
    needs: /chmod/,
    rule: anyOf('os.chmod($P, $M)'),
    accepts: (match) =>
      isNarrow(match.getMatch('M')?.text() ?? '') &&
      new RegExp(String.raw`open\(\s*${literally(match.getMatch('P')?.text() ?? '')}\s*,\s*["'][wa]`).test(
        functionText(match),
      ),
  },
]

/** Rights of the owner alone. */
function isNarrow(mode: string): boolean {
  return /(?:^|o)[0-7]*00$/.test(mode) || (/S_I[RWX]+U/.test(mode) && !/GRP|OTH|S_I[RWX]+[GO]/.test(mode))
}
