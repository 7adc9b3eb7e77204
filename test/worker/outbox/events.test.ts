/** What happens in a workspace, and which notices of it are queued for the webhook and for the notifier. */

import type { Env } from '#worker/env.ts'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { connect } from '../../support/worker/connections.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { openNotifying, recordNotifier, WEBHOOK } from '../../support/worker/notifying-workspace.ts'

type Opened = ReturnType<typeof openNotifying>

/** Runs a function with a new workspace whose rules are given. */
const within = (
  settings: Partial<Env>,
  rules: object,
  work: (workspace: Opened) => Promise<void>,
): Promise<void> =>
  runInDurableObject(newStub(), async (_, state) => {
    const opened = openNotifying(state, settings)
    await opened.send('/config', 'PUT', rules)
    opened.take()
    await work(opened)
  })

const DOCS = { roots: [{ path: '/docs' }] }
const REVIEW = { ...DOCS, approval: 'review' }

/** The rows, each as its type with what became of the draft. */
const typesOf = (rows: ReturnType<Opened['take']>, receiver: 'webhook' | 'notifier') =>
  rows
    .filter((row) => row.receiver === receiver)
    .map(({ type, outcome }) => (outcome === null ? type : `${type} ${outcome}`))

describe('the notifier learns', () => {
  const { NOTIFIER } = recordNotifier()
  const kindsOf = (rows: ReturnType<Opened['take']>) => typesOf(rows, 'notifier')

  it('news of the first change of a draft, and counts of further ones', async () => {
    await within({ NOTIFIER }, REVIEW, async ({ call, take }) => {
      await call('write_file', { path: '/docs/a', content: '1' })
      expect(kindsOf(take())).toEqual(['news'])
      await call('write_file', { path: '/docs/b', content: '1' })
      expect(kindsOf(take())).toEqual(['counts'])
    })
  })

  it('counts of a decision, an expiry and a hand-over that decides nothing', async () => {
    await within({ NOTIFIER }, REVIEW, async ({ call, take, drafts, decide, send }) => {
      for (const act of ['approve', 'turn-down'] as const) {
        await call('write_file', { path: `/docs/${act}`, content: '1' })
        take()
        await decide((await drafts())[0] ?? '', act)
        expect(kindsOf(take())).toEqual(['counts'])
      }
      await call('write_file', { path: '/docs/c', content: '1' })
      take()
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      await send('/config', 'PUT', { ...REVIEW, draft_ttl_seconds: 1 })
      expect(kindsOf(take())).toEqual(['counts'])
    })
  })

  it('news of an access request, and counts once it is decided', async () => {
    await within({ NOTIFIER }, DOCS, async ({ call, take, send }) => {
      await call('read_file', { path: '/private/a' })
      expect(kindsOf(take())).toEqual(['news'])
      const { requests } = await send('/requests')
      const [request] = requests as { id: string }[]
      await send(`/requests/${request?.id}/refuse`, 'POST', {})
      expect(kindsOf(take())).toEqual(['counts'])
    })
  })

  it('news of a change that the owner is notified of, and counts once it was seen', async () => {
    await within({ NOTIFIER }, { ...DOCS, approval: 'notify' }, async ({ call, take, send }) => {
      await call('write_file', { path: '/docs/a', content: '1' })
      expect(kindsOf(take())).toEqual(['news'])
      const { changes } = await send('/notices')
      const versions = (changes as { version: number }[]).map(({ version }) => version)
      await send('/notices', 'POST', { versions })
      expect(kindsOf(take())).toEqual(['counts'])
    })
  })

  it('counts once the session of an access request has ended', async () => {
    await within({ NOTIFIER }, DOCS, async ({ fetch, take }) => {
      const connection = await connect({ fetch })
      await connection.end()
      expect(kindsOf(take())).toEqual([])
      const another = await connect({ fetch })
      await another.read('/private/a')
      expect(kindsOf(take())).toEqual(['news'])
      await another.end()
      expect(kindsOf(take())).toEqual(['counts'])
    })
  })

  it('counts once an app was approved', async () => {
    await within({ NOTIFIER }, {}, async ({ fetch, send, take }) => {
      const files = { 'app.json': '{"data":["board.md"]}', 'index.html': '<p>Notes</p>' }
      for (const [file, body] of Object.entries(files)) {
        const headers = { 'content-length': String(body.length) }
        await (await fetch(`/files/.apps/notes/${file}`, { method: 'PUT', body, headers })).text()
      }
      const { apps } = await send('/apps')
      const [app] = apps as { state: string; revision: string }[]
      expect(app?.state).toBe('waiting')
      await send('/apps/notes/approve', 'POST', { revision: app?.revision })
      expect(kindsOf(take())).toEqual(['counts'])
    })
  })

  it('counts once a skill was approved', async () => {
    await within({ NOTIFIER }, {}, async ({ fetch, take, send }) => {
      const body = '---\nname: deploy\ndescription: How to deploy\n---\n'
      const headers = { 'content-length': String(body.length) }
      const path = '/files/.skills/deploy/SKILL.md'
      await (await fetch(path, { method: 'PUT', body, headers })).text()
      take()
      const { skills } = await send('/skills')
      const [skill] = skills as { state: string; revision: string }[]
      expect(skill?.state).toBe('waiting')
      await send('/skills/deploy/approve', 'POST', { revision: skill?.revision })
      expect(kindsOf(take())).toEqual(['counts'])
    })
  })

  it('nothing of a change that is applied without a notice, and of reading', async () => {
    await within({ NOTIFIER }, DOCS, async ({ call, take }) => {
      await call('write_file', { path: '/docs/a', content: '1' })
      await call('read_file', { path: '/docs/a' })
      expect(take()).toEqual([])
    })
  })

  it('nothing without the binding', async () => {
    await within({}, REVIEW, async ({ call, take }) => {
      await call('write_file', { path: '/docs/a', content: '1' })
      expect(take()).toEqual([])
    })
  })
})

