/** Seed 003's neighbours: how much a jury does. See `MODES`. */
export const EVAL_MODES = ['quick', 'standard', 'thorough', 'adversarial'] as const

/** Where a defect analyst looks. A candidate counts as analysed when three of them were, with evidence. */
export const ANGLES = [
  'correctness',
  'completeness',
  'robustness',
  'security',
  'performance',
  'maintainability',
  'testability',
  'fit',
] as const
export type Angle = (typeof ANGLES)[number]

/** From the worst. */
export const SEVERITIES = ['Critical', 'Major', 'Minor'] as const

/** The devil's advocate answers all seven, or has not answered. */
export const ATTACK_QUESTIONS = [
  'fatal_defects',
  'hidden_costs',
  'tech_debt',
  'scaling_bottlenecks',
  'external_risks',
  'test_blind_spots',
  'team_skill_gaps',
] as const

/** Judges that are programs of ours. `score` runs a scoring script that comes with the run. */
export const MEASURES = ['tests', 'lint', 'size', 'benchmark', 'score'] as const

export const CONFIDENCE_LEVELS = ['Very High', 'High', 'Medium', 'Low', 'Very Low'] as const

/** A: every round says the same; B: the rounds agree in the end, with reservations; C: it was contested. */
export const DECISION_PATHS = ['A', 'B', 'C'] as const

/** How an evaluation ends. */
export const EVAL_VERDICTS = ['recommended', 'no_consensus', 'no_quorum', 'stopped'] as const
