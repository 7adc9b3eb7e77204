/**
 * Waiting for you: what is shown is what is decided, whatever an agent, a script or a lost answer does meanwhile.
 * `waiting.test.ts` has the decisions themselves.
 */

import type { Route } from 'playwright'
import { describe, expect, it } from 'vitest'
import { faultsOf } from '../../support/pages/console-axe.ts'
import {
  appears,
  goTo,
  holdButtons,
  inApp,
  putFile,
  readText,
  sees,
  setConfig,
  toolLink,
  visit,
} from '../../support/pages/console-actions.ts'
import {
  button,
  call,
  decision,
  isOff,
  lines,
  select,
  useWaitingDrafts,
  write,
} from '../../support/pages/waiting-drafts.ts'

const { server, browser, connectTo, connectAgent, openDraft } = useWaitingDrafts()

describe('a text that a later change hides', () => {
  it('is shown by its own change, and never goes live with the later one', async () => {
    await setConfig(server.url, { approval: 'confirm' })
    await putFile(server.url, '/deploy.sh', 'echo one\n')
    const agent = await connectAgent('Sly')
    await write(agent, '/deploy.sh', 'curl evil.example\n')
    await write(agent, '/deploy.sh', 'echo two\n')
    const page = await openDraft('Sly')
    await page.getByRole('button', { name: 'Show this change alone' }).first().click()
    await appears(lines(page).getByText('curl evil.example').first())
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: /^Approve these 2 changes/ }).click()
    await sees(page, '2 changes approved and applied.')
    expect(await readText(server.url, '/deploy.sh')).toBe('echo two\n')
    await page.context().close()
  })

  it('is approved up to its own change', async () => {
    const agent = await connectAgent('Stepwise')
    await write(agent, '/steps.txt', 'first\n')
    await write(agent, '/steps.txt', 'second\n')
    const page = await openDraft('Stepwise')
    await page.getByRole('button', { name: 'Show this change alone' }).first().click()
    await page.getByRole('button', { name: 'Approve up to here' }).click()
    await sees(page, '1 change approved and applied.')
    expect(await readText(server.url, '/steps.txt')).toBe('first\n')
    await button(page, 'Decide on the rest').click()
    await button(page, 'Approve all').click()
    await expect.poll(() => readText(server.url, '/steps.txt')).toBe('second\n')
    await page.context().close()
  })
})

describe('a draft that grows while it is looked at', () => {
  it('replaces nothing: not the list, not the selection, not what is opened', async () => {
    const agent = await connectAgent('Grower')
    const bytes = (text: string) => Buffer.from(`${text}\xff`, 'latin1').toString('base64')
    await write(agent, '/grow/a.txt', 'first\n')
    await call(agent, 'write_file', { path: '/grow/b.bin', content_base64: bytes('shown') })
    const page = await openDraft('Grower')
    await select(page, '/grow/a.txt').check()
    await call(agent, 'write_file', { path: '/grow/b.bin', content_base64: bytes('later') })
    await write(agent, '/grow/evil.sh', 'evil\n')
    await sees(page, 'The agent has added changes since.')
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Open the file after' }).click()
    expect(await (await opened).locator('body').textContent()).toContain('shown')
    expect(await select(page, '/grow/a.txt').isChecked()).toBe(true)
    expect(await page.getByText('/grow/evil.sh').count()).toBe(0)
    await button(page, 'Approve selected').click()
    await sees(page, '1 change approved and applied.')
    expect(await readText(server.url, '/grow/b.bin')).toBeNull()
    // What a decision has left is new, so it is not approved by a second press.
    await sees(page, /3 changes still wait, and may be new/)
    expect(await isOff(page, 'Approve all')).toBe(true)
    await button(page, 'Decide on the rest').click()
    await expect.poll(() => isOff(page, 'Approve all')).toBe(false)
    expect(await readText(server.url, '/grow/evil.sh')).toBeNull()
    await page.context().close()
  })

  it.each([1100, 400])(
    'has other places for all and for what is selected: %d px',
    async (width) => {
      const agent = await connectAgent(`Placed ${width}`)
      await write(agent, `/placed/${width}-a.txt`, 'a\n')
      await write(agent, `/placed/${width}-b.txt`, 'b\n')
      const page = await openDraft(`Placed ${width}`, { viewport: { width, height: 800 } })
      const all = await button(page, 'Approve all').boundingBox()
      await select(page, `/placed/${width}-a.txt`).check()
      const selected = await button(page, 'Approve selected').boundingBox()
      if (!all || !selected) throw new Error('The buttons have no place')
      const isApart = (a: number, b: number, size: number) => Math.abs(a - b) >= size
      const apart =
        isApart(all.x, selected.x, Math.max(all.width, selected.width)) ||
        isApart(all.y, selected.y, Math.max(all.height, selected.height))
      expect(apart, JSON.stringify({ all, selected })).toBe(true)
      await page.context().close()
    },
  )
})

