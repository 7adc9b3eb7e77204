/** All templates in all places, with the pointer, and in every look. `large-table.nightly.test.ts` has 100,000 rows. */

import { beforeAll, describe, expect, it } from 'vitest'
import { serveLarge, serveSamples, TASK } from '../../support/pages/app-samples.ts'
import { PLACES, takePicture, useStages } from '../../support/pages/app-stages.ts'
import { putFile, readText } from '../../support/pages/console-actions.ts'

const { server, open } = useStages()

beforeAll(async () => {
  await serveSamples(server)
  await serveLarge(server)
})

/** What each app shows of its files. */
const SHOWN = [
  ['results', '40 rows'],
  ['tasks', 'Plan the trip'],
  ['people', 'Member'],
  ['tree', 'wash.md'],
  ['changes', 'const a = 2'],
  ['run', '75 %'],
] as const

describe.each(PLACES)('in %s', (place) => {
  it.each(SHOWN)('%s shows %j, and its title', async (name, text) => {
    const stage = await open(place, name)
    await stage.app.getByText(text).first().waitFor()
    const title = await stage.app.getByRole('heading', { level: 1 }).innerText()
    expect(await (await stage.frame()).title()).toBe(title)
    await takePicture(stage, `${name}-${place.replaceAll(/\W/g, '-')}`)
    await stage.close()
  })

  it('a board moves a task with the pointer', async () => {
    await putFile(server.url, '/tasks/paint.md', TASK)
    const stage = await open(place, 'tasks')
    const { app } = stage
    const card = app.getByRole('article', { name: 'Paint the fence' })
    await card.dragTo(app.getByRole('region', { name: /^Done/ }))
    await stage.answer('Allow')
    await app.getByText('Moved to Done').waitFor()
    expect(await readText(server.url, '/tasks/paint.md')).toBe(TASK.replace('todo', 'done'))
    await stage.close()
  })
})

const LOOKS = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 400],
  ['dark', 400],
] as const

describe.each(LOOKS)('%s, %d pixels', (colorScheme, width) => {
  const CASES = PLACES.slice(0, 2).flatMap((place) =>
    (['results', 'tasks', 'customers'] as const).map((name) => [place, name] as const),
  )

  it.each(CASES)('in %s: %s is as wide as its frame', async (place, name) => {
    const viewport = { width, height: 900 }
    const stage = await open(place, name, { viewport, colorScheme })
    await stage.app
      .getByText(/Paint the|rows/)
      .first()
      .waitFor()
    await takePicture(stage, `${name}-${place.replaceAll(/\W/g, '-')}-${colorScheme}-${width}`)
    const wide = await (
      await stage.frame()
    ).evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(wide).toBeLessThanOrEqual(0)
    await stage.close()
  })
})

it('shows in forced colours how far work is', async () => {
  const stage = await open('the console', 'run', { forcedColors: 'active' })
  const bar = stage.app.getByRole('progressbar')
  const colours = await bar.evaluate((track) => {
    const [fill] = track.children
    const page = getComputedStyle(document.body).backgroundColor
    return { page, fill: fill && getComputedStyle(fill).backgroundColor }
  })
  expect(colours.fill).not.toBe(colours.page)
  expect(await bar.evaluate((track) => getComputedStyle(track).outlineStyle)).toBe('solid')
  await stage.close()
})
