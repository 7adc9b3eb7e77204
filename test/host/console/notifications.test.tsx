/** The page "Notifications": every state of this device, what the buttons do, and what is sent to the server. */

import type { NotificationSettings } from '#core/owner/answers/notifications.ts'
import { readSupport, turnOffBeforeSignOut } from '#host/console/notifications/device.ts'
import { Notifications } from '#host/console/notifications/notifications.tsx'
import { describeTest } from '#host/console/notifications/test-button.tsx'
import { notifiesPerson, stopNotifications } from '#host/console/drafts/notifications.ts'
import { render } from 'preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { fakeOwner, type SentAct } from '../../support/host/fake-owner.ts'
import {
  endFakePush,
  ENDPOINT,
  fakePush,
  OWN_ID,
  type FakePush,
} from '../../support/host/fake-push.ts'
import { pressDecision } from '../../support/host/press-decision.ts'

const root = document.createElement('main')
let sent: readonly SentAct[]
let settings: NotificationSettings
let refuses = false

const OTHER = {
  ...{ id: 'f'.repeat(32), label: 'Safari on iPhone', added: Date.now() - 90_000_000 },
  ...{ delivered: null, failing: true },
}

const OWN = {
  ...{ id: OWN_ID, label: 'Chrome on Linux', added: Date.now(), failing: false },
  delivered: Date.now(),
}

function answerOwner(): void {
  sent = fakeOwner({
    read_notifications: () => settings,
    add_device() {
      settings = { ...settings, devices: [OWN, ...settings.devices] }
      return settings
    },
    remove_device({ url }) {
      if (refuses) return Response.json({ message: 'Not now.' }, { status: 503 })
      const id = url.split('/').at(-1)
      settings = { ...settings, devices: settings.devices.filter((one) => one.id !== id) }
      return settings
    },
    test_device() {
      settings = { ...settings, devices: [{ ...OWN, delivered: Date.now() }] }
      return { outcome: 'delivered', status: 201 }
    },
    set_quiet_hours({ body }) {
      const { quiet } = Object(body)
      settings = { ...settings, quiet }
      return settings
    },
  })
}

function open(given: Partial<FakePush> = {}): FakePush {
  const push = fakePush(given)
  answerOwner()
  render(<Notifications />, root)
  return push
}

beforeEach(() => {
  refuses = false
  document.body.append(root)
  settings = {
    ...{ key: 'BKey', devices: [], quiet: null, elsewhere: 0 },
    ...{ webhook: false, chat: null, email: null },
  }
})

afterEach(() => {
  render(null, root)
  root.remove()
  stopNotifications()
  endFakePush()
  vi.restoreAllMocks()
})

const button = (name: string) =>
  [...root.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name)

const press = (name: string) => pressDecision(() => button(name))

const badge = () => root.querySelector('.thisdevice .badge')?.textContent

const bodyOf = (name: string) => sent.findLast((act) => act.name === name)?.body

