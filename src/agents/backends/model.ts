import type { OpenBackend } from './backend.js'

/** Asks a language model: see `askModel`. Its libraries are loaded by the first question, because most workers never ask one. */
export const openModel: OpenBackend<'model'> = (agent, { env }) => ({
  async ask(request, box) {
    const { askModel } = await import('./ask-model.js')
    return askModel({ agent, env }, request, box)
  },
})
