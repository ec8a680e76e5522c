import { functionNameOf } from './signature-function-name.js'

/**
 * Up to five frames that say where the compiler itself failed, innermost first: CIRCT's own functions and those in anonymous namespaces;
 * `mlir::` and `llvm::` internals only when there is nothing else. Signal handlers, libc, `main`, and the plumbing of pass managers,
 * rewrite drivers and callbacks say nothing about a bug and are left out. Takes demangled names as a debugger or LLVM prints them.
 */
export function ownFramesOf(stack: readonly string[]): string[] {
  const names = meaningfulFramesOf(stack)
  const own = names.filter((name) => !isInternalFrame(name))
  return (own.length > 0 ? own : names).slice(0, 5)
}

/** The stack without noise, at most `MAX_STACK` frames, neighbours that repeat (recursion) shown once. */
export function meaningfulFramesOf(stack: readonly string[]): string[] {
  const names = stack
    .slice(0, MAX_STACK)
    .filter((frame) => !/^\s*(?:void )?(?:std::|__gnu_cxx::)/.test(frame.slice(0, 40)))
    .map(functionNameOf)
  return names.filter((name, index) => name !== '' && !isNoise(name) && name !== names[index - 1])
}

/** True for MLIR's and LLVM's own functions: which of them is on top changes with the input after a use-after-free. */
export function isInternalFrame(name: string): boolean {
  return name.startsWith('mlir::') || name.startsWith('llvm::')
}

/** The class of a pass found in a stack, `SimToSVPass` of `SimToSVPass::runOnOperation`; null when the stack names none. */
export function passClassOf(stack: readonly string[]): string | null {
  for (const frame of stack.slice(0, MAX_STACK)) {
    const parts = functionNameOf(frame).split('::')
    const at = parts.findIndex((part) => part === 'runOnOperation')
    if (at > 0 && parts[at - 1] !== 'OpToOpPassAdaptor') return parts[at - 1] ?? null
  }
  return null
}

const MAX_STACK = 200

function isNoise(name: string): boolean {
  return NOISE_NAMES.has(name) || NOISE_PARTS.some((part) => name.includes(part))
}

const NOISE_NAMES = new Set([
  'main',
  'abort',
  'raise',
  'gsignal',
  'clone',
  '__clone',
  'clone3',
  'start_thread',
  'start',
  'call_init',
  '_start',
  'SignalHandler',
  'CrashRecoverySignalHandler',
  'performActions',
  'processBuffer',
  'processInput',
  'processInputSplit',
  'executeFirtool',
  'executeWithHandler',
  'executeWithSources',
  'execute',
  'Canonicalizer::runOnOperation',
  'malloc',
  'free',
  'realloc',
  'mlir::verify',
  'mlir::PassManager::run',
  'mlir::PassManager::runPasses',
  'mlir::PassManager::runWithCrashRecovery',
  'llvm::report_fatal_error',
  'llvm::llvm_unreachable_internal',
  'llvm::thread::ThreadProxy',
])

const NOISE_PARTS = [
  'PrintStackTrace',
  'RunSignalHandlers',
  'llvm::sys::',
  'CrashRecovery',
  '__libc_',
  '__pthread_',
  'pthread_kill',
  '__assert_',
  '__GI_',
  '__restore_rt',
  'OpToOpPassAdaptor',
  'detail::PassExecution',
  'MlirOptMain',
  'splitAndProcessBuffer',
  'function_ref',
  'callback_fn',
  'unique_function',
  'UniqueFunctionBase',
  'PatternRewriteDriver',
  'applyPatterns',
  'applyOpPatterns',
  'PatternApplicator',
  'OperationConverter',
  'OperationLegalizer',
  'applyFullConversion',
  'applyPartialConversion',
  'ConversionPattern::matchAndRewrite',
  'mlir::OpConversionPattern',
  'mlir::OpInterfaceRewritePattern',
  'detail::OpOrInterfaceRewritePatternBase',
  'mlir::RewritePattern',
  'detail::walk',
  '::walk',
  'failableParallelForEach',
  'parallelForEach',
  'ThreadPool',
  'OperationVerifier',
  'mlir::RegisteredOperationName::Model',
  'mlir::Op::',
  'mlir::op_definition_impl',
]
