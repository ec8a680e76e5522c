import type { ValidationFile } from '../../contracts/circt-files.js'

/** validation.md: the verdict first, then what was asked and answered. `rule` is the row of the table that decided. */
export function validationReport(
  file: ValidationFile,
  shown: { rule: string; outcome: string; command: string },
): string {
  const { classification, syntax_check: syntax, feature_support: features, known_limitations: known } = file
  const tools = Object.entries(file.cross_tool_validation).map(([tool, status]) => `| ${tool} | ${status} |`)
  return [
    '# Validation',
    '',
    `**${classification.result}** (confidence: ${classification.confidence})`,
    '',
    classification.reason,
    '',
    `- Decided by the rule: ${shown.rule}`,
    `- Command: \`${shown.command}\``,
    `- Outcome: ${shown.outcome}`,
    `- Syntax: ${syntax.status}${syntax.tool === null ? '' : ` (${syntax.tool})`}`,
    `- Features: ${features.status}${features.unsupported_found.map((each) => `; ${each}`).join('')}`,
    `- Known limitation: ${known.description ?? 'none'}`,
    '',
    '## Other tools',
    '',
    '| Tool | Answer |',
    '| --- | --- |',
    ...tools,
    '',
  ].join('\n')
}