describe('this device', () => {
  it('is turned on by a press alone: asks, registers the worker, subscribes, and adds it at the server', async () => {
    const push = open()
    await expect.poll(badge).toBe('Off')
    button('Turn on')?.click()
    expect(push.calls).toEqual([])
    const texts = new Set<string>()
    const watch = new MutationObserver(() => texts.add(root.textContent))
    watch.observe(root, { childList: true, subtree: true, characterData: true })
    await press('Turn on')
    await expect.poll(badge).toBe('On')
    watch.disconnect()
    expect([...texts].filter((text) => text.includes('any more'))).toEqual([])
    expect(push.calls).toEqual(['ask', 'register /push.js / none', 'subscribe BKey'])
    expect(bodyOf('add_device')).toMatchObject({
      ...{ endpoint: ENDPOINT, keys: { p256dh: 'BA', auth: 'AA' } },
      label: expect.stringMatching(/^\w+ on \w+$/),
    })
    expect(root.textContent).toContain('this device')
  })

  it('is turned off: the subscription ends, the worker goes, and the server forgets it', async () => {
    settings = { ...settings, devices: [OWN] }
    const push = open({ permission: 'granted', endpoint: ENDPOINT, shown: ['default'], badge: 3 })
    await expect.poll(badge).toBe('On')
    await press('Turn off')
    await expect.poll(badge).toBe('Off')
    expect(push.calls).toEqual(['unsubscribe', 'unregister'])
    expect(push).toMatchObject({ endpoint: null, shown: [], badge: 0 })
    expect(sent.map(({ name }) => name)).toEqual(['remove_device'])
    expect(root.textContent).toContain('No device is notified yet.')
  })

  it('is off, with the reason, once the server does not know it any more', async () => {
    const push = open({ permission: 'granted', endpoint: 'https://push.example/send/old' })
    await expect.poll(badge).toBe('Off')
    expect(root.textContent).toContain('does not notify this device any more')
    await press('Turn on')
    await expect.poll(badge).toBe('On')
    // What the server does not know may have ended, so the browser makes another one.
    expect(push.calls.slice(2)).toEqual(['unsubscribe', 'subscribe BKey'])
  })

  it('stays off if the server refuses it, with the reason', async () => {
    const push = fakePush()
    sent = fakeOwner({
      read_notifications: () => settings,
      add_device: () =>
        Response.json({ code: 'DEVICES_FULL', message: 'There are 20' }, { status: 409 }),
    })
    render(<Notifications />, root)
    await press('Turn on')
    await expect
      .poll(() => root.querySelector('[role=alert]')?.textContent)
      .toContain('There are 20')
    expect(badge()).toBe('Off')
    expect(push.endpoint).toBeNull()
    expect(push.calls.slice(-2)).toEqual(['unsubscribe', 'unregister'])
  })

  it('says that the permission was not given', async () => {
    const push = open({ answer: 'default' })
    await press('Turn on')
    await expect.poll(() => root.textContent).toContain('did not get your permission')
    expect(push.calls).toEqual(['ask'])
    expect(sent).toEqual([])
  })

  it('is blocked in the browser', async () => {
    open({ permission: 'denied' })
    await expect.poll(badge).toBe('Blocked')
    expect(button('Turn on')).toBeUndefined()
  })

  it('is on in this tab without a push service, if the person wants that', async () => {
    const push = open({ hasService: false })
    await press('Turn on')
    await expect.poll(() => root.textContent).toContain('did not reach its push service')
    expect(push.calls.at(-1)).toBe('unregister')
    await press('Notify while open')
    await expect.poll(badge).toBe('On in this tab')
    expect(notifiesPerson.value).toBe(true)
    push.hasService = true
    await press('Notify also while closed')
    await expect.poll(badge).toBe('On')
    // Two notifications of the same would be one too many.
    expect(notifiesPerson.value).toBe(false)
  })

  it('is looked at again when the person comes back from the settings', async () => {
    const push = open({ permission: 'denied' })
    await expect.poll(badge).toBe('Blocked')
    push.permission = 'default'
    dispatchEvent(new Event('focus'))
    await expect.poll(badge).toBe('Off')
  })

  it('is turned off before a sign-out', async () => {
    settings = { ...settings, devices: [OWN] }
    const push = fakePush({ permission: 'granted', endpoint: ENDPOINT })
    answerOwner()
    expect(await turnOffBeforeSignOut('')).toBe(true)
    expect(push.calls).toEqual(['unsubscribe', 'unregister'])
    expect(sent.map(({ name }) => name)).toEqual(['remove_device'])
  })
})

describe('what the browser can do', () => {
  it('is nothing without https', () => {
    vi.stubGlobal('isSecureContext', false)
    expect(readSupport()).toBe('insecure')
  })

  it('is push in this browser', () => expect(readSupport()).toBe('push'))

  it('is the home screen first, on an iPhone', () => {
    const window: Partial<typeof globalThis> = globalThis
    const { PushManager } = window
    Reflect.deleteProperty(window, 'PushManager')
    expect(readSupport()).toBe('tab')
    const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1'
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(iPhone)
    expect(readSupport()).toBe('home-screen')
    Object.assign(window, { PushManager })
  })
})