describe('the webhook is notified', () => {
  const sent = (rows: ReturnType<Opened['take']>) => typesOf(rows, 'webhook')

  it('of each decision on a draft, also of a part of it', async () => {
    await within(WEBHOOK, REVIEW, async ({ call, take, drafts, decide }) => {
      for (const name of ['a', 'b', 'c'])
        await call('write_file', { path: `/docs/${name}`, content: '1' })
      const [draft = ''] = await drafts()
      take()
      await decide(draft, 'approve', 1)
      expect(take()).toMatchObject([
        { type: 'draft.decided', draft, outcome: 'approved', url: 'http://localhost/#/activity' },
      ])
      await decide(draft, 'turn-down', 1)
      await decide(draft, 'approve')
      expect(sent(take())).toEqual(['draft.decided turned_down', 'draft.decided approved'])
    })
  })

  it('of a draft that has expired', async () => {
    await within(WEBHOOK, REVIEW, async ({ call, take, send }) => {
      await call('write_file', { path: '/docs/a', content: '1' })
      take()
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      await send('/config', 'PUT', { ...REVIEW, draft_ttl_seconds: 1 })
      expect(sent(take())).toEqual(['draft.decided expired'])
    })
  })

  it('of changed files only where their paths are watched', async () => {
    await within(WEBHOOK, DOCS, async ({ call, take }) => {
      await call('write_file', { path: '/docs/a.md', content: '1' })
      expect(take()).toEqual([])
    })
    const watching = { ...WEBHOOK, EDGEWISE_WEBHOOK_PATHS: 'docs/**/*.md, *.txt' }
    await within(watching, DOCS, async ({ call, take }) => {
      await call('write_file', { path: '/docs/a.png', content: '1' })
      expect(take()).toEqual([])
      await call('write_file', { path: '/docs/a.md', content: '1' })
      await call('write_file', { path: '/docs/b/c.md', content: '1' })
      expect(take()).toEqual([
        {
          ...{ receiver: 'webhook', type: 'file.changed', draft: null, outcome: null },
          ...{ version: 3, url: '/changes?after=1' },
        },
      ])
    })
  })

  it('of files that are changed by an approval, and not by a proposal', async () => {
    const watching = { ...WEBHOOK, EDGEWISE_WEBHOOK_PATHS: '**/*.md' }
    await within(watching, REVIEW, async ({ call, take, drafts, decide }) => {
      await call('write_file', { path: '/docs/a.md', content: '1' })
      expect(sent(take())).toEqual(['draft.waiting'])
      await decide((await drafts())[0] ?? '', 'approve')
      expect(sent(take())).toEqual(['file.changed', 'draft.decided approved'])
    })
  })

  it('of no watched file without the webhook itself', async () => {
    await within({ EDGEWISE_WEBHOOK_PATHS: '**' }, DOCS, async ({ call, take }) => {
      await call('write_file', { path: '/docs/a.md', content: '1' })
      expect(take()).toEqual([])
    })
  })
})
