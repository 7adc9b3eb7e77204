/** The style variables of MCP Apps: all of them, each once. */

import { expect, it } from 'vitest'
import { STYLE_VARIABLES } from '#core/theme-variables.ts'

it('are 76 different names', () => {
  expect(STYLE_VARIABLES).toHaveLength(76)
  expect(new Set(STYLE_VARIABLES).size).toBe(76)
})

it.each([
  '--color-background-disabled',
  '--color-text-ghost',
  '--color-border-primary',
  '--color-ring-warning',
  '--font-mono',
  '--font-weight-semibold',
  '--font-text-lg-line-height',
  '--font-heading-3xl-size',
  '--border-radius-full',
  '--border-width-regular',
  '--shadow-hairline',
])('include %s', (name) => expect(STYLE_VARIABLES).toContain(name))
