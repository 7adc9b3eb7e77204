import { expect, it } from 'vitest'
import type { Entry, Outcome } from '#host/console/state/audit.ts'
import { groundsOf, reasonOf } from '#host/console/state/decision.ts'

const entry = (decision: string, label: string | null = null, outcome: Outcome = 'applied') =>
  ({
    seq: 1,
    at: 0,
    outcome,
    id: '',
    tool: 'write_file',
    intent: '',
    actor: { text: '', principal: 'local', session: null },
    label,
    decision,
    paths: [],
  }) satisfies Entry

it.each([
  ['configuration', null, 'the rules of the workspace'],
  ['the person', null, 'you, by hand'],
  ['configuration; session A', 'A', 'the rules of the workspace and the session “A”'],
  [
    'configuration; session A; granted write:file:/a; policy of the call; preview 1',
    'A',
    'the rules of the workspace, the session “A”, a grant of write:file:/a, ' +
      'a policy that came with the call and the preview that was seen before',
  ],
  ['something new', null, 'something new'],
])('%s', (decision, label, words) => {
  expect(groundsOf(entry(decision, label))).toBe(words)
})

it('takes no ground from the name of a session', () => {
  const label = 'A; the person; preview 1'
  const words = groundsOf(entry(`configuration; session ${label}`, label))
  expect(words).toBe(`the rules of the workspace and the session “${label}”`)
})

it('says why something was refused, also for a reason that it does not know', () => {
  const refused = (code: string) => entry(`${code}; configuration`, null, 'refused')
  expect(reasonOf(refused('PATH_BLOCKED'))).toBe('The place is blocked.')
  expect(reasonOf(refused('NEW_ONE'))).toBe('It was refused: NEW_ONE.')
  expect(groundsOf(refused('PATH_BLOCKED'))).toBe('the rules of the workspace')
  expect(reasonOf(entry('configuration'))).toBe('')
})
