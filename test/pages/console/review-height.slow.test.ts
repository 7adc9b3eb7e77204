/** The frame of a preview is as high as the page in it: no band of nothing, and nothing cut off. */

import { beforeAll, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { appears, inApp, putFile, toolLink, visit } from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()

const many = (count: number, line: string) =>
  Array.from({ length: count }, (_, index) => `${line} ${index}\n`).join('')

beforeAll(async () => {
  await putFile(server.url, '/docs/guide.md', '# Guide\n\nAnother line.\n')
  await putFile(server.url, '/docs/notes/todo.md', '- one\n')
  await putFile(server.url, '/docs/notes/long.md', many(20, 'line'))
  await putFile(server.url, '/docs/rows.txt', many(40, 'row'))
  await putFile(server.url, '/docs/raw.bin', 'a\0b')
  await putFile(server.url, '/few/guide.md', '# Guide\n\nAnother line.\n')
  await putFile(server.url, '/few/notes/todo.md', '- one\n')
  await putFile(server.url, '/few/raw.bin', 'a\0b')
})

const EDIT = { path: '/docs/guide.md', edits: [{ find: 'Another', replace: 'A third' }] }
const FAR = {
  path: '/docs/rows.txt',
  edits: [
    { find: 'row 12\n', replace: 'twelve\n' },
    { find: 'row 30\n', replace: 'thirty\n' },
  ],
}
const LONG = { path: '/a.txt', content: many(8, 'A sentence that is longer than a narrow frame: ') }

/** Pixels by which the frame may be higher than its content. */
const SPARE_PX = 32

it.each([
  ['delete_file', { path: '/few' }],
  ['delete_file', { path: '/docs/raw.bin' }],
  ['write_file', { path: '/a.txt', content: 'x\n' }],
  ['write_file', LONG],
  ['edit_file', EDIT],
  ['edit_file', FAR],
  ['move_file', { from: '/docs/guide.md', to: '/docs/notes/a/guide-with-a-long-name.md' }],
])('%s of %j', async (tool, args) => {
  for (const width of [1280, 400]) {
    const viewport = { width, height: 900 }
    const page = await visit(browser.open, server.url, toolLink(tool, args), { viewport })
    await page.getByRole('button', { name: 'Preview' }).click()
    const html = inApp(page).locator('html')
    await appears(inApp(page).locator('.path').first())
    // The host learns the height of the content after it was drawn.
    const spare = () =>
      html.evaluate(
        ({ ownerDocument }) =>
          innerHeight - Math.floor(ownerDocument.body.getBoundingClientRect().bottom),
      )
    const fits = async () => {
      const pixels = await spare()
      return pixels >= 0 && pixels <= SPARE_PX ? 'fits' : `${pixels} pixels to spare`
    }
    await expect.poll(fits, { message: `at ${width}` }).toBe('fits')
    await page.context().close()
  }
})
