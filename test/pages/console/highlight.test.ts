/** Highlighted lines of a result in the console, light and dark: different colours, each with enough contrast. */

import { beforeAll, expect, it } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import { useBrowser } from '../../support/pages/browser.ts'
import { faultsOf } from '../../support/pages/console-axe.ts'
import { putFile, toolLink, visit } from '../../support/pages/console-actions.ts'

const server = useServer()
const browser = useBrowser()

const CODE = `// A comment
export const answer: Number = 42 + "text".length
`

beforeAll(() => putFile(server.url, '/src/a.ts', CODE))

it.each(['light', 'dark'] as const)(
  'a file that was read with _meta.highlight has colours in %s',
  async (colorScheme) => {
    const page = await visit(
      browser.open,
      server.url,
      toolLink('read_file', { path: '/src/a.ts' }),
      {
        colorScheme,
        viewport: { width: 400, height: 900 },
      },
    )
    await page.getByText('Request options').click()
    await page.getByLabel('Other _meta members, as JSON').fill('{"highlight": true}')
    await page.getByRole('button', { name: 'Run' }).click()
    const code = page.getByRole('region', { name: 'Content' })
    await code.waitFor()
    expect(await code.locator('tr').allInnerTexts()).toHaveLength(2)
    const colourOf = (kind: string) =>
      code
        .locator(`.${kind}`)
        .first()
        .evaluate((span) => getComputedStyle(span).color)
    const colours = await Promise.all(['comment', 'keyword', 'number', 'string'].map(colourOf))
    expect(new Set(colours).size).toBe(4)
    expect(await faultsOf(page)).toEqual([])
    await page.context().close()
  },
)
