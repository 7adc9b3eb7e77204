/** The summary of a workspace: what waits, from whom, and the page that shows it; and nothing of the content. */

import { MAX_LABEL_LENGTH } from '#worker/access/limits.ts'
import { MAX_NAMES } from '#worker/notifier/summary.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { newStub } from '../../support/worker/object-life.ts'
import { openNotifying, recordNotifier } from '../../support/worker/notifying-workspace.ts'

const RULES = { roots: [{ path: '/docs' }], approval: 'review' }

/** Runs a function with a workspace and what its notifier gets. */
async function within(
  work: (
    workspace: ReturnType<typeof openNotifying>,
    summaries: ReturnType<typeof recordNotifier>['summaries'],
  ) => Promise<void>,
): Promise<void> {
  const { NOTIFIER, summaries } = recordNotifier()
  await runInDurableObject(newStub(), async (_, state) => {
    const opened = openNotifying(state, { NOTIFIER })
    await opened.send('/config', 'PUT', RULES)
    await work(opened, summaries)
  })
}

it('says how much waits and from whom, by the names that the cards show', async () => {
  await within(async ({ call, deliver, drafts }, summaries) => {
    await call('write_file', { path: '/docs/secret', content: 'secret' }, 'one')
    await deliver()
    const [draft] = await drafts()
    expect(summaries.at(-1)).toEqual({
      ...{
        workspace: 'default',
        isNews: true,
        changes: 1,
        requests: 0,
        apps: 0,
        skills: 0,
        applied: 0,
      },
      ...{ from: ['one'], others: 0, url: `/#/waiting/${draft}` },
    })
    await call('write_file', { path: '/docs/b', content: 'x' }, 'one')
    await call('write_file', { path: '/docs/c', content: 'x' }, 'two')
    await call('read_file', { path: '/private/secret' }, 'three')
    await deliver()
    expect(summaries.at(-1)).toMatchObject({
      ...{ isNews: true, changes: 3, requests: 1, apps: 0, skills: 0, others: 0 },
      ...{ from: ['two', 'one', 'three'], url: 'http://localhost/#/waiting' },
    })
    expect(JSON.stringify(summaries)).not.toContain('secret')
  })
})

it('names at most a few', async () => {
  await within(async ({ call, deliver }, summaries) => {
    for (let at = 0; at < MAX_NAMES + 2; at++)
      await call('write_file', { path: `/docs/${at}`, content: 'x' }, `${at}`.padEnd(500, 'x'))
    await deliver()
    const { from, others } = summaries.at(-1) ?? {}
    expect(from).toHaveLength(MAX_NAMES)
    expect(others).toBe(2)
    for (const name of from ?? []) expect(name.length).toBeLessThanOrEqual(MAX_LABEL_LENGTH)
  })
})

it('counts applied changes that were not seen', async () => {
  await within(async ({ call, deliver, send }, summaries) => {
    await send('/config', 'PUT', { ...RULES, approval: 'notify' })
    await call('write_file', { path: '/docs/a', content: 'x' })
    await deliver()
    expect(summaries.at(-1)).toMatchObject({ isNews: true, changes: 0, applied: 1, from: [] })
    const { changes } = await send('/notices')
    const versions = (changes as { version: number }[]).map(({ version }) => version)
    await send('/notices', 'POST', { versions })
    await deliver()
    expect(summaries.at(-1)).toMatchObject({ isNews: false, applied: 0 })
  })
})

it('is that of the moment in which it is sent', async () => {
  await within(async ({ call, deliver, decide, drafts }, summaries) => {
    await call('write_file', { path: '/docs/a', content: 'x' })
    await decide((await drafts())[0] ?? '', 'approve')
    await deliver()
    expect(summaries).toMatchObject([{ isNews: true, changes: 0, from: [], applied: 0 }])
  })
})
