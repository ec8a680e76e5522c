import type { CommandArgument } from '../command.js'

export const RUN: CommandArgument = { name: 'RUN', summary: 'key, workflow id or run id' }