describe('content that is no text', () => {
  it('can be opened, and takes a yes of its own', async () => {
    const agent = await connectAgent('Binary')
    const content_base64 = Buffer.from('#!/bin/sh\n# \u00ff\necho hi\n', 'latin1').toString(
      'base64',
    )
    await call(agent, 'write_file', { path: '/run.sh', content_base64 })
    const page = await openDraft('Binary')
    await sees(page, 'not shown in full')
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Open the file after' }).click()
    expect(await (await opened).locator('body').textContent()).toContain('echo hi')
    await button(page, 'Approve all').click()
    await sees(page, 'Approve 1 file without seeing the content?')
    expect(await faultsOf(page)).toEqual([])
    expect(await readText(server.url, '/run.sh')).toBeNull()
    // The question belongs to its page, and is gone with it.
    await page.goBack()
    await page.getByRole('heading', { name: 'Waiting for you', level: 1 }).waitFor()
    await page.goForward()
    await button(page, 'Approve all').waitFor()
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    await button(page, 'Approve all').click()
    await page.getByRole('button', { name: 'Approve without seeing' }).click()
    await sees(page, '1 change approved and applied.')
    expect(await readText(server.url, '/run.sh')).toContain('echo hi')
    await page.context().close()
  })
})

describe('a difference that is too long to be shown', () => {
  it('is marked, can be opened, and takes a yes of its own', async () => {
    const agent = await connectAgent('Long lines')
    await write(agent, '/long.txt', `${'\n'.repeat(100_000)}the end\n`)
    const page = await openDraft('Long lines')
    await sees(page, 'not shown in full')
    await sees(page, 'too long')
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Open the file after' }).click()
    expect(await (await opened).locator('body').textContent()).toContain('the end')
    await button(page, 'Approve all').click()
    await sees(page, 'Approve 1 file without seeing the content?')
    await page.getByRole('button', { name: 'Approve without seeing' }).click()
    await sees(page, '1 change approved and applied.')
    await page.context().close()
  })
})

