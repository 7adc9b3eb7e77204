/** What an open console does about notifications: closes its own, counts on the icon, and opens what was pressed. */

import type { NotificationSettings } from '#core/owner/answers/notifications.ts'
import { waitingList } from '#host/console/drafts/waiting-list.ts'
import { watchNotices } from '#host/console/notifications/opened.ts'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { fakeOwner } from '../../support/host/fake-owner.ts'
import {
  endFakePush,
  ENDPOINT,
  fakePush,
  OWN_ID,
  type FakePush,
} from '../../support/host/fake-push.ts'

const DEVICE = {
  ...{ id: OWN_ID, label: 'Chrome on Linux', added: 0, delivered: null, failing: false },
}

let push: FakePush
let devices: NotificationSettings['devices'] = []
let elsewhere = 2
const hash = location.hash

const wait = (waiting: number) =>
  (waitingList.value = { waiting, requests: 0, apps: 0, skills: 0, drafts: [] })

const show = () => dispatchEvent(new Event('focus'))

// The page watches once, from its start to its end.
beforeAll(() => {
  push = fakePush({ permission: 'granted', endpoint: ENDPOINT })
  fakeOwner({
    read_notifications: () => ({
      ...{ key: 'BKey', devices, quiet: null, elsewhere },
      ...{ webhook: false, chat: null, email: null },
    }),
  })
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  devices = [DEVICE]
  wait(3)
  push.shown = ['default', 'notes']
  watchNotices()
})

beforeEach(() => {
  devices = [DEVICE]
  elsewhere = 2
})

afterAll(() => {
  waitingList.value = null
  location.hash = hash
  vi.restoreAllMocks()
  endFakePush()
})

it('closes the notifications of its workspace, and counts what waits here and elsewhere', async () => {
  await expect.poll(() => push.badge).toBe(5)
  expect(push.shown).toEqual(['notes'])
})

it('follows what waits, and closes what was shown about it meanwhile', async () => {
  push.shown = ['default']
  wait(1)
  await expect.poll(() => push.badge).toBe(3)
  await expect.poll(() => push.shown).toEqual([])
})

it('counts again when it comes to the front, also if the same waits here', async () => {
  push.badge = 9
  elsewhere = 0
  show()
  await expect.poll(() => push.badge).toBe(1)
  wait(0)
  await expect.poll(() => push.badge).toBe(0)
})

it('leaves the icon alone on a device that is not notified', async () => {
  devices = []
  show()
  await new Promise((resolve) => setTimeout(resolve, 50))
  push.badge = 7
  wait(4)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(push.badge).toBe(7)
})

it('opens the page of a pressed notification, and nothing else that it is sent', async () => {
  for (const url of ['https://evil.example/', '//evil.example', '/signout', 'javascript:alert(1)'])
    push.post({ type: 'edgewise-open', url })
  push.post({ type: 'other', url: '/#/log' })
  push.post('/#/log')
  expect(location.hash).toBe(hash)
  push.post({ type: 'edgewise-open', url: '/#/waiting/1a2b' })
  await expect.poll(() => location.hash).toBe('#/waiting/1a2b')
})
