/** The sample data of new apps: each template shows its own, and changes it. @module */

import { starterFiles } from '#core/apps/starters.ts'
import { isString, recordOf } from '#core/json.ts'
import { expect, it } from 'vitest'
import { openApp, type AppFrame } from '../../support/views/app-frame.ts'
import { until } from '../../support/views/host-frame.ts'

/** Opens a new app as the server would, with its sample data. */
async function openStarter(template: string): Promise<AppFrame> {
  const made = starterFiles({ template, name: 'first-app' })
  if (!made.ok) throw new Error(JSON.stringify(made.error))
  const [manifest, ...sample] = made.value
  const { title, config, write } = recordOf(JSON.parse(manifest?.text ?? ''))
  return openApp({
    ...{ template, config, title: String(title) },
    write: Array.isArray(write) ? write.filter(isString) : [],
    files: Object.fromEntries(sample.map(({ path, text }) => [path, text])),
  })
}

it.each([
  ['form', ['First app', 'E-mail', 'Topic']],
  ['data-table', ['3 rows', 'Item', 'Staples']],
  ['progress', ['50 %', 'Write the report', 'Send it']],
  ['diff-viewer', ['Before', 'After', 'Read aloud']],
  ['tree-view', ['Plants', 'Ferns', 'Owl']],
  ['kanban', ['To do', 'Collect ideas', 'Send the address to everyone.', 'anna', 'Done']],
])('%s shows its sample', async (template, texts) => {
  const app = await openStarter(template)
  for (const text of texts) await app.untilText(text)
  expect(app.all('.problem')).toEqual([])
})

it('the form adds to its sample', async () => {
  const app = await openStarter('form')
  app.type('[name=name]', 'Ada')
  app.type('[name=message]', 'Hello, you')
  app.button('Submit').click()
  await until(() => app.files.get('/forms/first-app.csv')?.version === 2)
  expect(app.files.get('/forms/first-app.csv')?.text).toMatch(
    /^name,email,topic,message\nAda,,\w*,"Hello, you"\n$/,
  )
})

it('the board moves a card of its sample', async () => {
  const app = await openStarter('kanban')
  await app.untilText('Collect ideas')
  app
    .all('.card')
    .find(({ textContent }) => textContent.includes('Collect ideas'))
    ?.focus()
  app.press('ArrowRight', { altKey: true })
  await until(() => app.files.get('/tasks/first-app.md')?.version === 2)
  expect(app.files.get('/tasks/first-app.md')?.text).toMatch(
    /## In progress\n\n- \[ \] Write the first page @anna\n- \[ \] Collect ideas #team\n\n## Done/,
  )
})
