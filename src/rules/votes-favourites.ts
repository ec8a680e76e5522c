/** On the screeners' scale of 1 to 10. */
const HIGH_SCORE = 8
const TOP_SCORE = 10

const HIGH_WORDS = ['best', 'high']

/**
 * Whom an evaluator's own `quick_assessments` rate best or high. An assessment is a grade or an object with one in `score` or
 * `rating`; a grade is a number or a word. Best is the highest number, where not all are the same; high is 8 or more on a scale of 10,
 * or the word. What has no grade is nobody's favourite.
 */
export function favourites(assessments: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(assessments)
  let highest = -Infinity
  let lowest = Infinity
  for (const name of names) {
    const grade = gradeOf(assessments[name])
    if (typeof grade !== 'number') continue
    highest = Math.max(highest, grade)
    lowest = Math.min(lowest, grade)
  }
  return names.filter((name) => isFavourite(gradeOf(assessments[name]), highest, lowest))
}

function isFavourite(grade: unknown, highest: number, lowest: number): boolean {
  if (typeof grade === 'string') return HIGH_WORDS.includes(grade.trim().toLowerCase())
  if (typeof grade !== 'number') return false
  return (grade === highest && highest > lowest) || (grade >= HIGH_SCORE && highest <= TOP_SCORE)
}

function gradeOf(assessment: unknown): unknown {
  if (typeof assessment !== 'object' || assessment === null) return assessment
  if ('score' in assessment) return assessment.score
  return 'rating' in assessment ? assessment.rating : null
}
