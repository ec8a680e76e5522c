import { exec } from 'node:child_process'
import { query } from './database.js'

/** All reports of one owner, newest first; `filter` is what the person typed. */
export async function reportsOf(owner, filter) {
  if (!/^(\w+\s?)+$/.test(filter)) return []
  return await query(`select id, title from reports where owner = '${owner}' and title like '%${filter}%'`)
}

export function archive(name, done) {
  exec('tar czf reports.tar.gz ' + name, done)
}

export function settings(defaults, own) {
  const merged = { ...defaults }
  for (const key of Object.keys(own)) {
    merged[key] = typeof own[key] === 'object' ? settings(defaults[key], own[key]) : own[key]
  }
  return merged
}

/** Titles by id, for the index page. */
export function titlesById(reports) {
  return reports.reduce((titles, report) => ({ ...titles, [report.id]: report.title }), {})
}
