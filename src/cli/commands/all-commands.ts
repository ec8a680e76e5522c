import type { Command } from '../command.js'
import { abortCommand } from './abort.js'
import { aggregateCommand } from './aggregate.js'
import { answerCommand } from './answer.js'
import { cancelCommand } from './cancel.js'
import { completionCommand } from './completion.js'
import { demoCommand } from './demo.js'
import { doctorCommand } from './doctor.js'
import { gatesCommand } from './gates.js'
import { guideCommand } from './guide.js'
import { inboxCommand } from './inbox.js'
import { listCommand } from './list.js'
import { pauseCommand } from './pause.js'
import { pullCommand } from './pull.js'
import { resultCommand } from './result.js'
import { resumeCommand } from './resume.js'
import { runCirctCommand } from './run-circt.js'
import { startCirctCommand } from './start-circt.js'
import { statusCommand } from './status.js'
import { submitCommand } from './submit.js'
import { upCommand } from './up.js'
import { voteCommand } from './vote.js'
import { watchCommand } from './watch.js'
import { workerCommand } from './worker.js'

/** In the order of --help. */
export const COMMANDS: readonly Command[] = [
  upCommand,
  workerCommand,
  doctorCommand,
  demoCommand,
  runCirctCommand,
  startCirctCommand,
  gatesCommand,
  listCommand,
  statusCommand,
  watchCommand,
  resultCommand,
  pullCommand,
  inboxCommand,
  answerCommand,
  guideCommand,
  pauseCommand,
  resumeCommand,
  abortCommand,
  cancelCommand,
  submitCommand,
  voteCommand,
  aggregateCommand,
  completionCommand,
]
