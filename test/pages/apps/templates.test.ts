/** Templates over real files with the real server: in our console, and in the host of others. */

import { beforeAll, describe, expect, it } from 'vitest'
import { NOTES, PEOPLE, serveSamples, TASK } from '../../support/pages/app-samples.ts'
import { takePicture, useStages } from '../../support/pages/app-stages.ts'
import {
  appears,
  goTo,
  inApp,
  putFile,
  readText,
  setConfig,
} from '../../support/pages/console-actions.ts'
import { callTool } from '../../support/pages/files-view.ts'

const { server, open } = useStages()

beforeAll(() => serveSamples(server))

const textOf = (path: string) => readText(server.url, path)

describe.each(['the console', 'AppBridge 2.0.4'] as const)('in %s', (place) => {
  it('a board moves a task with the keyboard, which history has, and follows others', async () => {
    await putFile(server.url, '/tasks/paint.md', TASK)
    const stage = await open(place, 'tasks')
    const { app } = stage
    const card = app.getByRole('article', { name: 'Paint the fence' })
    await card.press('Alt+ArrowRight')
    await stage.answer('Allow')
    await app.getByText('Moved to In Progress').waitFor()
    expect(await textOf('/tasks/paint.md')).toBe(TASK.replace('todo', 'in-progress'))
    await column(app, 'In Progress').getByText('Paint the fence').waitFor()
    const history = await callTool(server, 'file_history', { path: '/tasks/paint.md', limit: 1 })
    expect(JSON.stringify(history.structuredContent)).toMatch(/edit_file|Edit/)

    await putFile(server.url, '/tasks/paint.md', TASK.replace('fence', 'door'))
    await app.getByText('Paint the door').waitFor()
    await putFile(server.url, '/tasks/late.md', '---\nstatus: done\n---\n# Feed the cat\n')
    await column(app, 'Done').getByText('Feed the cat').waitFor()
    await callTool(server, 'delete_file', { path: '/tasks/late.md' })
    await stage.close()
  })

  it('a board takes a refused move back', async () => {
    await putFile(server.url, '/tasks/paint.md', TASK)
    const stage = await open(place, 'tasks')
    const { app } = stage
    const card = app.getByRole('article', { name: 'Paint the fence' })
    await card.waitFor()
    // Our console asks; the other host does not, so that the server has to refuse.
    if (place !== 'the console')
      await setConfig(server.url, { roots: [{ path: '/', immutable: ['tasks/**'] }] })
    await card.press('Alt+ArrowRight')
    await stage.answer('Deny')
    await app.getByText('was moved back').waitFor()
    await setConfig(server.url, {})
    await column(app, 'To Do').getByText('Paint the fence').waitFor()
    expect(await textOf('/tasks/paint.md')).toBe(TASK)
    await stage.close()
  })
})

it('a table shows a JSON file, and names itself by its title', async () => {
  const stage = await open('the console', 'results')
  const { app, page } = stage
  await app.getByText('40 rows').waitFor()
  await app.getByRole('button', { name: 'Work' }).click()
  await app
    .getByRole('columnheader', { name: 'Work' })
    .and(app.locator('[aria-sort=ascending]'))
    .waitFor()
  await app.getByRole('searchbox').fill('many changes')
  await app.getByText('1 of 40 rows').waitFor()
  expect(await (await stage.frame()).title()).toBe('Benchmarks')
  expect(await page.locator('iframe').first().getAttribute('title')).toBe('Benchmarks')
  await takePicture(stage, 'table')

  // An app that is opened from the list of applications, without a call, reads its data itself.
  await goTo(page, '#/apps')
  await page.getByRole('button', { name: /Tasks.*ui:/s }).click()
  await appears(inApp(page).getByText('Paint the'))
  await stage.close()
})

it('a form adds a row with the quotes and line ends of the file', async () => {
  await putFile(server.url, '/data/people.csv', PEOPLE)
  const stage = await open('the console', 'people')
  const { app } = stage
  await app.getByLabel('Name').fill('Grace "Amazing" Hopper')
  await app.getByLabel('Age').fill('85')
  await app.getByLabel('Member').check()
  await app.getByRole('button', { name: 'Submit' }).click()
  await stage.answer('Allow')
  await app.getByText('Added to').waitFor()
  const row = '"Grace ""Amazing"" Hopper";"85";"true"\r\n'
  expect(await textOf('/data/people.csv')).toBe(PEOPLE + row)
  await stage.close()
})

type App = Awaited<ReturnType<typeof open>>['app']

const column = (app: App, name: string) => app.getByRole('region', { name: new RegExp(`^${name}`) })

it('a form adds an item with the indentation of a JSON file', async () => {
  const stage = await open('AppBridge 2.0.4', 'notes')
  await stage.app.getByLabel('Text').fill('two')
  await stage.app.getByLabel('Count').fill('2')
  await stage.app.getByRole('button', { name: 'Submit' }).click()
  await stage.app.getByText('Added to').waitFor()
  const item = ',\n        {"text": "two", "count": 2}'
  expect(await textOf('/data/notes.json')).toBe(NOTES.replace('1}', `1}${item}`))
  await stage.close()
})
