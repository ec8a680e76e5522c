/** 'ISSUE-001' for 1. */
export function issueId(number: number): string {
  return `ISSUE-${String(number).padStart(3, '0')}`
}
