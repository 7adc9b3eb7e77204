/**
 * The 76 style variables of MCP Apps 2026-01-26, "Theming": a host sends their values, a view
 * accepts no others. `test/core/theme-variables.test.ts` checks the list.
 *
 * @module
 */

/** Each row is a product: every word before a colon is combined with every word after it. */
const TABLE = `color-background color-text color-border:primary secondary tertiary inverse ghost info danger success warning disabled
color-ring:primary secondary inverse info danger success warning
font:sans mono
font-weight:normal medium semibold bold
font-text:xs sm md lg:size line-height
font-heading:xs sm md lg xl 2xl 3xl:size line-height
border-radius:xs sm md lg xl full
border-width:regular
shadow:hairline sm md lg`

const combine = (heads: string[], tails: string[]) =>
  heads.flatMap((head) => tails.map((tail) => `${head}-${tail}`))

/** The variables' names, with the leading `--`. */
export const STYLE_VARIABLES: readonly string[] = TABLE.split('\n')
  .flatMap((line) =>
    line
      .split(':')
      .map((part) => part.split(' '))
      .reduce(combine),
  )
  .map((name) => `--${name}`)
