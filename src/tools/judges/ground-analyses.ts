import { DefectAnalysis } from '../../contracts/eval-answers.js'
import type { GroundOrder, GroundReply } from '../../contracts/eval-orders.js'
import { parseJson } from '../../contracts/parse.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { groundAnalysis } from '../../rules/eval/evidence.js'
import { candidateText } from './candidate-text.js'

/** Looks in the candidate for what its analysts quote, and keeps their whole answers in one document. */
export async function groundAnalyses(
  { candidate, answers }: GroundOrder,
  { store }: { store: ArtifactStore },
): Promise<GroundReply> {
  const text = await candidateText(store, candidate)
  const read = []
  for (const { seat, judge, answer } of answers) {
    const analysis = parseJson(DefectAnalysis, (await store.get(answer)).toString('utf8'), `answer of ${judge}`)
    read.push({ seat, judge, analysis, found: groundAnalysis(analysis, text) })
  }
  const document = read.map(({ judge, analysis, found }) => ({
    judge,
    ...analysis,
    not_in_the_candidate: found.invented,
  }))
  const name = `analyses/${candidate.content.sha256.slice(0, 12)}.json`
  const whole = JSON.stringify({ candidate: candidate.name, analyses: document }, null, 2)
  return {
    grounded: read.map(({ seat, found: { angles, severities, invented } }) => ({
      seat,
      angles,
      severities,
      invented: invented.length,
    })),
    record: await store.put(name, whole, 'application/json'),
  }
}
