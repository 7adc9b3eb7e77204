/** Names of agents: quoted and drawn apart, whatever an agent calls itself. */

import { describeActor } from '#core/actor.ts'
import { actorInText } from '#host/console/activity/changes.ts'
import { describeAsker } from '#host/console/questions/queue.ts'
import { Sentence } from '#host/console/ui/path.tsx'
import { ActorName } from '#host/console/ui/claimed-name.tsx'
import { render } from 'preact'
import { expect, it } from 'vitest'

interface Drawn {
  readonly principal: string
  readonly session: string | null
  readonly label?: string
  readonly client?: string
  readonly email?: string
}

function draw(actor: Drawn): Element {
  const root = document.createElement('main')
  render(<ActorName actor={{ text: 'helper for owner', ...actor }} />, root)
  return root
}

it.each(['You', 'This console', 'You or a local agent', 'owner', '\u202euoY'])(
  'draws an agent that calls itself %j apart from the person',
  (label) => {
    const claimed = draw({ principal: 'owner', session: 's', label })
    expect(claimed.children[0]?.className).toBe('claimed')
    expect(claimed.textContent).not.toContain('\u202e')
    expect(claimed.innerHTML).not.toBe(draw({ principal: 'owner', session: null }).innerHTML)
  },
)

it('draws the name of a link, and beside it what its client calls itself, each apart', () => {
  const actor = { principal: 'owner', session: 's', label: 'Reviewer', client: 'You) for (x' }
  const drawn = draw(actor)
  const claimed = [...drawn.querySelectorAll('.claimed')].map((one) => one.textContent)
  expect(claimed).toEqual(['Reviewer', 'You) for (x'])
  expect(actorInText({ text: '', ...actor })).toBe('"Reviewer" (client "You) for (x")')
})

it('draws a proven address apart from an agent that is named like it, and as text', () => {
  const email = 'ada@example.com'
  const owner = draw({ principal: 'owner', session: null, email })
  expect([owner.textContent, owner.querySelector('.claimed')]).toEqual([email, null])
  const agent = draw({ principal: 'owner', session: 's', label: email })
  expect(agent.children[0]?.className).toBe('claimed')
  const odd = draw({ principal: 'owner', session: null, email: 'a\u202e<b>@example.com' })
  expect([odd.querySelector('b'), odd.textContent.includes('\u202e')]).toEqual([null, false])
})

it.each([
  ['owner', 'You'],
  ['local', 'You or a local agent'],
])('names the %s in plain words', (principal, words) => {
  expect(draw({ principal, session: null }).innerHTML).toBe(words)
})

it.each(['You', 'This console', 'Claude” and “You'])(
  'draws a session or an app that is called %j apart in a sentence',
  (name) => {
    const root = document.createElement('main')
    const words = [
      `1 change of ${actorInText({ text: '', principal: 'owner', session: 's', label: name })}`,
      `Turn down 1 change of ${describeActor({ label: name, principal: 'local' })}`,
      `${describeAsker({ kind: 'app', name })}: Read /a`,
    ]
    for (const text of words) {
      render(<Sentence text={text} />, root)
      const claimed = [...root.querySelectorAll('.claimed')].map((one) => one.textContent)
      expect(claimed, text).toEqual([`“${name}”`])
    }
  },
)

it('draws a principal that it does not know as a claimed name', () => {
  expect(draw({ principal: 'other', session: null }).children[0]?.className).toBe('claimed')
})
