import type { RefineTechStack } from '../../contracts/refine-answers.js'

/** What a person says of a tech stack in a line: language, framework, then constraints, with commas between. Null for an empty line. */
export function techStackFromWords(line: string): RefineTechStack | null {
  const words = line
    .split(/[,，;；\n]/)
    .map((word) => word.replaceAll(/\s+/g, ' ').trim().slice(0, 200))
    .filter((word) => word !== '')
  const [language, framework, ...constraints] = words
  if (language === undefined) return null
  const [languageName, languageVersion] = splitVersion(language)
  const [frameworkName, frameworkVersion] = framework === undefined ? [null, null] : splitVersion(framework)
  return {
    language: languageName,
    language_version: languageVersion,
    framework: frameworkName,
    framework_version: frameworkVersion,
    build_tool: null,
    test_framework: null,
    code_style: null,
    constraints: constraints.slice(0, 50),
    project_type: 'single',
  }
}

/** 'Python 3.12' → Python and 3.12. */
function splitVersion(word: string): [string, string | null] {
  const [, name, version] = /^(.*\D) v?(\d[\w.]*)$/.exec(word) ?? []
  return name === undefined || version === undefined ? [word, null] : [name.trim(), version]
}
