import { z } from 'zod'

/** Names a definition in a worker's state home, and its file there. */
export const DefinitionName = z.string().regex(/^[a-z0-9][A-Za-z0-9._-]{0,79}$/, {
  error: 'expected 1 to 80 letters, digits, dots, dashes or underscores, the first one lower-case or a digit',
})
export type DefinitionName = z.infer<typeof DefinitionName>

const AbsolutePath = z
  .string()
  .max(4_000)
  .refine((path) => path.startsWith('/') && !/[\0\r\n]/.test(path), { error: 'expected an absolute path' })

/**
 * False: none. True: any public host on the ports 80 and 443. A list: these only, 'host' or 'host:port' (443 by default); a
 * loopback or private address is reached only when it is named here. The Temporal server is never reached.
 */
export const AgentNetwork = z.union([
  z.boolean(),
  z.object({
    hosts: z.array(z.string().regex(/^[A-Za-z0-9.-]{1,253}(:\d{1,5})?$|^\[[0-9a-f:]+\]:\d{1,5}$/i)).max(100),
  }),
])
export type AgentNetwork = z.infer<typeof AgentNetwork>

const program = {
  /** Program and arguments; never given to a shell. */
  argv: z.tuple([AbsolutePath], z.string().max(4_000)),
  /** Variables of the worker's environment that the program is given. Their values count as secrets. */
  env: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, { error: 'expected the name of a variable' }))
    .max(100)
    .default([]),
  /** Folders and files the program needs besides the system's: where it is installed. Read-only in the sandbox. */
  readable: z.array(AbsolutePath).max(50).default([]),
}

/** Whose wire protocol a model's server speaks. */
export const ModelProvider = z.enum(['anthropic', 'openai', 'openai-compatible'])
export type ModelProvider = z.infer<typeof ModelProvider>

/** US dollars per million tokens. */
const Price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) })

const model = {
  provider: ModelProvider,
  /** As the server names it. */
  model: z.string().min(1).max(200),
  /** Default: the vendor's own. */
  base_url: z.url({ protocol: /^https?$/, error: 'expected an http or https address' }).optional(),
  /** Variable of the worker's environment with the key; default ANTHROPIC_API_KEY or OPENAI_API_KEY, none for other servers. */
  key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, { error: 'expected the name of a variable' })
    .optional(),
  /** Without it costs are unknown, and a limit on them cannot be kept. */
  price: Price.optional(),
  /** Most tokens of one answer. */
  max_output_tokens: z.int().min(1).optional(),
  /** False for a server that cannot answer piece by piece. */
  stream: z.boolean().default(true),
}

/** What a worker knows of an agent: `<home>/agents/NAME.json`, mode 0600. */
export const AgentDefinition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('command'), ...program, network: AgentNetwork.default(false) }),
  z.strictObject({
    kind: z.literal('acp'),
    ...program,
    network: AgentNetwork.default(true),
    /** Id of the way to log in that the agent is told to use, for one that does not take a key from its environment by itself. */
    auth_method: z.string().min(1).max(200).optional(),
  }),
  z.strictObject({ kind: z.literal('model'), ...model }),
  z.strictObject({
    kind: z.literal('script'),
    file: AbsolutePath,
    /** Of the file's content: a script that changed is another agent. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
])
export type AgentDefinition = z.infer<typeof AgentDefinition>
