import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { type Place, until } from './e2e-cli.js'

/** Where the agents of runs bring their questions: a server in the test, outside of everything the engine knows. It counts, and may let them wait. */
export interface Desk {
  /** For `gauntlet run`: every role of this run is asked here. */
  agent(key: string): string[]
  /** Every question that arrived, in this order: 'KEY ROLE TASK', without a task for the planner. */
  asked: string[]
  /** Those whose agent was gone before it was answered. */
  lost: string[]
  /** Agents who come with these questions wait from now on. */
  hold(...names: string[]): void
  /** Who waits with one of these is answered, and no other waits; without names everybody. */
  release(...names: string[]): void
  /** Waits until there is an agent with each of these. */
  has(...names: string[]): Promise<void>
  close(): Promise<void>
}

const Question = z.object({
  role: z.string(),
  task_id: z.string().nullable(),
  input: z.unknown(),
  complaints: z.array(z.string()).optional(),
  /** Of an obedient agent: what each order printed. */
  heard: z.record(z.string(), z.string()).optional(),
})
export type Question = z.infer<typeof Question>

/** What an agent does and says. */
export interface Deed {
  edits?: Readonly<Record<string, string>>
  answer: unknown
}

export const hasPython = existsSync('/usr/bin/python3')

const CARRY = `
asked = urllib.request.Request(sys.argv[1], json.dumps(request).encode())
with urllib.request.urlopen(asked, timeout=600) as reply:
    deed = json.load(reply)
for path, text in deed.get('edits', {}).items():
    os.makedirs(os.path.dirname(path) or '.', exist_ok=True)
    with open(path, 'w') as file:
        file.write(text)
print(json.dumps(deed['answer']))
`

/** The agent is a program in Python: it carries the question here, through the proxy of its sandbox, and does as it is told. */
const AGENT = `#!/usr/bin/python3
import json, os, sys, urllib.request
request = json.load(sys.stdin)
${CARRY}`

/**
 * The same, but before it asks it runs every line of its prompt and of the repository's README that says RUN, and tells what it heard;
 * lines that say RUN ONCE only while nobody has complained.
 */
export const OBEDIENT = `#!/usr/bin/python3
import json, os, re, subprocess, sys, urllib.request
request = json.load(sys.stdin)
text = request['prompt']
if os.path.exists('README.md'):
    text += open('README.md').read()
orders = re.findall(r'RUN: (.*)', text)
if not request['complaints']:
    orders += re.findall(r'RUN ONCE: (.*)', text)
request['heard'] = {}
for order in dict.fromkeys(orders):
    done = subprocess.run(['/bin/sh', '-c', order], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    request['heard'][order] = (done.stdout + done.stderr).decode(errors='replace')
${CARRY}`

/** `decide` is asked for every question that is not made to wait. */
export async function openDesk(place: Place, decide: (question: Question) => Deed, agent = AGENT): Promise<Desk> {
  const [asked, lost]: [string[], string[]] = [[], []]
  const held = new Set<string>()
  const waiting = new Map<ServerResponse, { name: string; reply: () => void }>()
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const program = writeAgent(place, agent)

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const question = Question.parse(JSON.parse(await textOf(request)))
    const name = [(request.url ?? '').slice(1), question.role, question.task_id].filter(Boolean).join(' ')
    asked.push(name)
    const reply = () => {
      waiting.delete(response)
      response.end(JSON.stringify(decide(question)))
    }
    if (!held.has(name)) return reply()
    waiting.set(response, { name, reply })
    response.once('close', () => {
      if (waiting.delete(response)) lost.push(name)
    })
  }

  return {
    agent: (key) => {
      const line = `${program} http://127.0.0.1:${port}/${key}`
      return ['--agent', `*=command:${line}`, '--agent-host', `127.0.0.1:${port}`]
    },
    asked,
    lost,
    hold: (...names) => names.forEach((name) => held.add(name)),
    release: (...names) => {
      const all = names.length === 0 ? [...held] : names
      for (const name of all) held.delete(name)
      for (const { name, reply } of waiting.values()) if (all.includes(name)) reply()
    },
    has: (...names) =>
      until(`agents who ask ${names.join(', ')}`, () => {
        const present = [...waiting.values()].map(({ name }) => name)
        return names.every((name) => present.includes(name))
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** In a folder of its own: where a program lies, its neighbours are shown to it. */
function writeAgent({ root }: Place, agent: string): string {
  const program = join(root, 'agent', 'agent.py')
  mkdirSync(join(root, 'agent'), { recursive: true })
  writeFileSync(program, agent)
  chmodSync(program, 0o755)
  return program
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
