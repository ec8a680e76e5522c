import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { findProgram, isProgram } from './find-program.js'
import { codeOf } from './process/error-code.js'
import { isSystemPath } from './process/system-folders.js'
import type { Env } from './state-home.js'

export interface AgentProgramWords {
  /** As a person typed them, split. */
  words: readonly string[]
  /** Where they were typed, absolute. */
  cwd: string
  env: Env
}

export interface FoundProgram {
  /** Everything absolute: an agent runs elsewhere. */
  argv: [string, ...string[]]
  /** Where it, its interpreter and the files among its arguments are installed. */
  readable: string[]
}

/** Finds the program of an agent and what it needs to be shown in a sandbox; null when there is no such program. */
export function findAgentProgram({ words, cwd, env }: AgentProgramWords): FoundProgram | null {
  const [name = '', ...rest] = words
  const program = name.includes('/') ? resolve(cwd, name) : findProgram(name, env)
  if (program === null || !isProgram(program)) return null
  const args = rest.map((word) => (isOwnFile(word, cwd) ? resolve(cwd, word) : word))
  const files = args.filter((word, at) => word !== rest[at] || (word.startsWith('/') && isFile(word)))
  const interpreter = interpreterOf(program, env)
  const shown = [program, ...(interpreter === null ? [] : [interpreter]), ...files].flatMap(installed)
  return { argv: [program, ...args], readable: [...new Set(shown)].filter((path) => !isSystemPath(path)) }
}

/** A file of the person's, named from where they stand. */
function isOwnFile(word: string, cwd: string): boolean {
  return !word.startsWith('-') && !word.startsWith('/') && isFile(resolve(cwd, word))
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch (error) {
    if (codeOf(error) === null) throw error
    return false
  }
}

/** Of a script that says `#!/usr/bin/env NAME`: where NAME is found. */
function interpreterOf(program: string, env: Env): string | null {
  const [, name] = /^#!\s*\/usr\/bin\/env\s+(?:-S\s+)?([^\s=-][^\s=]*)/.exec(firstLine(program)) ?? []
  return name === undefined ? null : findProgram(name, env)
}

function firstLine(path: string): string {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(200)
    return start.subarray(0, readSync(file, start)).toString('latin1').split('\n', 1)[0] ?? ''
  } finally {
    closeSync(file)
  }
}

/** The folders a program's or script's neighbours lie in, by its name and by its real one. A home is never shown as a whole. */
function installed(path: string): string[] {
  return [...new Set([path, realpathSync(path)])].map((each) => {
    const packages = /^(.*?\/node_modules)\//.exec(each)?.[1]
    const folder = packages ?? (basename(dirname(each)) === 'bin' ? dirname(dirname(each)) : dirname(each))
    return isTooMuch(folder) ? each : folder
  })
}

function isTooMuch(folder: string): boolean {
  const home = homedir()
  return folder.split('/').length < 3 || home === folder || home.startsWith(join(folder, '/'))
}
