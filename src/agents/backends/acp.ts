import type { OpenBackend } from './backend.js'

/** Asks an agent by its protocol: see `askAcp`. The protocol's library is loaded by the first question. */
export const openAcp: OpenBackend<'acp'> = (agent, { name }) => ({
  async ask(request, box) {
    const { askAcp } = await import('./ask-acp.js')
    return askAcp({ agent, name }, request, box)
  },
})
