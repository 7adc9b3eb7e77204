/** The events of a workspace: in which order listeners run. */

import { expect, it } from 'vitest'
import { createEvents } from '#worker/events.ts'

it('runs the listeners of an event in their order, before emit returns', () => {
  const { sessionEnded, accessRequested } = createEvents()
  const heard: string[] = []
  sessionEnded.on((session) => heard.push(`first ${session}`))
  sessionEnded.on((session) => heard.push(`second ${session}`))
  accessRequested.on(() => heard.push('another event'))
  sessionEnded.emit('s1')
  expect(heard).toEqual(['first s1', 'second s1'])
})

it('does nothing for an event without listeners', () => {
  expect(() => createEvents().accessRequested.emit()).not.toThrow()
})

it('reports the failure of a listener to the service that caused the event', () => {
  const { decided } = createEvents()
  decided.on(() => {
    throw new Error('a listener failed')
  })
  expect(() => decided.emit('owner', [], [])).toThrow('a listener failed')
})
