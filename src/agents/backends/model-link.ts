import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { simulateStreamingMiddleware, wrapLanguageModel } from 'ai'
import type { AgentDefinition, ModelProvider } from '../../contracts/agent-definition.js'
import { Failure } from '../../contracts/failures.js'
import type { Env } from '../../tools/state-home.js'
import type { KnownAgent } from './backend.js'
import { boundedFetch } from './bounded-fetch.js'

export type ModelAgent = Extract<KnownAgent, { kind: 'model' }>
export type ModelDefinition = Extract<AgentDefinition, { kind: 'model' }>

type Model = ReturnType<typeof wrapLanguageModel>

/** A model that can be asked. */
export interface ModelLink {
  model: Model
  /** 'anthropic/NAME', for messages. */
  name: string
  /** Never to be shown; null where the server wants none. */
  key: string | null
}

/** Of an agent named 'anthropic/NAME' or 'openai/NAME' without a definition: the vendor's own server, price unknown. */
export function modelDefinition(agent: ModelAgent): ModelDefinition {
  if ('provider' in agent) return agent
  const [, provider, model] = /^([^/]+)\/(.+)$/.exec(agent.model) ?? []
  if ((provider === 'anthropic' || provider === 'openai') && model !== undefined)
    return { kind: 'model', provider, model, stream: true }
  throw new Failure('Agent.Rejected', `expected model:anthropic/NAME or model:openai/NAME, got model:${agent.model}`)
}

/** Throws `Failure('Agent.Rejected')` when this worker has not the key. */
export function linkModel(definition: ModelDefinition, env: Env): ModelLink {
  const key = keyOf(definition, env)
  const model = models[definition.provider]({ definition, key, env })
  const name = `${definition.provider}/${definition.model}`
  if (definition.stream) return { model, name, key }
  return { model: wrapLanguageModel({ model, middleware: simulateStreamingMiddleware() }), name, key }
}

const ownKeys: Record<ModelProvider, string | null> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  'openai-compatible': null,
}

function keyOf({ provider, key_env: named }: ModelDefinition, env: Env): string | null {
  const variable = named ?? ownKeys[provider]
  if (variable === null) return null
  const key = env[variable]
  if (key !== undefined && key !== '') return key
  throw new Failure('Agent.Rejected', `${provider}: no key: set ${variable} in the environment of the worker`)
}

interface Making {
  definition: ModelDefinition
  key: string | null
  env: Env
}

const models: Record<ModelProvider, (making: Making) => Model> = {
  anthropic: ({ definition, key, env }) =>
    createAnthropic({ ...address(definition, env['ANTHROPIC_BASE_URL']), apiKey: key ?? '', fetch: boundedFetch })(
      definition.model,
    ),
  openai: ({ definition, key, env }) =>
    createOpenAI({ ...address(definition, env['OPENAI_BASE_URL']), apiKey: key ?? '', fetch: boundedFetch })(
      definition.model,
    ),
  'openai-compatible': ({ definition, key }) => {
    if (definition.base_url === undefined)
      throw new Failure('Agent.Rejected', 'openai-compatible: base_url is missing in the definition of the agent')
    return createOpenAICompatible({
      name: 'openai-compatible',
      baseURL: definition.base_url,
      ...(key === null ? {} : { apiKey: key }),
      includeUsage: true,
      supportsStructuredOutputs: true,
      fetch: boundedFetch,
    })(definition.model)
  },
}

function address({ base_url: url }: ModelDefinition, byDefault: string | undefined): { baseURL?: string } {
  const found = url ?? byDefault
  return found === undefined || found === '' ? {} : { baseURL: found }
}