describe('what no longer fits', () => {
  it('is shown with its reason and code, and cannot be selected', async () => {
    await putFile(server.url, '/a.txt', 'one\n')
    const agent = await connectAgent('Editor')
    await call(agent, 'edit_file', { path: '/a.txt', edits: [{ find: 'one', replace: 'ONE' }] })
    await write(agent, '/b.txt', 'b\n')
    await putFile(server.url, '/a.txt', 'other\n')
    const page = await visit(browser.open, server.url, '#/waiting')
    await page.getByRole('list', { name: 'Drafts' }).getByRole('link').click()
    await sees(page, 'It no longer fits and cannot be approved.')
    await sees(page, '(FIND_NOT_FOUND)')
    expect(await page.getByRole('button', { name: /^Approve this change/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Show this change alone' }).click()
    await appears(lines(page).getByText('ONE').first())
    await button(page, 'Approve the other 1').click()
    await sees(page, '1 change approved and applied.')
    expect(await readText(server.url, '/b.txt')).toBe('b\n')
    expect(await readText(server.url, '/a.txt')).toBe('other\n')
    await page.context().close()
  })

  it('is not approved when it changes while it is shown', async () => {
    await putFile(server.url, '/race.txt', 'one\n')
    const agent = await connectAgent('Racer')
    await write(agent, '/race.txt', 'agent\n')
    const page = await openDraft('Racer')
    // Just before the decision arrives, because the page looks for changes by itself, too.
    const change = async (route: Route) => {
      await putFile(server.url, '/race.txt', 'person\n')
      await route.continue()
    }
    await page.route(/\/approve$/, change, { times: 1 })
    await button(page, 'Approve all').click()
    const note = page.getByRole('alert').filter({ hasText: 'Nothing was decided.' })
    await note.waitFor()
    expect(await note.textContent()).toContain('no longer what was shown')
    expect(await readText(server.url, '/race.txt')).toBe('person\n')
    expect(await isOff(page, 'Approve all')).toBe(true)
    await decision(page).getByRole('button', { name: 'Show the current state' }).click()
    await button(page, 'Approve all').click()
    await sees(page, '1 change approved and applied.')
    expect(await readText(server.url, '/race.txt')).toBe('agent\n')
    await page.context().close()
  })

  it('is not reported as undecided when only the answer is lost', async () => {
    const agent = await connectAgent('Loser')
    await write(agent, '/lost.txt', 'agent\n')
    const page = await openDraft('Loser', { mayComplain: /./ })
    await page.evaluate(() => {
      const send = window.fetch
      window.fetch = async (...given) => {
        const response = await send(...given)
        if (response.url.endsWith('/approve')) throw new TypeError('The answer was lost')
        return response
      }
    })
    await expect.poll(() => isOff(page, 'Approve all')).toBe(false)
    await button(page, 'Approve all').click()
    const note = page.getByRole('alert').filter({ hasText: 'It is unknown whether' })
    await note.waitFor()
    expect(await note.textContent()).not.toContain('Nothing was decided')
    await sees(page, /or it has expired/)
    expect(await readText(server.url, '/lost.txt')).toBe('agent\n')
    await page.context().close()
  })

  it('leaves in the draft what the agent adds while it is shown', async () => {
    const agent = await connectAgent('Adder')
    await write(agent, '/seen.txt', 'seen\n')
    const page = await openDraft('Adder')
    await write(agent, '/unseen.txt', 'unseen\n')
    await sees(page, 'The agent has added changes since.')
    expect(await page.getByText('/unseen.txt').count()).toBe(0)
    await button(page, 'Approve all').click()
    await sees(page, '1 change approved and applied.')
    expect(await readText(server.url, '/seen.txt')).toBe('seen\n')
    expect(await readText(server.url, '/unseen.txt')).toBeNull()
    await select(page, '/unseen.txt').waitFor()
    await page.context().close()
  })
})

describe('what a script cannot do', () => {
  it('approves nothing by clicks that it makes, nor in the first half second', async () => {
    const agent = await connectAgent('Script')
    await write(agent, '/script.txt', 'x\n')
    const page = await visit(browser.open, server.url, '#/waiting')
    const release = await holdButtons(page)
    await page.getByRole('list', { name: 'Drafts' }).getByRole('link').first().click()
    await button(page, 'Approve all').waitFor()
    expect(await isOff(page, 'Approve all')).toBe(true)
    await button(page, 'Approve all').click({ force: true })
    await release()
    await expect.poll(() => isOff(page, 'Approve all')).toBe(false)
    await page.evaluate(() => {
      const approve = document.querySelector<HTMLElement>('[data-approve]')
      approve?.click()
      approve?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
      approve?.focus()
      approve?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    })
    await page.waitForTimeout(300)
    expect(await readText(server.url, '/script.txt')).toBeNull()
    expect(await page.getByText('approved and applied').count()).toBe(0)
    await page.context().close()
  })

  it('shows what an agent wrote as text, and hidden characters by name', async () => {
    const agent = await connectAgent('Evil <img src=x onerror=alert(1)>')
    const path = '/<img src=x onerror=alert(1)>\u202Etxt.md'
    await write(agent, path, '<script>alert(1)</script>\n')
    const page = await visit(browser.open, server.url, '#/waiting')
    page.on('dialog', () => expect.fail('It ran'))
    await page.getByRole('list', { name: 'Drafts' }).getByRole('link').click()
    await button(page, 'Approve all').waitFor()
    const main = page.locator('main')
    expect(await main.innerText()).not.toMatch(/\u202E/)
    expect(await main.locator('.hidden-char').count()).toBeGreaterThanOrEqual(1)
    await page.getByText('1 call of the agent, in its order').click()
    await sees(page, /Write to .*RLOtxt\.md/)
    expect(await main.locator('img').count()).toBe(0)
    await sees(page, /Write to .*<img src=x onerror=alert\(1\)>/)
    await page.context().close()
  })
})

it('keeps a long label within the window, at the overview and in the activity', async () => {
  const label = 'x'.repeat(200)
  await write(await connectAgent(label), '/long-label.txt', 'agent\n')
  const page = await openDraft(label)
  await expect.poll(() => isOff(page, 'Approve all')).toBe(false)
  await button(page, 'Approve all').click()
  await sees(page, '1 change approved and applied.')
  for (const width of [400, 1200])
    for (const hash of ['#/', '#/activity', '#/activity?outcome=all']) {
      await page.setViewportSize({ width, height: 800 })
      await goTo(page, hash)
      const shown = page.getByRole('main').getByText(label)
      await shown.first().waitFor()
      const right = (all: Element[]) =>
        Math.max(
          ...all.flatMap((one) => {
            const range = document.createRange()
            range.selectNodeContents(one)
            return Array.from(range.getClientRects(), (rect) => rect.right)
          }),
        )
      expect(await shown.evaluateAll(right)).toBeLessThanOrEqual(width)
    }
  await page.context().close()
})

it('shows the times of the filter of the activity in full', async () => {
  const page = await visit(browser.open, server.url, '#/activity')
  for (const width of [400, 1200]) {
    await page.setViewportSize({ width, height: 800 })
    const filter = page.getByRole('search', { name: 'Filter activity' })
    const input = filter.getByLabel('From', { exact: true })
    const missing = await input.evaluate((shown) => {
      if (!(shown instanceof HTMLElement)) throw new Error('It is an input')
      const { offsetWidth } = shown
      shown.style.cssText = 'width: max-content; min-width: 0; max-width: none; flex: none'
      const needed = shown.offsetWidth
      shown.style.cssText = ''
      return needed - offsetWidth
    })
    expect(missing).toBeLessThanOrEqual(0)
  }
  await page.context().close()
})

it('warns at the overview, and in the result of a tool of the console that builds on a change of an agent', async () => {
  // Its changes join the draft of the console, because it calls itself what the console does.
  const agent = await connectTo(`${server.url}/mcp`, 'edgewise-console')
  await write(agent, '/own.txt', 'of an agent\n')
  const page = await visit(
    browser.open,
    server.url,
    toolLink('write_file', { path: '/own.txt', content: 'x\n' }),
  )
  await button(page, 'Preview').click()
  await button(page, 'Apply').click()
  await sees(page, 'Waits for your approval')
  await goTo(page, '#/')
  await sees(page, '2 changes wait for you.')
  await page.getByRole('link', { name: 'Review and decide' }).click()
  await page.getByRole('heading', { name: 'You or a local agent', level: 1 }).waitFor()
  expect(await readText(server.url, '/own.txt')).toBeNull()
  await page.context().close()
})

it('shows what waits in the shared draft neither as done nor as a file of the workspace', async () => {
  await putFile(server.url, '/mine.txt', 'mine\n')
  // What the console reads includes the draft of those that call themselves as it does.
  const agent = await connectTo(`${server.url}/mcp`, 'edgewise-console')
  await write(agent, '/not-yet.txt', 'x\n')

  const page = await visit(browser.open, server.url, '#/activity')
  await page.getByRole('link', { name: 'Upload /mine.txt' }).waitFor()
  expect(await page.getByRole('main').getByText('/not-yet.txt').count()).toBe(0)
  await goTo(page, '#/')
  await page.getByRole('button', { name: 'Undo: Upload /mine.txt' }).waitFor()
  expect(await page.getByRole('main').getByText('/not-yet.txt').count()).toBe(0)

  const note = page.getByText('1 change is shown that you have not approved.')
  await goTo(page, '#/files/browser')
  await appears(inApp(page).getByText('not-yet.txt'))
  await note.waitFor()
  await inApp(page).getByText('not-yet.txt').click()
  await inApp(page).getByText('History', { exact: true }).click()
  await appears(inApp(page).getByText(/^Waits for approval/))
  await goTo(page, '#/activity')
  await page.getByLabel('Name of a new checkpoint').fill('Now')
  await button(page, 'Create').click()
  await page.getByRole('link', { name: /^Compare/ }).click()
  await note.waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Review and decide' }).click()
  await button(page, 'Approve all').click()
  await sees(page, 'Nothing waits')
  await goTo(page, '#/files/browser')
  await appears(inApp(page).getByText('not-yet.txt'))
  await expect.poll(() => note.count()).toBe(0)
  await goTo(page, '#/activity')
  await page.getByRole('button', { name: 'Undo: Write to /not-yet.txt' }).waitFor()
  await page.context().close()
})

it('asks the person once about their own change in the file browser, and leaves nothing that waits', async () => {
  for (const name of ['one', 'two', 'three']) await putFile(server.url, `/own-${name}.txt`, 'x\n')
  const page = await visit(browser.open, server.url, '#/files/browser?path=/own-one.txt')
  const remove = async (name: string, answer: string) => {
    await goTo(page, `#/files/browser?path=/own-${name}.txt`)
    await inApp(page).getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText(`Delete /own-${name}.txt`).first().waitFor()
    expect(await inApp(page).getByRole('dialog').count()).toBe(0)
    await question.getByRole('button', { name: answer, exact: true }).click()
    await expect.poll(() => question.count()).toBe(0)
  }
  const waiting = async () => (await fetch(`${server.url}/drafts`)).json()

  await remove('one', 'Deny')
  expect(await readText(server.url, '/own-one.txt')).toBe('x\n')
  expect(await waiting()).toMatchObject({ waiting: 0 })

  await remove('two', 'Apply this preview')
  await sees(page, 'The workspace was changed')
  expect(await readText(server.url, '/own-two.txt')).toBeNull()
  expect(await waiting()).toMatchObject({ waiting: 0 })

  await setConfig(server.url, { approval: 'confirm' })
  await remove('three', 'Apply this preview')
  await expect.poll(() => readText(server.url, '/own-three.txt')).toBeNull()
  expect(await waiting()).toMatchObject({ waiting: 0 })
  await page.context().close()
})

it('lists applied changes of which the person is notified, until they were seen', async () => {
  await setConfig(server.url, { approval: 'notify' })
  const agent = await connectAgent('Notifier')
  await write(agent, '/notified.txt', 'x\n')
  expect(await readText(server.url, '/notified.txt')).toBe('x\n')
  const page = await visit(browser.open, server.url, '#/waiting')
  const region = page.getByRole('region', { name: 'Applied since you last looked' })
  await region.getByText('/notified.txt').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await region.getByRole('button', { name: 'Mark as seen' }).click()
  await expect.poll(() => region.count()).toBe(0)
  await page.context().close()
})

it('asks before changes of a folder by one click at the rules', async () => {
  await setConfig(server.url, {})
  await putFile(server.url, '/contracts/a.md', 'a\n')
  await putFile(server.url, '/free/a.md', 'a\n')
  const page = await visit(browser.open, server.url, '#/rules')
  await page
    .getByRole('button', { name: /^Ask me first ?, before anything in \/contracts changes$/ })
    .click()
  const question = page.getByRole('alertdialog', { name: 'Save these rules?' })
  expect(await question.textContent()).toContain('roots /contracts: not set → approval review')
  await question.getByRole('button', { name: 'Save' }).click()
  await sees(page, /The rules were saved/)
  await sees(page, 'Changes in /contracts wait for you.')
  const agent = await connectAgent('Lawyer')
  await write(agent, '/contracts/a.md', 'b\n')
  await write(agent, '/free/a.md', 'b\n')
  expect(await readText(server.url, '/contracts/a.md')).toBe('a\n')
  expect(await readText(server.url, '/free/a.md')).toBe('b\n')
  await page.context().close()
})

it('shows a draft of ten thousand files within a second, page by page', async () => {
  await importFiles('big', 10_000)
  const agent = await connectAgent('Big')
  await call(agent, 'move_file', { from: '/big', to: '/large' })
  const page = await visit(browser.open, server.url, '#/waiting')
  await page.getByRole('list', { name: 'Drafts' }).waitFor()
  const show = async () => {
    const response = page.waitForResponse(/\/drafts\/[^/]+$/)
    await page.getByRole('list', { name: 'Drafts' }).getByRole('link').click()
    await response
    const arrived = performance.now()
    await sees(page, '10,000 files')
    return performance.now() - arrived
  }
  let took = await show()
  // Other programs now and then stop the browser for as long.
  for (let tries = 1; tries < 3 && took >= 1_000; tries++) {
    await goTo(page, '#/waiting')
    took = await show()
  }
  // A slow machine takes longer for everything: here, for drawing all rows at once, which the page does not do.
  const naive = await page.evaluate(drawAll, 10_000)
  expect(took).toBeLessThan(Math.max(1_000, 5 * naive))
  const rows = page.locator('.draftfiles > li')
  expect(await rows.count()).toBe(100)
  for (let turn = 0; turn < 5; turn++) await button(page, 'Next files').click()
  await sees(page, '501 to 600 of 10,000 files')
  // Scrolling draws nearly as many frames as on a page of as many plain lines.
  const plain = await browser.open('about:blank')
  await plain.setContent('<p>A line</p>'.repeat(10_000))
  const plainMs = await plain.evaluate(medianFrame)
  expect(await page.evaluate(medianFrame)).toBeLessThan(3 * plainMs)
  await plain.context().close()
  await rows
    .first()
    .getByRole('checkbox', { name: /^Select/ })
    .click()
  await sees(page, /files or more selected/)
  await button(page, 'Turn down selected…').click()
  await button(page, 'Turn down').click()
  await sees(page, '1 change turned down.')
  await page.context().close()
})

/** Scrolls down, and returns the median time between two frames in milliseconds. */
function medianFrame(): Promise<number> {
  return new Promise((resolve) => {
    const times: number[] = []
    const draw = (at: number) => {
      times.push(at)
      scrollBy(0, 60)
      if (times.length < 120) return void requestAnimationFrame(draw)
      const between = times.slice(1).map((time, index) => time - (times[index] ?? 0))
      resolve(between.toSorted((one, other) => one - other)[60] ?? 0)
    }
    requestAnimationFrame(draw)
  })
}

/** Draws a list in one piece. Returns milliseconds. */
function drawAll(count: number): number {
  const from = performance.now()
  const list = document.createElement('ul')
  for (let row = 0; row < count; row++) {
    const item = document.createElement('li')
    item.innerHTML = `<label><input type="checkbox"> big/${row}.txt</label> <button>Show</button>`
    list.append(item)
  }
  document.body.append(list)
  list.getBoundingClientRect()
  const took = performance.now() - from
  list.remove()
  return took
}

/** Imports files in one archive. */
async function importFiles(folder: string, count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `${folder}/${index}.txt`)
  const body = Buffer.concat([...names.map(tarEntry), Buffer.alloc(1024)])
  const headers = { 'x-edgewise-console': '1' }
  const answer = await fetch(`${server.url}/import?to=/`, { method: 'POST', headers, body })
  expect(answer.ok, await answer.text()).toBe(true)
}

/** An entry of a tar archive with one byte. */
function tarEntry(name: string): Buffer {
  const entry = Buffer.alloc(1024)
  const octal = (value: number, length: number) => value.toString(8).padStart(length, '0')
  entry.write(name, 0)
  entry.write(`${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100)
  entry.write(`${octal(1, 11)}\0${octal(0, 11)}\0${' '.repeat(8)}0`, 124)
  entry.write('ustar\x0000', 257)
  const sum = entry.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  entry.write(`${octal(sum, 6)}\0 `, 148)
  entry.write('x', 512)
  return entry
}

it('is accessible, in light and in dark', async () => {
  await putFile(server.url, '/looks/a.txt', 'one\n')
  const agent = await connectAgent('Looks')
  const edits = [{ find: 'one', replace: 'ONE' }]
  await call(agent, 'edit_file', { path: '/looks/a.txt', edits })
  await write(agent, '/looks/b.txt', 'b\n')
  const page = await openDraft('Looks')
  const expectNoFaults = async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await faultsOf(page), colorScheme).toEqual([])
    }
  }
  await select(page, '/looks/b.txt').check()
  await appears(lines(page).getByText('ONE').first())
  await expect.poll(() => isOff(page, 'Approve selected')).toBe(false)
  await expectNoFaults()
  await button(page, 'Turn down selected…').click()
  await page.getByRole('alertdialog').waitFor()
  await expect.poll(() => button(page, 'Turn down').isEnabled()).toBe(true)
  await expectNoFaults()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 400, height: 800 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(400)
  await page.context().close()
})
