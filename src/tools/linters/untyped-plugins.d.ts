/** Packages that come without types; what of them is used is this. */
declare module 'eslint-plugin-security' {
  import type { ESLint } from 'eslint'
  const plugin: ESLint.Plugin
  export = plugin
}

declare module 'eslint-plugin-no-unsanitized' {
  import type { ESLint } from 'eslint'
  const plugin: ESLint.Plugin
  export = plugin
}

declare module '@babel/eslint-parser' {
  import type { Linter } from 'eslint'
  const parser: Linter.Parser
  export = parser
}
