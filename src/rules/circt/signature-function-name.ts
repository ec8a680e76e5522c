/**
 * The bare name of a demangled C++ function: no return type, arguments, template arguments, lambda bodies or anonymous namespaces.
 * `void llvm::f<int>(char const*) const` → `llvm::f`; `(anonymous namespace)::P::run()::{lambda(int)#1}::operator()(int) const` → `P::run`.
 * One pass over at most 4,096 characters. An empty string when nothing that looks like a name is left.
 */
export function functionNameOf(demangled: string): string {
  const text = demangled.slice(0, MAX_LENGTH).replaceAll('(anonymous namespace)', '').replaceAll('anon::', '')
  const plain = outsideBrackets(protectOperators(text))
  const parts = plain
    .slice(0, endOfName(plain))
    .split('::')
    .map((part) => part.trim().replace(SUFFIX, ''))
  const own = parts.slice(0, firstLambda(parts)).filter((part) => part !== '' && !part.startsWith('$'))
  return withoutReturnType(own).join('::').replaceAll(OPEN_CALL, '()').slice(0, 300)
}

const MAX_LENGTH = 4096
/** Stands for the parentheses of `operator()`, which are part of the name. */
const OPEN_CALL = '\u0001'
const SUFFIX = /(?:\.(?:cold|isra|part|constprop|llvm)(?:\.\d+)*)+$/

function protectOperators(text: string): string {
  return text
    .replaceAll('operator()', `operator${OPEN_CALL}`)
    .replaceAll('operator<<', 'operator_shl')
    .replaceAll('operator->', 'operator_arrow')
    .replaceAll('operator<', 'operator_lt')
    .replaceAll('operator>', 'operator_gt')
}

/** Drops everything in (), <>, {} and []; a closed group leaves nothing, so that `f<int>(char)::g` becomes `f::g`. */
function outsideBrackets(text: string): string {
  let depth = 0
  let kept = ''
  for (const character of text) {
    if ('(<{['.includes(character)) {
      if (depth === 0 && character === '{') kept += '$'
      depth += 1
    } else if (')>}]'.includes(character)) depth = Math.max(0, depth - 1)
    else if (depth === 0) kept += character
  }
  return kept
}

/** What follows the name proper: ` const`, ` &&`, a file name or a module offset. */
function endOfName(text: string): number {
  const qualifier = text.search(/ (?:const|&&?|\[clone)(?:::|\b|$|(?=\s))/)
  return qualifier < 0 ? text.length : qualifier
}

function firstLambda(parts: readonly string[]): number {
  const index = parts.findIndex((part) => part.startsWith('$') || part.startsWith("'lambda"))
  return index <= 0 ? parts.length : index
}

/** `llvm::LogicalResult mlir::f`: the return type ends at the last space of any part but `operator new` and the like. */
function withoutReturnType(parts: string[]): string[] {
  const at = parts.findLastIndex((part) => part.includes(' ') && !part.startsWith('operator '))
  if (at < 0) return parts
  const first = parts[at] ?? ''
  return [first.slice(first.lastIndexOf(' ') + 1), ...parts.slice(at + 1)].filter((part) => part !== '')
}
