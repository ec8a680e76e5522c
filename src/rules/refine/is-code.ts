/** What is read or configured, and not run: no analyser is missed for it. */
const NO_CODE =
  /\.(?:md|markdown|txt|rst|adoc|json|jsonc|json5|ya?ml|toml|ini|cfg|conf|properties|lock|csv|tsv|xml|svg|png|jpe?g|gif|webp|ico|pdf|css|scss|less|html?|env|example|snap|map|gitignore|gitattributes|editorconfig|dockerignore|npmrc|nvmrc)$/i

/** True for a file whose name says that a program is in it. Names without an extension (LICENSE, Makefile) say nothing. */
export function isCode(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return /[^.]\.[A-Za-z0-9+]+$/.test(name) && !NO_CODE.test(name)
}
