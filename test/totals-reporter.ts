import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with the one line CI reads: `N passed, N failed, N skipped`. A file that could not be loaded counts as a failure. */
export default class TotalsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const broken = modules.filter((module) => module.errors().length > 0).length
    const count = (state: string) => states.filter((each) => each === state).length
    const failed = count('failed') + broken + errors.length
    process.stdout.write(`\n${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped\n`)
  }
}
