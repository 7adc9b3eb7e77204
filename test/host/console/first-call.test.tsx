/** The page that connects an agent: what it says before and after the first call, and for whom it is first. */

import { FirstCall } from '#host/console/agents/first-call.tsx'
import { agentsAmong, type CalledClient } from '#host/console/agents/has-agent.ts'
import { render } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeOwner } from '../../support/host/fake-owner.ts'

const root = document.createElement('main')
let clients: CalledClient[]

const called = (client: string | null, label: string | null = null): CalledClient => ({
  ...{ client, label, session: null },
  at: Date.now(),
})

beforeEach(() => {
  document.body.append(root)
  clients = [called('edgewise-console')]
  fakeOwner({ list_clients: () => ({ clients }) })
})

afterEach(() => {
  render(null, root)
  root.remove()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const text = () => root.textContent

it('waits while only the console calls, then names the agent', async () => {
  render(<FirstCall />, root)
  await expect.poll(text).toBe('Waiting for the first call…')
  clients = [called('claude-code'), ...clients]
  await expect.poll(text, { timeout: 10_000 }).toMatch(/^Connected: .?claude-code.? called /)
})

it('says where an agent has no name', async () => {
  clients = [called(null, null)]
  render(<FirstCall />, root)
  await expect.poll(text).toMatch(/^Connected: an agent without a name called /)
})

it('takes no call of the console for that of an agent', () => {
  const link = called(null, 'Research')
  expect(agentsAmong([called('edgewise-console'), link, called('x', 'Edgewise console')])).toEqual([
    link,
  ])
})
