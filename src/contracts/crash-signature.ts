import { z } from 'zod'

export const CrashKind = z.enum([
  'crash',
  'assertion',
  'verifier_error',
  'fatal_error',
  'diagnostic',
  'hang',
  /** Output, processes or files without end: stopped at a limit that is not time or memory, which `message` names. */
  'runaway',
  'memory',
  'interesting',
  'none',
])
export type CrashKind = z.infer<typeof CrashKind>

/** What makes two failures the same bug: free of addresses, paths, line numbers and noise frames. */
export const CrashSignature = z.object({
  kind: CrashKind,
  /** 'SIGSEGV', 'SIGABRT', … for kinds that die by a signal. */
  signal: z.string().max(20).nullable(),
  /** Pass class as the tool's crash reproducer names it, e.g. 'CanonicalizerPass'. */
  failing_pass: z.string().max(200).nullable(),
  /** Text of the assertion, fatal error or first error diagnostic, normalised; names of values and modules kept out. */
  message: z.string().max(500).nullable(),
  /** Up to 5 top frames that are the compiler's own, function names without arguments. */
  frames: z.array(z.string().max(300)).max(5),
})
export type CrashSignature = z.infer<typeof CrashSignature>
