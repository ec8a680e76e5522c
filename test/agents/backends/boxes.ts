import { realpathSync } from 'node:fs'
import type {
  AgentBox,
  AgentRequest,
  BackendSetup,
  RawAnswer,
  TranscriptEntry,
} from '../../../src/agents/backends/backend.js'
import type { ModelDefinition } from '../../../src/agents/backends/model-link.js'
import { openModel } from '../../../src/agents/backends/model.js'
import { Failure } from '../../../src/contracts/failures.js'

export const secretKey = 'sk-planted-0123456789'

export function requestOf(rest: Partial<AgentRequest> = {}): AgentRequest {
  return {
    protocol: 'gauntlet.agent/1',
    role: 'planner',
    run_id: 'r1',
    task_id: null,
    attempt: 1,
    abilities: 'none',
    input: {},
    prompt: 'Say what is good.',
    answer_schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { good: { type: 'string' }, more: { type: 'number' } },
      required: ['good'],
      additionalProperties: false,
    },
    complaints: [],
    ...rest,
  }
}

export interface TestBox extends AgentBox {
  transcript: TranscriptEntry[]
}

export function boxIn(cwd: string, rest: Partial<AgentBox> = {}): TestBox {
  const transcript: TranscriptEntry[] = []
  return {
    cwd: realpathSync(cwd),
    run: async () => {
      throw new Error('nothing is run here')
    },
    step: 'plan',
    round: 1,
    isSandboxed: false,
    signal: new AbortController().signal,
    limitMs: 20_000,
    allowance: { tokens: null, cost: null },
    protected: [],
    record: (entry) => void transcript.push(entry),
    ...rest,
    transcript,
  }
}

/** What a backend knows of its worker; no backend here looks into the store. */
export function setupOf(env: BackendSetup['env'] = {}): BackendSetup {
  const untouched = async () => {
    throw new Error('the store is not for backends')
  }
  const store = new Proxy({}, { get: () => untouched }) as BackendSetup['store']
  return { env, store, name: 'agent' }
}

export const env = { ANTHROPIC_API_KEY: secretKey, OPENAI_API_KEY: secretKey, OWN_KEY: secretKey }

export function askModel(
  definition: Partial<ModelDefinition>,
  { request, box }: { request?: Partial<AgentRequest>; box: TestBox },
): Promise<RawAnswer> {
  const whole: ModelDefinition = {
    kind: 'model',
    provider: 'openai-compatible',
    model: 'm',
    key_env: 'OWN_KEY',
    stream: true,
    ...definition,
  }
  return openModel(whole, setupOf(env)).ask(requestOf(request), box)
}

/** The failure a question ends with; anything else is an error of the test. */
export async function failureOf(asking: Promise<unknown>): Promise<Failure> {
  const end: unknown = await asking.catch((error: unknown) => error)
  if (end instanceof Failure) return end
  throw new Error(
    `expected a failure, got ${JSON.stringify(end) ?? String(end)} ${end instanceof Error ? end.stack : ''}`,
  )
}
