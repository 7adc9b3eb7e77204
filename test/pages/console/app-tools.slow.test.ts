/** The tools that an app itself offers, in the console. */

import { expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { use } from '../../support/pages/app-servers.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { goTo, sees } from '../../support/pages/console-actions.ts'
import { startResourceServer } from '../../support/pages/resource-server.ts'

const server = useServer()
const browser = useBrowser()

/** An app with a tool that reads and one that does not say so; each answers with its name. */
const HTML = `<!doctype html><meta charset="utf-8"><title>Painter</title><script>
  const inputSchema = { type: 'object', properties: { colour: { type: 'string', default: 'red' } } }
  const tools = [
    { name: 'look', title: 'Look', inputSchema, annotations: { readOnlyHint: true } },
    { name: 'paint', title: 'Paint', inputSchema },
  ]
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  addEventListener('message', ({ data: { id, method, params } }) => {
    if (id === 'start') post({ method: 'ui/notifications/initialized' })
    if (method === 'tools/list') post({ id, result: { tools } })
    if (method === 'tools/call') {
      const text = params.name + ' ' + JSON.stringify(params.arguments)
      post({ id, result: { content: [{ type: 'text', text }] } })
    }
  })
  const appCapabilities = { tools: {} }
  const params = { appInfo: { name: 'Painter', version: '1' }, appCapabilities }
  post({ id: 'start', method: 'ui/initialize', params })
</script>`

const painter = use(() => startResourceServer('painter', { 'ui://paint/app': { text: HTML } }))

it('lists them with a prefix, and confirms a call of one that does not say it only reads', async () => {
  const page = await browser.open(`${server.url}/#/connect`)
  await page.getByLabel('Address').fill(painter().url)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('region', { name: /painter/i }).waitFor()
  await goTo(page, '#/apps?uri=ui://paint/app')
  await sees(page, 'app.ui_paint_app.look')

  const look = page.getByRole('region', { name: 'Look', exact: true })
  const paint = page.getByRole('region', { name: 'Paint', exact: true })
  await look.getByRole('button', { name: 'Run' }).click()
  await sees(page, /^look \{/)

  const question = page.getByRole('alertdialog', { name: 'Run this tool of the app?' })
  await paint.getByLabel('Colour').fill('blue')
  await paint.getByRole('button', { name: 'Run' }).click()
  await question.getByRole('region', { name: 'colour' }).getByText('blue').waitFor()
  expect(await question.textContent()).not.toContain('LF')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await paint.getByRole('button', { name: 'Run' }).click()
  await question.waitFor()
  expect(await page.getByText(/^paint \{/).count()).toBe(0)
  await page.waitForTimeout(600)
  await question.getByRole('button', { name: 'Run the tool' }).click()
  await sees(page, /^paint \{/)
  await page.context().close()
})
