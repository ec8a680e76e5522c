import type { RoleName } from '../../contracts/agent.js'
import { Failure } from '../../contracts/failures.js'
import { codeReviewerBuiltin } from '../builtin/code-reviewer.js'
import { codeVerifierBuiltin } from '../builtin/code-verifier.js'
import { roundReviewer } from '../builtin/round-reviewer.js'
import type { AgentBox, AgentRequest, BackendSetup, OpenBackend } from './backend.js'

/** Answers a role's question with real programs, without a model. `input` has been parsed by the role's contract. */
export type BuiltinAgent = (request: AgentRequest, box: AgentBox, setup: BackendSetup) => Promise<unknown>

/** Who answers by itself. Each has a file in `src/agents/builtin`, named after its role. */
const BUILTIN: Partial<Record<RoleName, BuiltinAgent>> = {
  'code-reviewer': codeReviewerBuiltin,
  'code-verifier': codeVerifierBuiltin,
  'security-reviewer': roundReviewer('security'),
  'quality-checker': roundReviewer('quality'),
  'performance-analyzer': roundReviewer('performance'),
}

/** Real programs in the place of an agent: costs nothing, and needs no key. */
export const openBuiltin: OpenBackend<'builtin'> = (_, setup) => ({
  async ask(request, box) {
    const answer = BUILTIN[request.role]
    if (answer === undefined) throw new Failure('Agent.Rejected', noneFor(request.role))
    const startedAt = performance.now()
    const value = await answer(request, box, setup)
    const seconds = (performance.now() - startedAt) / 1000
    return { answer: { value }, usage: { input_tokens: 0, output_tokens: 0, cost: 0, seconds } }
  },
})

function noneFor(role: RoleName): string {
  return `no program answers for the ${role} by itself: name an agent, as in --agent '${role}=command:./agent.py'`
}
