/**
 * What a crash found missing, by the innermost function of the stack: MLIR's accessors die on a null object of their own class.
 * Null when that function tells nothing. Takes bare function names: see `functionNameOf`.
 */
export function missingThingOf(innermost: string): string | null {
  return MISSING.find(([functions]) => functions.test(innermost))?.[1] ?? null
}

const MISSING: readonly (readonly [functions: RegExp, sentence: string])[] = [
  [/^mlir::(?:\w*Attr|Attribute)::/, 'reads an attribute that is not there or of another kind'],
  [/^mlir::(?:SuccessorRange|Block|Region|CFGLoopInfo)::/, 'walks into a block or region that is empty'],
  [/^mlir::(?:Value|OpOperand|OpResult|BlockArgument|detail::OperandStorage)::/, 'uses a value that is null or erased'],
  [/^mlir::(?:\w*Type|TypeRange)::/, 'asks a type that is null or of another kind'],
  [/^mlir::(?:Operation|OpBuilder|RewriterBase)::/, 'uses an operation that is null or erased'],
  [/^mlir::(?:SymbolTable|SymbolTableCollection|SymbolRefAttr)::/, 'looks up a symbol in a place that has none'],
]
