import { z } from 'zod'
import type { AgentOrder, AgentReply } from '../contracts/agent.js'
import { Failure } from '../contracts/failures.js'
import { parseContract } from '../contracts/parse.js'
import { createRedactor, secretsOf } from '../rules/redact.js'
import { withScratch } from '../tools/folder/scratch.js'
import { withSignal } from '../tools/git/git.js'
import { openBox } from './agent-box.js'
import { agentNamed } from './agents-config.js'
import type { Ask, AskCall, AskSetup } from './ask-call.js'
import { lookupRecord, readRecord } from './ask-record.js'
import { type AttemptFolder, findAttempt, openAttemptFolder, type PrepareWorktree } from './attempt-folder.js'
import { openBackend } from './backends/all-backends.js'
import type { AgentRequest, KnownAgent, TranscriptEntry } from './backends/backend.js'
import { keepOutcome, replyFrom } from './keep-outcome.js'
import { lookInto } from './look.js'
import { putQuestion } from './put-question.js'
import { ROSTER } from './roster.js'
import { openTranscript } from './transcript.js'

/**
 * Asks an agent once. What an earlier try of the same call came to is adopted, and then nobody is asked. Throws
 * `Failure('Agent.InvalidAnswer')` with `AgentFailureDetails` for an answer that does not fit, else what the backend throws; no
 * secret of the worker's is in what comes out, goes into a store, or is thrown.
 */
export async function ask(setup: AskSetup, order: AgentOrder, call: AskCall): Promise<AgentReply> {
  const roster: AskSetup['roster'] = setup.roster ?? ROSTER
  const role = roster[order.role]
  if (role === undefined) throw new Failure('Contract.Violated', `role: ${order.role} is not on the roster`)
  const input: unknown = parseContract(role.input, order.input, `input of the ${role.name}`)
  const hasWork = order.workspace !== null && role.abilities !== 'none'
  const git = hasWork ? withSignal(await setup.git(), call.signal) : null
  const edits = role.abilities === 'edit' || role.abilities === 'run'
  const asked: Ask = { setup, order, call, role, input, git, workspace: edits ? order.workspace : null }
  return (await adopted(asked)) ?? (await withScratch(setup.scratchRoot, (scratch) => askIn(asked, scratch)))
}

async function adopted(asked: Ask): Promise<AgentReply | null> {
  const { setup, order, git, workspace } = asked
  const told = await lookupRecord(setup.store, order)
  if (told !== null) return await replyFrom(asked, { record: await readRecord(setup.store, order, told), commit: null })
  if (git === null || workspace === null) return null
  const found = await findAttempt(git, order, workspace)
  if (found === null) return null
  return await replyFrom(asked, { record: await readRecord(setup.store, order, found.record), commit: found.commit })
}

async function askIn(asked: Ask, scratch: string): Promise<AgentReply> {
  const { setup, order, call, git } = asked
  const agent = await agentNamed(order.agent, setup.home)
  const redact = createRedactor(secretsOf(setup.env, handedOn(agent)))
  const prepare = (worktree: Parameters<PrepareWorktree>[0]) => setup.prepare(worktree, call.signal)
  const folder = await openAttemptFolder({ order, git, scratch, prepare })
  const transcript = openTranscript(redact)
  const record = (entry: TranscriptEntry) => transcript.record(entry)
  const { signal, end } = limited(call.signal, order)
  const { cwd, readable } = folder
  const opened = await openBox(setup, { order, agent, cwd, readable, scratch, signal, record })
  try {
    const request = await requestFor(asked, folder)
    const backend = openBackend(agent, { env: setup.env, store: setup.store, name: order.agent })
    const put = { ask: () => backend.ask(request, opened.box), request, transcript, redact, signal }
    const answered = await putQuestion(asked, put)
    const isSandboxed = !opened.ranBare()
    return await keepOutcome(asked, { answered, folder, transcript, redact, isSandboxed })
  } finally {
    end()
    await opened.close()
  }
}

/** Variables whose values an agent is given: they count as secrets whatever their names. */
function handedOn(agent: KnownAgent): readonly string[] {
  if (agent.kind === 'command' || agent.kind === 'acp') return agent.env
  return 'key_env' in agent && agent.key_env !== undefined ? [agent.key_env] : []
}

/** Fires when the call is cancelled, or when the agent has had its time. */
function limited(
  signal: AbortSignal,
  { limit_seconds, role, agent }: AgentOrder,
): { signal: AbortSignal; end: () => void } {
  const limit = new AbortController()
  const reason = new Failure('Tool.TimedOut', `${role} (${agent}) gave no answer within ${limit_seconds} s`)
  const clock = setTimeout(() => limit.abort(reason), limit_seconds * 1000)
  return { signal: AbortSignal.any([signal, limit.signal]), end: () => clearTimeout(clock) }
}

async function requestFor({ setup, order, role, input }: Ask, folder: AttemptFolder): Promise<AgentRequest> {
  return {
    protocol: 'gauntlet.agent/1',
    role: role.name,
    run_id: order.run_id,
    task_id: order.task_id,
    attempt: order.attempt,
    abilities: role.abilities,
    input,
    prompt: await role.prompt(input, lookInto(folder.cwd, setup.store)),
    answer_schema: z.toJSONSchema(role.answer, { io: 'input', unrepresentable: 'any' }),
    complaints: order.complaints,
  }
}
