/** The limits of calls that wait for a person, each at its edge. */

import { expect, it } from 'vitest'
import { createWaits } from '#worker/call/waits.ts'
import { call } from '#worker/call/call.ts'
import {
  MAX_CONFIRM_ROUNDS,
  MAX_WAITING_ANSWER_LENGTH,
  MAX_WAITING_ANSWERS,
  MAX_WORKSPACE_WAITING_ANSWERS,
} from '#worker/drafts/limits.ts'
import type { Caller } from '#worker/access/caller.ts'
import { withToolContext, type TestContext } from '../../support/worker/tool-context.ts'

/** A signer whose states are plain JSON. */
const signer = {
  sign: async (state: object) => JSON.stringify(state),
  verify: async (state: string) => JSON.parse(state) as { change: string; round: number },
}

function asking({ services, drafts, caller }: TestContext) {
  const waits = createWaits({ drafts, signer, waitMs: 0 })
  const asks: Caller = { ...caller, urlElicitation: 'modern', base: 'https://x/s/default' }
  const write = async (state?: unknown) => {
    const args = { path: '/a', content: 'one' }
    const answer = await call(
      { name: 'write_file', args, meta: undefined, caller: asks, state },
      { ...services, waits },
    )
    return answer.ok ? answer.value : (answer.error.elicit?.state ?? null)
  }
  return { waits, asks, write }
}

const waiting = (change: string, owner: string) => ({
  ...{ change, owner, draft: 'd', digest: '', answer: '{}', isLegacy: true },
})

it('MAX_CONFIRM_ROUNDS: the last round is answered with the draft', () =>
  withToolContext({ approval: 'confirm' }, async (context) => {
    const { write } = asking(context)
    let state: unknown
    for (let round = 0; round < MAX_CONFIRM_ROUNDS; round++) {
      state = await write(state)
      expect(state).toEqual(expect.stringContaining(`"round":${round}}`))
    }
    expect(await write(state)).toMatchObject({ structuredContent: { draft: expect.anything() } })
    expect(context.drafts.all()).toMatchObject([{ changes: 1 }])
  }))

it('MAX_WAITING_ANSWERS: an owner loses its oldest', () =>
  withToolContext({}, async ({ drafts: { waitingCalls } }) => {
    waitingCalls.add(waiting('first', 'other'), 'other')
    for (let index = 0; index < MAX_WAITING_ANSWERS; index++)
      waitingCalls.add(waiting(`c${index}`, 'me'), 'me')
    expect(waitingCalls.find('me', 'c0')).not.toBeNull()
    waitingCalls.add(waiting('last', 'me'), 'me')
    expect(waitingCalls.find('me', 'c0')).toBeNull()
    expect(waitingCalls.find('me', 'c1')).not.toBeNull()
    expect(waitingCalls.find('other', 'first')).not.toBeNull()
  }))

it('MAX_WORKSPACE_WAITING_ANSWERS: the principal with the most loses its oldest', () =>
  withToolContext({}, async ({ drafts: { waitingCalls } }) => {
    for (let index = 0; index < MAX_WORKSPACE_WAITING_ANSWERS; index++)
      waitingCalls.add(waiting(`c${index}`, `o${index % 1_000}`), `o${index % 1_000}`)
    expect(waitingCalls.find('o0', 'c0')).not.toBeNull()
    waitingCalls.add(waiting('last', 'me'), 'me')
    expect(waitingCalls.find('o0', 'c0')).toBeNull()
    expect(waitingCalls.find('o1', 'c1')).not.toBeNull()
  }))

it('MAX_WAITING_ANSWER_LENGTH: a call with a longer answer does not wait', () =>
  withToolContext({}, async (context) => {
    const { waits, asks } = asking(context)
    const draft = {
      ...{ id: 1, name: 'd', opened: 0, touched: 0, changes: 1, bytes: 0, length: 0 },
      credential: null,
      owner: { key: 'k', principal: 'p', session: null, label: null, budget: 'p' },
    }
    const hold = (length: number) => {
      const answer = { text: 'x'.repeat(length) }
      const held = { change: `c${length}`, draft, tool: 't', intent: 'i', answer, paths: [] }
      return waits.hold({ name: 't', args: {}, meta: undefined, caller: asks }, held)
    }
    const frame = JSON.stringify({ tool: 't', intent: 'i', answer: { text: '' }, paths: [] }).length
    expect(await hold(MAX_WAITING_ANSWER_LENGTH - frame)).not.toBeNull()
    expect(await hold(MAX_WAITING_ANSWER_LENGTH - frame + 1)).toBeNull()
  }))
