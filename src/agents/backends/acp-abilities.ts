import type { AgentRequest } from './backend.js'

type Of = Pick<AgentRequest, 'abilities'>

export function canRead({ abilities }: Of): boolean {
  return abilities !== 'none'
}

export function canEdit({ abilities }: Of): boolean {
  return abilities === 'edit' || abilities === 'run'
}

export function canRun({ abilities }: Of): boolean {
  return abilities === 'run'
}
