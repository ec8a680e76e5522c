import { anyOf, functionText, isBuilt, type PatternRule } from './pattern-rule.js'
import { beginsWithRequest, holdsRequest, JAVASCRIPT_REQUEST, PYTHON_REQUEST } from './request-values.js'

/** Looks at where a path leads before it is used. */
const PATH_CHECKED =
  /basename\(|[sS]tarts_?[wW]ith\(|\.relative\(|['"]\.\.['"]|sanitize|secure_filename|safe_join|commonpath|is_relative_to|\ballow/

/** Looks at the host of an address before it is used. */
const HOST_CHECKED = /\.host(?:name)?\b|netloc|allow|is_safe_url|[sS]tarts_?[wW]ith\(/

/** Parts of a request where they do harm, in JavaScript. */
export const JAVASCRIPT_REQUEST_RULES: readonly PatternRule[] = [
  {
    id: 'js/path-from-request',
    needs: JAVASCRIPT_REQUEST.part,
    rule: anyOf(
      'path.join($$$A)',
      'path.resolve($$$A)',
      '$F.readFile($$$A)',
      '$F.readFileSync($$$A)',
      '$F.createReadStream($$$A)',
      '$R.sendFile($$$A)',
    ),
    accepts: (match) => holdsRequest(match, JAVASCRIPT_REQUEST) && !PATH_CHECKED.test(functionText(match)),
  },
  {
    id: 'js/open-redirect',
    needs: JAVASCRIPT_REQUEST.part,
    rule: anyOf('$R.redirect($U)', '$R.redirect($S, $U)'),
    accepts: (match) =>
      beginsWithRequest(match.getMatch('U'), JAVASCRIPT_REQUEST) && !HOST_CHECKED.test(functionText(match)),
  },
  {
    id: 'js/request-to-request',
    needs: JAVASCRIPT_REQUEST.part,
    rule: anyOf(
      'fetch($U)',
      'fetch($U, $$$)',
      'axios($U)',
      'axios.$M($U)',
      'axios.$M($U, $$$)',
      'got($U)',
      'got($U, $$$)',
      'http.get($U, $$$)',
      'https.get($U, $$$)',
    ),
    accepts: (match) =>
      beginsWithRequest(match.getMatch('U'), JAVASCRIPT_REQUEST) && !HOST_CHECKED.test(functionText(match)),
  },
  {
    id: 'js/regexp-from-request',
    needs: JAVASCRIPT_REQUEST.part,
    rule: anyOf('new RegExp($A)', 'new RegExp($A, $F)'),
    accepts: (match) => holdsRequest(match, JAVASCRIPT_REQUEST) && !/escape/i.test(match.text()),
  },
  {
    id: 'js/markup-from-request',
    needs: JAVASCRIPT_REQUEST.part,
    rule: { pattern: '$R.send($A)' },
    accepts: (match) =>
      isBuilt(match.getMatch('A')) &&
      holdsRequest(match, JAVASCRIPT_REQUEST) &&
      !/escape|encode|sanitize/i.test(match.text()),
  },
]

/** And in Python. */
export const PYTHON_REQUEST_RULES: readonly PatternRule[] = [
  {
    id: 'py/path-from-request',
    needs: PYTHON_REQUEST.part,
    rule: anyOf('open($A)', 'open($A, $$$)', 'os.path.join($$$A)', 'send_file($A)', 'send_file($A, $$$)', 'Path($$$A)'),
    accepts: (match) => holdsRequest(match, PYTHON_REQUEST) && !PATH_CHECKED.test(functionText(match)),
  },
  {
    id: 'py/open-redirect',
    needs: PYTHON_REQUEST.part,
    rule: anyOf('redirect($U)', 'redirect($U, $$$)', 'HttpResponseRedirect($U)', 'RedirectResponse($U)'),
    accepts: (match) =>
      beginsWithRequest(match.getMatch('U'), PYTHON_REQUEST) && !HOST_CHECKED.test(functionText(match)),
  },
  {
    id: 'py/request-to-request',
    needs: PYTHON_REQUEST.part,
    rule: anyOf(
      'requests.$M($U)',
      'requests.$M($U, $$$)',
      'httpx.$M($U)',
      'httpx.$M($U, $$$)',
      'urlopen($U)',
      'urlopen($U, $$$)',
      'urllib.request.urlopen($U)',
    ),
    accepts: (match) =>
      beginsWithRequest(match.getMatch('U'), PYTHON_REQUEST) && !HOST_CHECKED.test(functionText(match)),
  },
  {
    id: 'py/markup-from-text',
    needs: /mark_safe|Markup|render_template_string/,
    rule: anyOf('mark_safe($A)', 'Markup($A)', 'render_template_string($A)', 'render_template_string($A, $$$)'),
    accepts: (match) => {
      const text = match.getMatch('A')
      return isBuilt(text) || (text !== null && holdsRequest(text, PYTHON_REQUEST))
    },
  },
]
