/** What the service worker shows for a push message, and where a press on it leads. */

import {
  openNotice,
  showNotice,
  type OpenWindow,
  type PushScope,
} from '#host/push-worker/notices.ts'
import { describe, expect, it, vi } from 'vitest'

const MESSAGE = {
  ...{ tag: 'notes', title: '3 changes wait for you', body: 'From “Writer”' },
  ...{ url: '/?at=/w/notes/mcp#/waiting/1a2b', waiting: 3, badge: 5 },
}

function scopeWith(windows: readonly OpenWindow[] = [], hasBadge = true) {
  return {
    show: vi.fn<PushScope['show']>(async () => undefined),
    setBadge: vi.fn<PushScope['setBadge']>(async () => {
      if (!hasBadge) throw new TypeError('navigator.setAppBadge is not a function')
    }),
    listWindows: async () => windows,
    openWindow: vi.fn<PushScope['openWindow']>(async () => null),
  }
}

const windowAt = (path: string, focused = false) => ({
  url: `https://files.example${path}`,
  focused,
  focus: vi.fn(async (): Promise<unknown> => null),
  postMessage: vi.fn<OpenWindow['postMessage']>(),
})

describe('a push message', () => {
  it('is shown with its tag, and counted on the icon', async () => {
    const scope = scopeWith()
    await showNotice(scope, JSON.stringify(MESSAGE))
    const { tag, body, url, waiting } = MESSAGE
    expect(scope.show.mock.calls).toEqual([
      [
        MESSAGE.title,
        {
          ...{ body, tag, renotify: true, icon: '/icons/192.png', badge: '/icons/badge.png' },
          data: { url, waiting },
        },
      ],
    ])
    expect(scope.setBadge.mock.calls).toEqual([[5]])
  })

  it.each(['', 'hello', '{}', JSON.stringify({ ...MESSAGE, url: 'https://evil.example/' })])(
    'that cannot be read (%s) is shown without what it says',
    async (json) => {
      const scope = scopeWith()
      await showNotice(scope, json)
      expect(scope.show).toHaveBeenCalledTimes(1)
      expect(scope.show.mock.calls[0]?.[0]).toBe('Something waits for you')
      expect(JSON.stringify(scope.show.mock.calls)).not.toContain('evil')
      expect(scope.setBadge).not.toHaveBeenCalled()
    },
  )

  it('is shown where icons have no numbers', async () => {
    const scope = scopeWith([], false)
    await showNotice(scope, JSON.stringify(MESSAGE))
    expect(scope.show).toHaveBeenCalledTimes(1)
  })
})

describe('a press on a notification', () => {
  const data = { url: MESSAGE.url, waiting: 3 }

  it('opens the page in a new window where no console is open', async () => {
    const signIn = windowAt('/signin')
    const scope = scopeWith([signIn])
    await openNotice(scope, data)
    expect(scope.openWindow.mock.calls).toEqual([[MESSAGE.url]])
    expect(signIn.postMessage).not.toHaveBeenCalled()
  })

  it('asks an open console to show the page: first one of the workspace, then the one with the focus', async () => {
    const [first, focused, own] = [
      windowAt('/#/log'),
      windowAt('/?at=%2Fw%2Fother%2Fmcp', true),
      windowAt('/?at=%2Fw%2Fnotes%2Fmcp#/files'),
    ]
    const request = { type: 'edgewise-open', url: MESSAGE.url }
    for (const [windows, chosen] of [
      [[first, focused, own], own],
      [[first, focused], focused],
      [[first], first],
    ] as const) {
      const scope = scopeWith(windows)
      await openNotice(scope, data)
      expect(chosen.focus).toHaveBeenCalledTimes(1)
      expect(chosen.postMessage.mock.calls).toEqual([[request]])
      expect(scope.openWindow).not.toHaveBeenCalled()
    }
  })

  it('asks a console that the browser does not bring to the front', async () => {
    const open = windowAt('/')
    open.focus.mockRejectedValue(new DOMException('Not allowed', 'InvalidAccessError'))
    await openNotice(scopeWith([open]), data)
    expect(open.postMessage).toHaveBeenCalledTimes(1)
  })

  it.each([null, {}, { url: 'https://evil.example/' }, { url: '//evil.example' }])(
    'that names no page of the console (%j) opens the console',
    async (other) => {
      const scope = scopeWith()
      await openNotice(scope, other)
      expect(scope.openWindow.mock.calls).toEqual([['/']])
    },
  )
})
