/** Headers that the front alone may set do not reach a workspace from outside. */

import { PRINCIPAL_HEADER } from '#worker/sessions/identity.ts'
import {
  IDENTITY_HEADERS,
  withIdentity,
  withMcpIdentity,
} from '#worker/sessions/identity-headers.ts'
import { expect, it } from 'vitest'

const FORGED = 'forged'

it.each(IDENTITY_HEADERS)('%s is removed for every kind of caller', (name) => {
  const request = new Request('https://edgewise.example/mcp', { headers: { [name]: FORGED } })
  const known = { [PRINCIPAL_HEADER]: 'owner' }
  const passed = [
    withIdentity(request, 'notes', {}),
    withIdentity(request, 'notes', known),
    withMcpIdentity(request, 'notes', {}),
    withMcpIdentity(request, 'notes', known),
  ]
  for (const { headers } of passed) expect(headers.get(name)).not.toBe(FORGED)
  expect(passed[3]?.headers.get(PRINCIPAL_HEADER)).toBe('owner')
})
