/** The address of a server as a person types it. */

import { parseTarget, type TargetForm } from '#host/console/connect/typed-target.ts'
import { expect, it } from 'vitest'

const typed = (url: string): TargetForm => ({
  ...{ url, era: 'auto', signIn: false, headers: '', configuration: '' },
})

it.each([
  ['https://example.com/mcp', 'https://example.com/mcp'],
  [' http://localhost:8787/mcp ', 'http://localhost:8787/mcp'],
  ['/w/team', `${location.origin}/w/team/mcp`],
])('reads %s', (text, url) => {
  expect(parseTarget(typed(text))).toMatchObject({ url })
})

it.each([
  ['example.com/mcp', 'https://example.com/mcp'],
  ['localhost:8787/mcp', 'http://localhost:8787/mcp'],
  ['not an address', 'https://example.com/mcp'],
  ['ftp://example.com/mcp', 'https://example.com/mcp'],
  ['', 'https://example.com/mcp'],
])('does not take “%s” for a path of this server, and says what to write', (text, advice) => {
  expect(parseTarget(typed(text))).toMatch(new RegExp(`^Cannot use ${text}: .* ${advice}\\.$`))
})
