import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { behindShim } from './behind-shim.js'
import { findProgram, isProgram } from './find-program.js'
import { firstText } from './first-text.js'
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
  const named = name.includes('/') ? resolve(cwd, name) : findProgram(name, env)
  if (named === null || !isProgram(named)) return null
  const program = behindShim(named, { cwd, env })
  const args = rest.map((word) => (isOwnFile(word, cwd) ? resolve(cwd, word) : word))
  const files = args.filter((word, at) => word !== rest[at] || (word.startsWith('/') && isFile(word)))
  const starting = interpreterOf(program, { cwd, env })
  const shown = [program, ...starting.shown, ...files].flatMap(installed)
  const [first = program, ...more] = [...starting.words, program, ...args]
  return { argv: [first, ...more], readable: [...new Set(shown)].filter((path) => !isSystemPath(path)) }
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

interface Interpreter {
  shown: readonly string[]
  /** To be put before the script, where what its first line names would not do. */
  words: readonly string[]
}

/** What the first line of a script names: a path, or `/usr/bin/env NAME`, which is looked for as `env` will. */
function interpreterOf(program: string, place: { cwd: string; env: Env }): Interpreter {
  const [path = '', ...rest] = startingWords(program)
  if (path !== '/usr/bin/env') return { shown: [path].filter(isProgram), words: [] }
  const [name = '', ...flags] = rest.filter((word) => word !== '-S')
  const found = findProgram(name, place.env)
  if (found === null) return { shown: [], words: [] }
  const chosen = behindShim(found, place)
  return { shown: [chosen], words: chosen === found ? [] : [chosen, ...flags] }
}

/** Of '#!/usr/bin/env -S node --flag': what follows the mark. */
function startingWords(program: string): string[] {
  const [line = ''] = firstText(program, 200).split('\n', 1)
  return line.startsWith('#!') ? line.slice(2).trim().split(/\s+/) : []
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
