/** The owner's list of leases, and their end. */

import { expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import { codeOf, twoAgents } from '../../support/worker/leasing.ts'
import { auditOf } from '../../support/worker/passkeys.ts'

it('lists what is in force with the names that its holder claims', async () => {
  const { workspace, one } = await twoAgents()
  await one.lease(['/f', '/g/c'], { note: 'mine' })
  const { leases } = recordOf(await (await workspace.fetch('/leases')).json())
  expect(leases).toMatchObject([
    { kind: 'lease', deep: true, label: 'one', client: 'test', note: 'mine' },
    { kind: 'lease', deep: false, path: '/g/c', session: one.session },
  ])
})

it('ends a lease at once, with an entry of the audit log', async () => {
  const { workspace, one, two } = await twoAgents()
  await one.lease(['/f'])
  const list = await (await workspace.fetch('/leases')).json<{ leases: { id: string }[] }>()
  const address = `/leases/${list.leases[0]?.id}`
  expect((await workspace.fetch(address, { method: 'DELETE' })).status).toBe(204)
  expect(codeOf(await two.lease(['/f']))).toBeUndefined()
  expect((await workspace.fetch(address, { method: 'DELETE' })).status).toBe(404)
  expect(await auditOf(workspace, 'end_lease')).toMatchObject([
    { intent: 'End the lease of "one" (client "test") on /f', paths: ['/f'] },
  ])
})

it('no agent lists or ends leases by these routes', async () => {
  const { one, two } = await twoAgents()
  await one.lease(['/f'])
  expect((await two.fetch('/leases')).status).toBe(401)
})
