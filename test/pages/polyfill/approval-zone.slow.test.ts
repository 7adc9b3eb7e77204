/**
 * The approval layer in a page whose zone.js has replaced `Promise` before the script loads, as in Angular
 * applications.
 */

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { inProject } from '../../../scripts/settings.ts'
import { answer } from '../../support/pages/approval-dialog.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { NATIVE, NOT_NATIVE, ways } from '../../support/pages/chromium.ts'
import { pageWith, useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

const ZONE = readFileSync(inProject('node_modules/zone.js/bundles/zone.umd.min.js'), 'utf8')
const site = useApprovalSite({
  '/zone': pageWith('').replace('<script src', `<script>${ZONE}</script><script src`),
})

const WAYS = [
  { way: 'native', args: NATIVE },
  { way: 'polyfill', args: NOT_NATIVE },
]

/** What a preview may return, and what the call receives. */
const PREVIEWS = [
  [`'text'`, 'text'],
  ['7', 7],
  ['{ total: 3 }', { total: 3 }],
  ['Promise.resolve({ total: 3 })', { total: 3 }],
  ['(async () => [1])()', [1]],
] as const

const run = (page: Page, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })()`)

describe.each(ways(WAYS))('$way, with zone.js', ({ args }) => {
  const browser = useBrowser(args)

  it.each(PREVIEWS)('a preview may be %s', async (preview, seen) => {
    const page = await browser.open(`${site.origin}/zone`)
    expect(await run(page, 'return Promise === (async () => {})().constructor')).toBe(false)
    await run(page, `await tool({ name: 'a', preview: () => (${preview}) }); void call('a')`)
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    const outcome = await run(page, 'return outcome')
    expect(JSON.parse(String(outcome))).toMatchObject({ preview: seen })
    await page.context().close()
  })

  it('fails a call whose preview rejects', async () => {
    const page = await browser.open(`${site.origin}/zone`)
    await run(
      page,
      `await tool({ name: 'a', preview: () => Promise.reject(new Error('mine')) }); await call('a')`,
    )
    expect(await run(page, 'return [ran, outcome.split(":")[0]]')).toEqual([[], 'UnknownError'])
    await page.context().close()
  })

  it('lists the hints before the reactions of the caller run', async () => {
    const page = await browser.open(`${site.origin}/zone`)
    const hint = await run(
      page,
      `await tool({ name: 'a', annotations: { humanInTheLoopHint: 'review' } })
       return document.modelContext.getTools().then(([one]) => one.annotations.humanInTheLoopHint)`,
    )
    expect(hint).toBe('review')
    await page.context().close()
  })
})
