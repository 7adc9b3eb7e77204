/** Accessibility of the templates, in light and dark, wide and narrow. @module */

import { describe, expect, it } from 'vitest'
import { openApp, type AppSetup } from '../../support/views/app-frame.ts'
import { refusal } from '../../support/views/review-frame.ts'

const SETUPS: Readonly<Record<string, AppSetup & { ready: string }>> = {
  'a table': {
    template: 'data-table',
    files: { 'a.csv': 'name,count\nbeta,2\nalpha,10\n', 'b.csv': 'x\n' },
    ready: 'alpha',
  },
  'a board': {
    template: 'kanban',
    files: { 'b.md': '## To Do\n- [ ] Paint !high #home @ann\n  twice\n- Cook !low\n## Done\n' },
    write: ['b.md'],
    ready: 'Paint',
  },
  'a form': {
    template: 'form',
    config: {
      description: 'What is it about?',
      cancelable: true,
      fields: [
        { name: 'title', required: true, placeholder: 'A title' },
        { name: 'text', type: 'textarea' },
        { name: 'level', type: 'select', options: ['low', 'high'] },
        { name: 'done', type: 'checkbox' },
      ],
    },
    write: ['a.csv'],
    files: {},
    ready: 'title',
  },
  'a tree': {
    template: 'tree-view',
    files: { 'src/a.ts': '1', 'src/b.ts': '', 'c.md': '' },
    ready: 'src',
  },
  'a diff': {
    template: 'diff-viewer',
    files: { 'a.ts': 'const a = "1" // b\n', 'b.ts': 'const a = 2\nnext\n' },
    ready: 'added',
  },
  'a progress': {
    template: 'progress',
    config: { cancelTool: 'stop' },
    files: { 'p.json': '{"progress":1,"total":4,"message":"Reading","steps":["a","b"]}' },
    ready: '25 %',
  },
  'wrong settings': { template: 'kanban', config: { x: 1 }, files: null, ready: '/config/x' },
}

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  it.each(Object.entries(SETUPS))('%s has no violations', async (_, { ready, ...setup }) => {
    for (const width of [1_000, 400]) {
      const app = await openApp({ ...setup, width, context: { theme } })
      await app.untilText(ready)
      expect(await app.faults()).toEqual([])
      expect(app.document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    }
  })

  it('an error has no violations', async () => {
    const app = await openApp({ template: 'data-table', files: null, context: { theme } })
    expect(await app.faults()).toEqual([])
    await app.host.sendToolResult(refusal('X', 'It went wrong'))
    await app.untilText('It went wrong')
    expect(await app.faults()).toEqual([])
  })

  it('a form with faults has no violations', async () => {
    const app = await openApp({ ...SETUPS['a form'], template: 'form', context: { theme } })
    await app.untilText('title')
    app.button('Submit').click()
    await app.untilText('title is required')
    expect(await app.faults()).toEqual([])
  })
})
