import { VoteInput } from '../../contracts/votes.js'
import { EXIT } from '../../rules/cli-exit-codes.js'
import { voteRemarks, voteTable } from '../../rules/votes-table.js'
import { isDecided, tallyVotes } from '../../rules/votes.js'
import { type Command, textOption } from '../command.js'
import { readJsonInput } from '../read-json-input.js'

export const voteCommand: Command = {
  path: ['vote'],
  summary:
    "add up evaluators' votes: who is eliminated, and how far they agree; 1 if nobody is, or nobody would be left",
  arguments: [{ name: 'FILE', summary: 'votes as JSON; - or nothing: standard input', isOptional: true }],
  options: [
    { flags: '--format <FORMAT>', summary: 'for scripts or for people', choices: ['json', 'table'], default: 'json' },
  ],
  examples: ['gauntlet vote votes.json --format table', 'jq .round1 run.json | gauntlet vote --json'],
  run: async (context, input) => {
    const { document: votes } = await readJsonInput(
      context,
      { given: input.args['FILE'], what: 'the votes as JSON', maxBytes },
      VoteInput,
    )
    const result = tallyVotes(votes)
    const exit = isDecided(result) ? EXIT.good : EXIT.negative
    if (textOption(input, 'format') === 'table') return { exit, json: result, text: voteTable(votes, result) }
    for (const remark of voteRemarks(result)) context.terminal.note(`note: ${remark}`)
    return { exit, json: result, text: JSON.stringify(result, null, 2) }
  },
}

const maxBytes = 100_000_000
