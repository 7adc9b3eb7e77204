/** Names of workspaces in a URL, a link and an authorization request. */

import { expect, it } from 'vitest'
import { knownResource } from '#worker/auth/resource.ts'
import { isWorkspaceName } from '#worker/workspace-name.ts'
import { parseToken } from '#worker/sessions/links.ts'

const SECRET = 'a'.repeat(43)
const ORIGIN = 'https://files.example'

const isNamed = (name: string) => [
  isWorkspaceName(name),
  parseToken(`${name}.${SECRET}`) !== null,
  knownResource(`${ORIGIN}/w/${name}/mcp`, ORIGIN) === ORIGIN,
]

it.each(['a', '0', 'notes', 'a-b-', `a${'-'.repeat(62)}`])(
  '%j is a valid name everywhere',
  (name) => {
    expect(isNamed(name)).toEqual([true, true, true])
  },
)

it.each(['', '-a', 'A', 'a.b', 'a/b', 'a b', 'a\n', 'a\\', 'é', 'a'.repeat(64), '__proto__'])(
  '%j is an invalid name everywhere',
  (name) => {
    expect(isNamed(name)).toEqual([false, false, false])
  },
)
