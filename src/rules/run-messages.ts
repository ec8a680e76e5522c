/** What may be asked of a run and said to it, by its wire names. */
export const RUN_MESSAGES = {
  /** Queries: the state alone; all there is to see. */
  state: 'state',
  view: 'view',
  /** An update, and a signal for those who cannot wait for its receipt. */
  answer: 'answer',
  /** Signals. */
  guide: 'guide',
  pause: 'pause',
  resume: 'resume',
  abort: 'abort',
  /** Of a review's content file. */
  contentRebuilt: 'contentRebuilt',
} as const
