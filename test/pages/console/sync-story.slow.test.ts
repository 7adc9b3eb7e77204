/**
 * A folder on disk, thirty changes of two agents, the approval on a phone, and the folder again: two commands of the
 * person, who starts with a folder that has secrets and dependencies, and a few taps.
 */

import type { Locator } from 'playwright'
import { expect, it } from 'vitest'
import { run as syncFolder } from '../../../scripts/sync.ts'
import { scratch } from '../../support/e2e/folder.ts'
import { runHere } from '../../support/e2e/run-here.ts'
import { goTo, readAll, readText, sees, visit } from '../../support/pages/console-actions.ts'
import { ARTICLES, BEFORE, LOOKALIKE, proposeThirty } from '../../support/pages/thirty-changes.ts'
import { button, PHONE, useWaitingDrafts } from '../../support/pages/waiting-drafts.ts'
import { readTexts, writeText } from '../../support/sync/folder.ts'

const { server, browser, connectAgent } = useWaitingDrafts()

const OWN = { '.env': 'TOKEN=mine\n', 'node_modules/x/index.js': 'x\n', 'key.pem': 'secret\n' }

it('goes up, is changed by agents, approved on a phone, and is right on the disk', async () => {
  const folder = scratch()
  for (const [path, text] of BEFORE) writeText(folder, path.slice(1), text)
  for (const [name, text] of Object.entries(OWN)) writeText(folder, name, text)
  const seconds: string[] = []
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    const done = await work()
    seconds.push(`${what} ${((performance.now() - begun) / 1_000).toFixed(1)} s`)
    return done
  }
  const sync = () => runHere(syncFolder, [folder, server.url])

  expect(await timed('up', sync)).toMatchObject({ code: 0, stderr: '' })
  for (const name of Object.keys(OWN)) expect(await readText(server.url, `/${name}`)).toBeNull()
  await timed('30 changes', () => proposeThirty(connectAgent))

  let taps = 0
  const tap = async (one: Locator) => {
    taps++
    await one.tap()
  }
  const page = await visit(browser.open, server.url, '#/waiting', PHONE)
  await timed('review', async () => {
    for (const [name, count] of [['Writer', 24] as const, ['Keeper', 6] as const]) {
      await goTo(page, '#/waiting')
      await tap(page.getByRole('link', { name }).first())
      await page.locator('.difflines tr').first().waitFor()
      await readAll(page)
      await tap(button(page, 'Approve all'))
      await sees(page, `${count} changes approved and applied.`)
    }
  })
  await page.context().close()

  expect(await timed('down', sync)).toMatchObject({ code: 0, stderr: '' })
  const texts = readTexts(folder)
  for (const path of ARTICLES) expect(texts.get(path.slice(1)), path).toContain('new 3\nand more\n')
  expect(texts.get(LOOKALIKE.slice(1))).toBe('Pay here.\n')
  expect(texts.get('notes/0.txt')).toBe(await readText(server.url, '/notes/0.txt'))
  expect(texts.has('docs/gone.md')).toBe(false)
  for (const [name, text] of Object.entries(OWN)) expect(texts.get(name), name).toBe(text)
  expect(await sync()).toMatchObject({ stdout: expect.stringContaining('nothing to do') })
  console.log(`2 commands, ${taps} taps: ${seconds.join(', ')}`)
  expect(taps).toBe(4)
})
