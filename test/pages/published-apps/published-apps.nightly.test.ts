/**
 * The app servers that ext-apps publishes on npm, in the console. There is no Internet, and `apps.ts` names what an app
 * lacks without it.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import { ROOT } from '../../support/e2e/run.ts'
import { judgeApps } from '../../support/pages/published-judge.ts'
import { APPS } from './apps.ts'

judgeApps(APPS)

it('has a row in docs/mcp-view.md for each app', ({ expect }) => {
  const [, text = ''] = readFileSync(join(ROOT, 'docs/mcp-view.md'), 'utf8').split(
    '## Apps of others',
  )
  const rows = text.match(/^\| `server-.*\|$/gm) ?? []
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()))
  expect(cells).toEqual(
    APPS.map(({ name, asks: asked, lacks = '' }) => {
      const request = asked ? `\`${asked.request}\`` : ''
      return ['', `\`server-${name}\``, request, lacks, '']
    }),
  )
})

it('has every server that is installed', ({ expect }) => {
  const text = readFileSync(join(ROOT, 'test/pages/published-apps/package.json'), 'utf8')
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(text)
  const names = APPS.map(({ name }) => `@modelcontextprotocol/server-${name}`)
  expect(Object.keys(dependencies)).toEqual(names)
  expect(names).toHaveLength(19)
})
