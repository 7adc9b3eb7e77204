/** The six templates in a frame of an official host: what they show, and what people do with them. @module */

import type { CallToolResult } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { openApp, openResult, structured, type AppSetup } from '../../support/views/app-frame.ts'
import { hostV1, until } from '../../support/views/host-frame.ts'
import { refusal } from '../../support/views/review-frame.ts'

/** Reads, sorts and filters a table in one piece. Returns milliseconds. */
function workAtOnce(csv: string): number {
  const from = performance.now()
  const rows = csv.split('\n').map((line) => line.split(','))
  rows.sort(([, a = ''], [, b = '']) => a.localeCompare(b))
  rows.filter((row) => row.some((cell) => cell.toLowerCase().includes('name 976')))
  return performance.now() - from
}

const ROWS = 'name,count\nbeta,2\nalpha,10\ngamma,\n'

const table = (setup: Partial<AppSetup> = {}) =>
  openApp({ template: 'data-table', files: { 'data/rows.csv': ROWS }, ...setup })

const cells = (app: Awaited<ReturnType<typeof openApp>>, column: number) =>
  app
    .all('.grid-body .grid-row')
    .toSorted((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
    .map((row) => row.children[column]?.textContent)

describe('any template', () => {
  it('shows the pointers of wrong settings', async () => {
    const app = await openApp({
      template: 'kanban',
      config: { draggable: 'no', columns: [{ title: 'x' }] },
      files: null,
    })
    await app.untilText('/config/draggable')
    expect(app.text()).toContain('/config/columns/0/id')
  })

  it('shows that it loads, then an error and a way to try again', async () => {
    const app = await table({ files: null })
    expect(app.query('[role=status]').ariaLabel).toBe('Loading')
    await app.host.sendToolResult(refusal('PATH_BLOCKED', 'The file is denied'))
    await app.untilText('The file is denied')
    expect(app.text()).not.toContain('PATH_BLOCKED')
    app.files.set('data/rows.csv', { text: ROWS, version: 1 })
    app.button('Try again').click()
    await app.untilText('3 rows')
  })

  it('keeps its data when a later result is an error', async () => {
    const app = await table()
    await app.untilText('3 rows')
    await app.host.sendToolResult(refusal('X', 'It went wrong'))
    await app.untilText('It went wrong')
    expect(app.text()).toContain('alpha')
  })

  it('shows markup as text', async () => {
    const html = '<img src=x onerror="parent.hit=1">'
    const app = await table({ title: html, files: { 'a.csv': `${html}\n"${html}"\n` } })
    await app.untilText('1 row')
    expect(app.all('img')).toEqual([])
    expect(app.document.title).toBe(html)
    expect(app.all('h1')[0]?.textContent).toBe(html)
  })

  it('tells the host its name and title, by which hosts name the frame', async () => {
    const app = await table({ title: 'Stock', files: null })
    expect(app.host.getAppVersion()).toMatchObject({ name: 'example', title: 'Stock' })
  })

  it('reads its data itself where the host shows it without a call', async () => {
    const app = await table({ files: null })
    app.files.set('data/rows.csv', { text: ROWS, version: 1 })
    await app.untilText('3 rows')
  })

  it('says that the call was cancelled', async () => {
    const app = await table({ files: null })
    await app.host.sendToolCancelled({ reason: 'Stopped by the user' })
    await app.untilText('Stopped by the user')
  })

  it('works with the first version of the official host', async () => {
    // Both versions have the same methods; the types of their SDKs differ.
    const app = await table({ connect: hostV1 })
    await app.untilText('3 rows')
  })

  it('follows a change of its file', async () => {
    const app = await table()
    await app.untilText('3 rows')
    app.files.set('data/rows.csv', { text: `${ROWS}delta,4\n`, version: 2 })
    await app.host.sendToolResult(openResult(app.files))
    await app.untilText('4 rows')
  })
})

it('finds a file that is created later, where there was none', async () => {
  const app = await table({ files: {}, data: ['/data/*.csv'] })
  await app.untilText('0 rows')
  app.files.set('data/rows.csv', { text: ROWS, version: 1 })
  await app.untilText('3 rows')
  const asked = app.calls.find(({ name }) => name === 'list_changes')
  expect(asked?.arguments).toMatchObject({ path: '/data' })
})

describe('the data table', () => {
  it('sorts by click: ascending, descending, and as in the file', async () => {
    const app = await table()
    await app.untilText('3 rows')
    const sort = () => app.all('.sort')[1]?.click()
    sort()
    await until(() => cells(app, 1)[0] === 'beta' && cells(app, 2)[1] === '10')
    sort()
    await until(() => cells(app, 1)[0] === 'alpha')
    // Empty cells come last in both directions.
    expect(cells(app, 1)).toEqual(['alpha', 'beta', 'gamma'])
    sort()
    await until(() => cells(app, 1)[0] === 'beta')
  })

  it('filters, selects, and exports what is selected', async () => {
    const app = await table()
    await app.untilText('3 rows')
    app.type('input[type=search]', 'ALPHA')
    await app.untilText('1 of 3 rows')
    app.query('[aria-label="Select row 1"]').click()
    await app.untilText('1 selected')
    app.button('Export').click()
    await until(() => app.downloads.length === 1)
    expect(JSON.stringify(app.downloads)).toContain('name,count\\r\\nalpha,10\\r\\n')
  })

  it('shows the export as text where there are no downloads', async () => {
    const app = await table({ capabilities: { serverTools: {} } })
    await app.untilText('3 rows')
    app.button('Export').click()
    await until(() => app.all('dialog textarea').length === 1)
    expect(app.query<HTMLTextAreaElement>('dialog textarea').value).toContain('alpha,10')
  })

  it('is operated with the keyboard', async () => {
    const app = await table()
    await app.untilText('3 rows')
    app.query('.grid [tabindex="0"]').focus()
    app.press('ArrowDown')
    await until(() => app.document.activeElement?.textContent === 'beta')
    app.press('End', { ctrlKey: true })
    await until(() => app.document.activeElement?.getAttribute('aria-colindex') === '3')
    app.press(' ')
    await app.untilText('1 selected')
    expect(app.all('.grid [tabindex="0"]')).toHaveLength(1)
  })

  it.each([
    ['a.json', '[{"name":"alpha","count":1}]'],
    ['a.json', '{"items":[{"name":"alpha","count":1}]}'],
    ['a.json', '{"name":"alpha","count":1}'],
    ['a.jsonl', '{"name":"alpha","count":1}\n\n'],
    ['a.tsv', 'name\tcount\nalpha\t1\n'],
  ])('reads %s %j', async (path, text) => {
    const app = await table({ files: { [path]: text } })
    await app.untilText('1 row')
    expect([cells(app, 1), cells(app, 2)]).toEqual([['alpha'], ['1']])
  })

  it('shows the columns of the settings, and the rows of another tool', async () => {
    const config = { columns: [{ key: 'b', label: 'Bee' }, { key: 'c.d' }] }
    const app = await table({ config, files: null })
    await app.host.sendToolResult(structured({ items: [{ a: 1, b: false, c: { d: [1] } }] }))
    await app.untilText('1 row')
    expect(app.text()).toContain('Bee')
    expect([cells(app, 1), cells(app, 2)]).toEqual([['false'], ['[1]']])
    expect(app.all('.sort')).toEqual([])
  })

  it('says which line is not JSON', async () => {
    const app = await table({ files: { 'a.jsonl': '{}\n{' } })
    await app.untilText('Cannot read line 2')
  })

  it.each([{ serverTools: {}, serverResources: {} }, { serverTools: {} }])(
    'shows 100,000 rows of a file that is not in the result, and stays responsive: %j',
    async (capabilities) => {
      const lines = Array.from({ length: 100_000 }, (_, row) => `${row},name ${row % 977}`)
      const csv = `id,name\n${lines.join('\n')}\n`
      const app = await table({
        files: { 'big.csv': csv },
        omitted: ['big.csv'],
        capabilities,
      })
      let longest = 0
      let last = performance.now()
      await app.untilText('100,000 rows')
      const watch = setInterval(() => {
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
      })
      last = performance.now()
      expect(app.all('.grid-body .grid-row').length).toBeLessThan(80)
      app.all('.sort')[0]?.click()
      await until(() => app.all('[aria-sort=ascending]').length === 1)
      app.all('.sort')[0]?.click()
      await until(() => cells(app, 1)[0] === '99999')
      app.type('input[type=search]', 'name 976')
      await app.untilText('102 of 100,000 rows')
      clearInterval(watch)
      // On a slow machine, everything takes longer: here, what a page would do that works in one piece.
      expect(longest).toBeLessThan(Math.max(300, workAtOnce(csv) / 2))
    },
  )
})

describe('a file that is not in the result', () => {
  const big = `a\n${'x'.repeat(1_200_000)}\n`
  const tools = { serverTools: {} }
  const omitted = ['big.csv']

  it('is read in few large parts', async () => {
    const app = await table({ files: { 'big.csv': big }, omitted, capabilities: tools })
    await app.untilText('1 row')
    const reads = app.calls.filter(({ name }) => name === 'part_of_example')
    expect(reads.map((each) => each.arguments?.['offset'])).toEqual([0, 500_000, 1_000_000])
    expect(app.calls.some(({ name }) => name === 'read_file')).toBe(false)
    expect(cells(app, 1)[0]).toHaveLength(301)
  })

  it('is not put together from parts of two versions', async () => {
    const app = await table({
      files: { 'big.csv': big },
      omitted,
      capabilities: tools,
      call: ({ arguments: args }) => {
        if (args?.['offset'] === 500_000) app.files.set('big.csv', { text: big, version: 2 })
        return null
      },
    })
    await app.untilText('big.csv changed while it was read')
    expect(app.all('.grid')).toEqual([])
  })

  it('is read by read_file if it is not data of the app', async () => {
    const app = await table({
      files: { 'big.csv': ROWS },
      omitted,
      capabilities: tools,
      call: ({ name }) =>
        name === 'part_of_example' ? refusal('FILE_NOT_FOUND', 'There is no big.csv') : null,
    })
    await app.untilText('3 rows')
    expect(app.calls.some(({ name }) => name === 'read_file')).toBe(true)
  })
})

describe('the form', () => {
  const fields = [
    { name: 'title', required: true },
    { name: 'count', type: 'number' },
    { name: 'done', type: 'checkbox' },
    { name: 'level', type: 'select', options: ['low', 'high'], default: 'low' },
  ]
  const form = (setup: Partial<AppSetup> = {}) =>
    openApp({ template: 'form', files: {}, config: { fields }, ...setup })

  it('sends typed values with the arguments of the settings', async () => {
    const config = { fields, submitTool: 'add_task', submitArgs: { list: 'x' } }
    const app = await form({ config, call: () => structured({}) })
    app.type('[name=title]', 'Write')
    app.type('[name=count]', '1.5')
    app.query('[name=done]').click()
    app.button('Submit').click()
    await app.untilText('Submitted')
    const expected = { list: 'x', title: 'Write', count: 1.5, done: true, level: 'low' }
    expect(app.calls.at(-1)).toMatchObject({ name: 'add_task', arguments: expected })
  })

  it('sends with Enter in a field of one line', async () => {
    const app = await form({
      config: { fields, submitTool: 'add_task' },
      call: () => structured({}),
    })
    app.type('[name=title]', 'Write')
    app.query('[name=title]').focus()
    app.press('Enter')
    await app.untilText('Submitted')
    expect(app.calls.at(-1)).toMatchObject({ name: 'add_task' })
  })

  it('checks before it sends, and names the first fault', async () => {
    const app = await form({ write: ['a.csv'] })
    app.type('[name=count]', 'many')
    app.button('Submit').click()
    await app.untilText('title is required')
    expect(app.text()).toContain('count is not a number')
    expect(app.document.activeElement?.getAttribute('name')).toBe('title')
    expect(app.calls.filter(({ name }) => name === 'edit_file')).toEqual([])
  })

  it('shows an error result as failure, and keeps what was entered', async () => {
    const config = { fields, submitTool: 'add_task' }
    const app = await form({ config, call: () => refusal('FULL', 'The list is full') })
    app.type('[name=title]', 'Write')
    app.button('Submit').click()
    await app.untilText('The list is full')
    expect(app.all('.notice.failed')).toHaveLength(1)
    expect(app.query<HTMLInputElement>('[name=title]').value).toBe('Write')
  })

  it.each([
    ['a.csv', 'title;count;done;level\r\n', 'title;count;done;level\r\nWrite;;false;low\r\n'],
    [
      'a.json',
      '[]',
      '[\n  {\n    "title": "Write",\n    "count": null,\n    "done": false,\n    "level": "low"\n  }\n]',
    ],
    [
      'a.jsonl',
      '{"title":"x"}\n',
      '{"title":"x"}\n{"title":"Write","count":null,"done":false,"level":"low"}\n',
    ],
  ])('appends to %s', async (path, before, after) => {
    const app = await form({ files: { [path]: before }, write: [path] })
    app.type('[name=title]', 'Write')
    app.button('Submit').click()
    await app.untilText(`Added to ${path}`)
    expect(app.files.get(path)?.text).toBe(after)
    expect(app.query<HTMLInputElement>('[name=title]').value).toBe('')
  })

  it('creates the file, and adds to it again after a change by others', async () => {
    const app = await form({ write: ['new.csv'], config: { fields: [{ name: 'a' }] } })
    const send = async (text: string, row: string) => {
      app.type('[name=a]', text)
      app.button('Submit').click()
      await until(() => app.files.get('new.csv')?.text.endsWith(row) === true)
    }
    await send('one', 'a\none\n')
    await app.untilText('Added to')
    app.files.set('new.csv', { text: 'a\none\ntwo\n', version: 7 })
    await send('three', 'two\nthree\n')
  })

  it('repeats a row once if the file changed in between', async () => {
    let conflicts = 0
    const app = await form({
      write: ['a.csv'],
      files: { 'a.csv': 'a\n' },
      config: { fields: [{ name: 'a' }] },
      call: ({ name }) =>
        name === 'edit_file' && conflicts++ === 0 ? refusal('VERSION_CONFLICT', 'Changed') : null,
    })
    app.type('[name=a]', 'x')
    app.button('Submit').click()
    await app.untilText('Added to a.csv')
    expect(app.files.get('a.csv')?.text).toBe('a\nx\n')
  })

  it('shows that a row waits for approval', async () => {
    const app = await form({
      write: ['a.csv'],
      files: { 'a.csv': 'title,count,done,level\n' },
      call: ({ name }) =>
        name === 'edit_file' ? structured({ path: 'a.csv', draft: 'Proposed; waits' }) : null,
    })
    app.type('[name=title]', 'x')
    app.button('Submit').click()
    await app.untilText('Waits for approval')
    expect(app.all('.notice.waiting')).toHaveLength(1)
  })

  it('cancels by clearing, without a message', async () => {
    const app = await form({ config: { fields, cancelable: true } })
    app.type('[name=title]', 'x')
    app.button('Cancel').click()
    await until(() => app.query<HTMLInputElement>('[name=title]').value === '')
    expect(app.calls).toEqual([])
  })
})

describe('the board', () => {
  const BOARD = '## To Do\n\n- [ ] Paint !high #home @ann\n- [ ] Cook\n\n## Done\n\n- [x] Wash\n'
  const board = (setup: Partial<AppSetup> = {}) =>
    openApp({ template: 'kanban', files: { 'b.md': BOARD }, write: ['b.md'], ...setup })
  type App = Awaited<ReturnType<typeof openApp>>
  const lane = (app: App, index: number) =>
    [...(app.all('.lane')[index]?.querySelectorAll('h3') ?? [])].map((each) => each.textContent)

  it('shows columns, cards and their facts', async () => {
    const app = await board()
    await app.untilText('Paint')
    expect([lane(app, 0), lane(app, 1)]).toEqual([['Paint', 'Cook'], ['Wash']])
    expect(app.all('.badge').map((each) => each.textContent)).toEqual(['high', 'home'])
  })

  it('moves a card with the menu, and keeps the rest of the file', async () => {
    const app = await board()
    await app.untilText('Paint')
    app.type('select.move', 'Done')
    expect(await untilLane(app, 1, ['Wash', 'Paint'])).toBe(true)
    await app.untilText('Moved to Done')
    expect(app.files.get('b.md')?.text).toBe(
      '## To Do\n\n- [ ] Cook\n\n## Done\n\n- [x] Wash\n- [ ] Paint !high #home @ann\n',
    )
    expect(app.calls.some(({ name }) => name === 'ui/message')).toBe(false)
  })

  async function untilLane(app: App, index: number, expected: string[]) {
    await until(() => lane(app, index).join() === expected.join())
    return true
  }

  it('moves the focus and cards with the keyboard', async () => {
    const app = await board()
    await app.untilText('Paint')
    app.query('.card[tabindex="0"]').focus()
    app.press('ArrowDown')
    await until(() => app.document.activeElement?.getAttribute('data-card') === 'Cook')
    app.press('ArrowRight', { altKey: true })
    await untilLane(app, 1, ['Wash', 'Cook'])
    await app.untilText('Moved to Done')
    await until(() => app.document.activeElement?.getAttribute('data-card') === 'Cook')
    expect(app.all('.card[tabindex="0"]')).toHaveLength(1)
  })

  it.each([
    ['an error', () => refusal('PATH_IMMUTABLE', 'The file is immutable'), 'The file is immutable'],
    [
      'a failed call',
      () => Promise.reject(new Error('The connection was lost')),
      'The connection was lost',
    ],
  ])('takes a move back after %s', async (_, answer, text) => {
    const app = await board({ call: ({ name }) => (name === 'edit_file' ? answer() : null) })
    await app.untilText('Paint')
    app.type('select.move', 'Done')
    await app.untilText(text)
    expect(await untilLane(app, 0, ['Paint', 'Cook'])).toBe(true)
    expect(app.all('.notice.failed')).toHaveLength(1)
    expect(app.files.get('b.md')?.text).toBe(BOARD)
  })

  it('shows the newest board after a conflict', async () => {
    const app = await board()
    await app.untilText('Paint')
    app.files.set('b.md', { text: BOARD.replace('Cook', 'Bake'), version: 2 })
    app.type('select.move', 'Done')
    await app.untilText('Paint was moved back')
    expect(await untilLane(app, 0, ['Paint', 'Bake'])).toBe(true)
  })

  it('shows that a move waits for approval', async () => {
    const app = await board({
      call: ({ name }) => (name === 'edit_file' ? structured({ draft: 'Proposed' }) : null),
    })
    await app.untilText('Paint')
    app.type('select.move', 'Done')
    await app.untilText('Waits for approval')
  })

  it('calls the tools of the settings', async () => {
    const config = {
      columns: [{ id: 'todo', title: 'To Do' }, { id: 'done' }],
      onMoveTool: 'move_card',
      onCardClickTool: 'open_card',
    }
    const app = await board({ config, files: null, call: () => structured({}) })
    await app.host.sendToolResult(
      structured({ cards: [{ id: '7', title: 'Paint', status: 'todo' }] }),
    )
    await app.untilText('Paint')
    app.query('.link').click()
    await until(() => app.calls.length === 1)
    expect(app.calls[0]).toMatchObject({ name: 'open_card', arguments: { cardId: '7' } })
    app.type('select.move', 'done')
    const expected = { cardId: '7', fromColumn: 'todo', toColumn: 'done' }
    await until(() => app.calls.some(({ name }) => name === 'move_card'))
    expect(app.calls[1]).toMatchObject({ name: 'move_card', arguments: expected })
  })

  it.each([
    [
      'b.json',
      '[ {"id":"a","title":"A","status" : "todo"},\n  {"id":"b","status":"done"} ]',
      '[ {"id":"a","title":"A","status" : "done"},\n  {"id":"b","status":"done"} ]',
    ],
    [
      'b.csv',
      'id;column;title\na;"To Do";A\nb;Done;B\n',
      'id;column;title\na;"Done";A\nb;Done;B\n',
    ],
  ])('moves a card in %s', async (path, before, after) => {
    const app = await board({ files: { [path]: before }, write: ['*'] })
    await app.untilText('A')
    app.type('select.move', 'done')
    await app.untilText('Moved to')
    expect(app.files.get(path)?.text).toBe(after)
  })

  const TASKS = {
    'tasks/a.md': '---\nstatus: todo\n---\n# Paint\n',
    'tasks/b.md': '---\nstatus: "done"\n---\n# Wash\n\n## Steps\n\n- [x] soap\n',
    'tasks/c.md': '# Cook\n',
  }

  it('shows one card for each file that is a task, and a move changes only its file', async () => {
    const app = await board({ files: TASKS, write: ['tasks/*.md'] })
    await app.untilText('Paint')
    expect([lane(app, 0), lane(app, 2)]).toEqual([['Paint', 'Cook'], ['Wash']])
    app.type('[data-card="tasks/c.md"] select', 'done')
    await app.untilText('Moved to Done')
    await untilLane(app, 2, ['Wash', 'Cook'])
    const texts = Object.fromEntries([...app.files].map(([path, { text }]) => [path, text]))
    expect(texts).toEqual({ ...TASKS, 'tasks/c.md': '---\nstatus: done\n---\n# Cook\n' })
  })

  it('moves no task whose file it may not write', async () => {
    const app = await board({ files: TASKS, write: ['tasks/a.md'] })
    await app.untilText('Paint')
    app.type('[data-card="tasks/b.md"] select', 'todo')
    await app.untilText('The app may not change tasks/b.md')
    expect(await untilLane(app, 2, ['Wash'])).toBe(true)
    expect(app.calls.some(({ name }) => name === 'edit_file')).toBe(false)
  })

  it('offers no move where it may not write, and where it is switched off', async () => {
    for (const setup of [{ write: [] }, { config: { draggable: false } }]) {
      const app = await board(setup)
      await app.untilText('Paint')
      expect(app.all('select.move')).toEqual([])
      expect(app.query('.card').draggable).toBe(false)
    }
  })

  it('shows cards of columns that the settings do not have', async () => {
    const config = { columns: [{ id: 'done', title: 'Done' }] }
    const app = await board({ config })
    await app.untilText('Paint')
    expect([lane(app, 0), lane(app, 1)]).toEqual([['Wash'], ['Paint', 'Cook']])
  })
})

describe('the tree', () => {
  const NODES = [
    {
      id: 'a',
      label: 'animals',
      children: [{ id: 'c', label: 'cats', children: [{ id: 't"<', label: 'tiger', meta: '2' }] }],
    },
    { id: 'p', label: 'plants' },
  ]
  const tree = (setup: Partial<AppSetup> = {}) =>
    openApp({ template: 'tree-view', files: { 'n.json': JSON.stringify(NODES) }, ...setup })
  type App = Awaited<ReturnType<typeof openApp>>
  const labels = (app: App) => app.all('.row .name').map((each) => each.textContent)

  it('is open to the level of the settings, and a click on a label opens and closes', async () => {
    const app = await tree()
    await app.untilText('4 nodes')
    expect(labels(app)).toEqual(['animals', 'cats', 'plants'])
    app.all('.name')[1]?.click()
    await app.untilText('tiger')
    app.all('.name')[0]?.click()
    await until(() => labels(app).join() === 'animals,plants')
  })

  it('filters at any depth', async () => {
    const app = await tree()
    await app.untilText('4 nodes')
    app.type('input[type=search]', 'tig')
    await app.untilText('3 of 4 nodes')
    expect(labels(app)).toEqual(['animals', 'cats', 'tiger'])
  })

  it('is operated with the keyboard, and passes ids unchanged', async () => {
    const config = { selectable: true, onSelectTool: 'pick', showIcons: false }
    const app = await tree({
      config,
      call: ({ name }) => (name === 'pick' ? structured({}) : null),
    })
    await app.untilText('4 nodes')
    app.query('.row[tabindex="0"]').focus()
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) {
      const before = app.text()
      const focused = app.document.activeElement
      app.press(key)
      await until(() => app.text() !== before || app.document.activeElement !== focused)
    }
    await until(() => app.document.activeElement?.getAttribute('title') === 'tiger')
    app.press('Enter')
    await until(() => app.calls.some(({ name }) => name === 'pick'))
    expect(app.calls.find(({ name }) => name === 'pick')?.arguments).toEqual({ nodeId: 't"<' })
    await until(() => app.all('[aria-selected=true]').length === 1)
    expect(app.all('.node-icon')).toEqual([])
  })

  it('arranges files by their paths', async () => {
    const app = await tree({ files: { 'src/a.ts': '1', 'src/lib/b.ts': '22', 'c.md': '' } })
    await app.untilText('3 nodes')
    expect(labels(app)).toEqual(['src', 'lib', 'a.ts', 'c.md'])
  })
})

describe('the diff viewer', () => {
  const diff = (setup: Partial<AppSetup> = {}) =>
    openApp({
      template: 'diff-viewer',
      files: {
        'a.ts': 'const a = 1\nlet b\n// c\n',
        'b.ts': 'first()\nconst a = 2\nlet b\n// c\n',
      },
      ...setup,
    })
  type App = Awaited<ReturnType<typeof openApp>>
  const lines = (app: App) =>
    app.all<HTMLTableRowElement>('tr').map((row) =>
      [...row.cells]
        .map(({ textContent }) => textContent)
        .join(' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )

  it('shows both sides, and numbers that go on', async () => {
    const app = await diff({ config: { leftTitle: 'Before', rightTitle: 'After' } })
    await until(() => app.all('tr').length > 0)
    expect(app.text()).toContain('Before')
    expect(app.text()).toContain('2 lines added, 1 line removed')
    expect(lines(app)).toContain('2 let b 3 let b')
  })

  it('shows insertions in one column', async () => {
    const app = await diff({ config: { viewMode: 'unified' } })
    await until(() => app.all('tr').length > 0)
    expect(lines(app).some((line) => line.includes('+') && line.includes('first()'))).toBe(true)
    expect(app.all('.difflines:not(.twosides)')).toHaveLength(1)
    app.button('Side by side').click()
    await until(() => app.all('.difflines.twosides').length === 1)
  })

  it('highlights tokens and marks, and every character stays', async () => {
    const app = await diff()
    await until(() => app.all('.c .keyword').length > 0)
    expect(app.all('.c mark').length).toBeGreaterThan(0)
    expect(app.all('td.c').map((cell) => cell.textContent)).toContain('const a = 2')
    const plain = await diff({ config: { syntaxHighlight: false, showLineNumbers: false } })
    await until(() => plain.all('tr').length > 0)
    expect(plain.all('.c .keyword')).toEqual([])
    expect(plain.all('.bare')).toHaveLength(1)
  })

  it.each([
    ['texts', { original: 'a\nb\n', modified: 'a\nc\n' }],
    ['sides', { left: 'a\nb\n', right: 'a\nc\n' }],
    [
      'parts',
      {
        changes: [{ value: 'a\n' }, { value: 'b\n', removed: true }, { value: 'c\n', added: true }],
      },
    ],
  ])('compares %s', async (_, data) => {
    const app = await diff({ files: null })
    await app.host.sendToolResult(structured(data))
    await app.untilText('1 line added, 1 line removed')
  })

  it('says what is missing', async () => {
    const app = await diff({ files: { 'a.json': '{}' } })
    await app.untilText('The data has no two texts')
  })
})

describe('progress', () => {
  const progress = (setup: Partial<AppSetup> = {}) =>
    openApp({ template: 'progress', files: null, ...setup })
  type App = Awaited<ReturnType<typeof openApp>>
  const now = (app: App) => app.query('[role=progressbar]').ariaValueNow

  const notify = (app: App, params: object) =>
    app.frame.contentWindow?.dispatchEvent(
      new (app.frame.contentWindow as Window & typeof globalThis).MessageEvent('message', {
        data: { jsonrpc: '2.0', method: 'notifications/progress', params },
        source: window,
      }),
    )

  it('is moved by notifications, and ends with the result', async () => {
    const app = await progress()
    notify(app, { progressToken: 1, progress: 3, total: 12, message: 'Reading' })
    await app.untilText('25 %')
    expect(app.text()).toContain('Reading')
    expect(app.text()).toContain('Running')
    await app.host.sendToolResult({ content: [{ type: 'text', text: 'All read' }] })
    await app.untilText('Done')
    expect([now(app), app.all('.steps li')]).toEqual(['100', []])
  })

  it('keeps the result that comes while the page looks whether there was a call at all', async () => {
    const answer = Promise.withResolvers<CallToolResult>()
    const app = await progress({ call: () => answer.promise })
    await until(() => app.calls.some(({ name }) => name === 'open_example'))
    await app.host.sendToolResult({ content: [{ type: 'text', text: 'All read' }] })
    await app.untilText('Done')
    answer.resolve(openResult(app.files))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(app.text()).toContain('Done')
  })

  it('follows a file', async () => {
    const steps = [
      { label: 'Read', status: 'done' },
      { label: 'Write', status: 'running' },
    ]
    const text = JSON.stringify({ progress: 1, total: 4, steps })
    const app = await progress({ files: { 'p.json': text } })
    await app.untilText('25 %')
    expect(app.all('[aria-current=step]').map((each) => each.innerText)).toEqual([
      '◐ Write running',
    ])
    app.files.set('p.json', { text: '{"percent":100,"status":"done"}', version: 2 })
    await app.host.sendToolResult(openResult(app.files))
    await app.untilText('Done')
  })

  it('shows failures', async () => {
    const app = await progress()
    await app.host.sendToolResult(refusal('X', 'The disk is full'))
    await app.untilText('The disk is full')
    expect(app.text()).toContain('Failed')
  })

  it('asks before it cancels, with the text of the settings', async () => {
    const text = 'Stop "it" now? </script>'
    const config = { cancelTool: 'stop', cancelConfirm: text }
    const app = await progress({ config, call: () => structured({}) })
    app.button('Cancel').click()
    await app.untilText(text)
    app.button('Keep running').click()
    await until(() => app.all('dialog').length === 0)
    expect(app.calls).toEqual([])
    app.button('Cancel').click()
    await until(() => app.all('dialog[open]').length === 1)
    app.button('Yes, cancel').click()
    await until(() => app.calls.some(({ name }) => name === 'stop'))
  })

  it('hides percentage and step where the settings say so', async () => {
    const config = { showPercentage: false, showCurrentStep: false }
    const app = await progress({
      config,
      files: { 'p.json': '{"percent":40,"message":"Reading"}' },
    })
    await until(() => now(app) === '40')
    expect(app.text()).not.toMatch(/40 %|Reading/)
  })
})