describe('a test', () => {
  it('is sent to this device, and says what became of it', async () => {
    settings = { ...settings, devices: [{ ...OWN, delivered: null }] }
    open({ permission: 'granted', endpoint: ENDPOINT })
    await expect.poll(() => root.textContent).toContain('not notified yet')
    await expect.poll(() => button('Send a test')).toBeDefined()
    await userEvent.click(button('Send a test') ?? root)
    await expect.poll(() => root.querySelector('.testoutcome')?.textContent).toContain('Sent.')
    expect(sent.map(({ url }) => url)).toEqual([`/notifications/devices/${OWN_ID}/test`])
    await expect.poll(() => root.textContent).toContain('last notified just now')
  })

  it.each([
    [{ outcome: 'failed', status: null }, 'did not reach'],
    [{ outcome: 'failed', status: 403 }, 'HTTP 403'],
    [{ outcome: 'gone', status: 410 }, 'off and on again'],
  ] as const)('%j', (answer, words) => expect(describeTest(answer).text).toContain(words))
})

describe('the devices', () => {
  it('are listed with what became of the last notification, and removed by a press', async () => {
    settings = { ...settings, devices: [OWN, OTHER] }
    const push = open({ permission: 'granted', endpoint: ENDPOINT })
    await expect.poll(() => root.querySelectorAll('[data-remove-device]').length).toBe(2)
    const [own, other] = root.querySelectorAll('.lines > li')
    await expect.poll(() => own?.textContent).toMatch(/this device.*last notified/)
    expect(other?.textContent).toMatch(/not reached.*added yesterday.*not notified yet/)
    await press('Remove Safari on iPhone')
    await expect.poll(() => root.querySelectorAll('[data-remove-device]').length).toBe(1)
    expect(push.calls).toEqual([])
    await press('Remove Chrome on Linux')
    await expect.poll(badge).toBe('Off')
    expect(push.endpoint).toBeNull()
  })

  it('keep the focus on the button of one that was not removed', async () => {
    settings = { ...settings, devices: [OWN, OTHER] }
    open({ permission: 'granted', endpoint: ENDPOINT })
    await expect.poll(() => root.querySelectorAll('[data-remove-device]').length).toBe(2)
    refuses = true
    await press('Remove Safari on iPhone')
    await expect.poll(() => root.textContent).toContain('Not now.')
    expect(document.activeElement?.getAttribute('data-remove-device')).toBe(OTHER.id)
  })
})

describe('quiet hours', () => {
  it('are saved with the time zone of the browser, and turned off', async () => {
    open()
    await expect.poll(() => root.querySelector('[type=time]')).not.toBeNull()
    const [from, to] = root.querySelectorAll<HTMLInputElement>('[type=time]')
    if (!from || !to) throw new Error('Expected two times')
    await userEvent.fill(from, '23:30')
    await userEvent.fill(to, '23:30')
    await expect.poll(() => root.textContent).toContain('The two times are the same')
    const save = () => root.querySelector<HTMLElement>('.quiethours [type=submit]') ?? root
    await userEvent.click(save(), { force: true })
    expect(sent).toEqual([])
    await userEvent.fill(to, '06:00')
    await userEvent.click(save())
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    const quiet = { from: '23:30', to: '06:00', time_zone: timeZone }
    await expect.poll(() => bodyOf('set_quiet_hours')).toEqual({ quiet })
    await expect.poll(() => button('Turn off quiet hours')).toBeDefined()
    await userEvent.click(button('Turn off quiet hours') ?? root)
    await expect.poll(() => bodyOf('set_quiet_hours')).toEqual({ quiet: null })
  })
})

it('lists the other channels', async () => {
  settings = { ...settings, chat: 'slack', email: 'owner@example.com' }
  open()
  await expect.poll(() => root.textContent).toContain('Chat SlackOnE-mail owner@example.comOn')
  expect(root.textContent).toContain('WebhookOff')
})
