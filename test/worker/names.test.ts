/** Names of workspaces, wherever they stand: an address, a link, a form. */

import { expect, it } from 'vitest'
import { knownResource } from '#worker/auth/resource.ts'
import { isWorkspaceName, WORKSPACE_NAME } from '#worker/names.ts'
import { parseToken } from '#worker/sessions/links.ts'

const SECRET = 'a'.repeat(43)
const ORIGIN = 'https://files.example'

const isNamed = (name: string) => [
  isWorkspaceName(name),
  parseToken(`${name}.${SECRET}`) !== null,
  knownResource(`${ORIGIN}/w/${name}/mcp`, ORIGIN) === ORIGIN,
  // A field of a form reads its pattern under this flag, and ignores what it cannot read.
  new RegExp(`^(?:${WORKSPACE_NAME})$`, 'v').test(name),
]

it.each(['a', '0', 'notes', 'a-b-', `a${'-'.repeat(62)}`])('%j is a name everywhere', (name) => {
  expect(isNamed(name)).toEqual([true, true, true, true])
})

it.each(['', '-a', 'A', 'a.b', 'a/b', 'a b', 'a\n', 'a\\', 'é', 'a'.repeat(64), '__proto__'])(
  '%j is a name nowhere',
  (name) => {
    expect(isNamed(name)).toEqual([false, false, false, false])
  },
)
