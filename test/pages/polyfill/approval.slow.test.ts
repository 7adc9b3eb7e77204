/**
 * The approval layer over Chromium's own WebMCP, and over the polyfill: what tools may declare, and that no one
 * gets to a tool that needs a person without one.
 */

import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { useBrowser } from '../../support/pages/browser.ts'
import { ways } from '../../support/pages/chromium.ts'
import { NATIVES } from '../../support/pages/natives.ts'
import { answer, noticeIn, question, questionNow } from '../../support/pages/approval-dialog.ts'
import { pageWith, useApprovalSite } from '../../support/pages/polyfill-approval-site.ts'

const FRAME = '<iframe id="frame" src="/frame" width="800" height="600"></iframe>'
const FROZEN = `<script>
const kept = new Map()
const frozen = {
  async registerTool(tool) { kept.set(tool.name, { execute: tool.execute }) },
  async getTools() { return [...kept.keys()].map((name) => ({ name, description: '', window, origin: location.origin })) },
  async executeTool({ name }, input) { return JSON.stringify(await kept.get(name).execute(input, {})) },
}
Object.defineProperty(document, 'modelContext', { configurable: true, value: Object.freeze(frozen) })
</script>`

const site = useApprovalSite({
  '/framing': pageWith(FRAME),
  '/frozen': pageWith('').replace('<script src', `${FROZEN}<script src`),
  '/strict': pageWith('', 'data-policy="review"'),
  '/confirms': pageWith('', 'data-policy="confirm"'),
  '/typo': pageWith('', 'data-policy="strictest"'),
  '/bare': '<!doctype html><title>Bare</title>',
})

/** The members of a tool whose approval can be remembered. */
const REVIEW = `annotations: { humanInTheLoopHint: 'review' }`

const run = (page: Page, script: string): Promise<unknown> =>
  page.evaluate(`(async () => { ${script} })()`)

describe.each(ways(NATIVES))('$way', ({ args, init, isOlder = false }) => {
  const browser = useBrowser(args)
  const open = async (path = '/') => browser.open(`${site.origin}${path}`, { init: await init?.() })

  it('lists the two members where the author gave them, and nothing where not', async () => {
    const page = await open()
    await run(
      page,
      `await tool({ name: 'b', annotations: { untrustedContentHint: true, humanInTheLoopHint: 'review', intentTemplate: 'Do {x}' } })
       await tool({ name: 'a', annotations: { readOnlyHint: true } })
       await tool({ name: 'c' })`,
    )
    const listed = await run(
      page,
      `return (await document.modelContext.getTools()).map((tool) => [tool.name, Object.entries(tool.annotations ?? { none: 1 })])`,
    )
    const off = (key: string) => [key, false]
    expect(listed).toEqual([
      [
        'a',
        [
          off('consequentialHint'),
          off('debugging'),
          ['readOnlyHint', true],
          off('untrustedContentHint'),
        ],
      ],
      [
        'b',
        [
          off('consequentialHint'),
          off('debugging'),
          ['humanInTheLoopHint', 'review'],
          ['intentTemplate', 'Do {x}'],
          off('readOnlyHint'),
          ['untrustedContentHint', true],
        ],
      ],
      ['c', [['none', 1]]],
    ])
    await page.context().close()
  })

  it('passes refusals of arguments on at once, before any other microtask', async () => {
    const page = await open()
    const order = await run(
      page,
      `await tool({ name: 'a' })
       const context = document.modelContext
       const [found] = await context.getTools()
       const circular = {}
       circular.circular = circular
       const calls = [
         () => context.executeTool(found, {}, { signal: AbortSignal.abort('mine') }),
         () => context.executeTool(found, circular),
         () => context.executeTool({ ...found, origin: 'nope' }, {}),
         () => context.executeTool(found, 'text'),
         () => context.getTools({ fromOrigins: 5 }),
       ]
       const orders = []
       for (const call of calls) {
         const log = []
         const refused = call().catch((error) => log.push(error.name ?? error))
         queueMicrotask(() => log.push('microtask'))
         await refused
         await 0
         orders.push(log)
       }
       return orders`,
    )
    const then = (name: string) => [name, 'microtask']
    expect(order).toEqual([
      then('mine'),
      then('TypeError'),
      // A copy of a Tool is empty.
      then(isOlder ? 'NotSupportedError' : 'TypeError'),
      then('TypeError'),
      then('TypeError'),
    ])
    await page.context().close()
  })

  it('keeps the hints of a tool when a script dispatches abort at its signal', async () => {
    const page = await open()
    const hints = await run(
      page,
      `const over = new AbortController()
       await tool({ name: 'a', annotations: { humanInTheLoopHint: 'review' } }, { signal: over.signal })
       over.signal.dispatchEvent(new Event('abort'))
       return (await document.modelContext.getTools()).map(({ annotations }) => annotations.humanInTheLoopHint)`,
    )
    expect(hints).toEqual(['review'])
    await page.context().close()
  })

  it('reads members once, in the order of Web IDL', async () => {
    const page = await open()
    const log = await run(
      page,
      `const log = []
       const spy = (object, path) => new Proxy(object, { get(target, key) { log.push(path + String(key)); return target[key] } })
       await document.modelContext.registerTool(
         spy({ name: 'a', description: 'd', execute() {}, annotations: spy({}, 'annotations.') }, ''),
         spy({}, 'options.'),
       )
       return log`,
    )
    expect(log).toEqual([
      'annotations',
      'annotations.consequentialHint',
      'annotations.debugging',
      'annotations.humanInTheLoopHint',
      'annotations.intentTemplate',
      'annotations.readOnlyHint',
      'annotations.untrustedContentHint',
      'description',
      'execute',
      'inputSchema',
      'name',
      ...(isOlder ? [] : ['outputSchema']),
      'preview',
      'title',
      'options.exposedTo',
      'options.signal',
    ])
    await page.context().close()
  })

  it.each([
    [
      `annotations: { humanInTheLoopHint: 'always' }`,
      'TypeError: "always" is not a humanInTheLoopHint',
    ],
    [`annotations: { humanInTheLoopHint: null }`, 'TypeError: "null" is not a humanInTheLoopHint'],
    [`annotations: { humanInTheLoopHint: Symbol() }`, 'TypeError: '],
    [
      `annotations: { intentTemplate: '['.repeat(20) }`,
      'IntentSyntaxError: Groups may be nested 16 deep',
    ],
    [
      `annotations: { intentTemplate: 'x'.repeat(2001) }`,
      'IntentSyntaxError: An intent template may',
    ],
    [`preview: 'yes'`, 'TypeError: preview is not a function'],
    [`annotations: 'none'`, 'TypeError: '],
    [`name: 'with space'`, 'InvalidStateError: '],
    [`execute: 3`, 'TypeError: '],
  ])('refuses %s', async (member, refusal) => {
    const page = await open()
    const outcome = await run(
      page,
      `return tool({ name: 'a', ${member} }).then(() => 'registered', (error) => error.name + ': ' + error.message)`,
    )
    expect(outcome).toContain(refusal)
    expect(await run(page, `return (await document.modelContext.getTools()).length`)).toBe(0)
    await page.context().close()
  })

  it('forgets the hints of an unregistered tool, and keeps them when its name is registered again', async () => {
    const page = await open()
    const hints = await run(
      page,
      `const hints = []
       const look = async () => hints.push((await document.modelContext.getTools())[0]?.annotations?.humanInTheLoopHint ?? null)
       const controller = new AbortController()
       await tool({ name: 'a', annotations: { humanInTheLoopHint: 'notify' } }, { signal: controller.signal })
       await tool({ name: 'a', annotations: { humanInTheLoopHint: 'none' } }).catch(() => {})
       await look()
       controller.abort()
       await tool({ name: 'a' })
       await look()
       return hints`,
    )
    expect(hints).toEqual(['notify', null])
    await page.context().close()
  })

  it.each(['notify', 'review'])(
    'refuses a tool at %s if the dialog cannot be loaded',
    async (hint) => {
      const page = await open()
      await page.route('**/webmcp-dialog.mjs', (route) => route.abort())
      await page.reload()
      await run(
        page,
        `await tool({ name: 'a', annotations: { humanInTheLoopHint: '${hint}' } })
       await call('a')`,
      )
      expect(await run(page, 'return ran')).toEqual([])
      expect(await run(page, 'return outcome')).toContain('a did not run: ')
      await page.context().close()
    },
  )

  it('runs a tool without approval level at once', async () => {
    const page = await open()
    await run(
      page,
      `await tool({ name: 'a', annotations: { humanInTheLoopHint: 'none' } })
       await tool({ name: 'b', annotations: { readOnlyHint: true } })
       await tool({ name: 'c', annotations: { humanInTheLoopHint: 'notify', intentTemplate: 'Set {x}' } })
       await call('a'); await call('b'); await call('c', { x: 1 })`,
    )
    expect(await run(page, 'return ran')).toEqual(['{}', '{}', '{"x":1}'])
    expect(await questionNow(page)).toBeNull()
    await page.context().close()
  })

  it.each([
    ['no word', `{}`],
    ['confirm', `{ humanInTheLoopHint: 'confirm' }`],
    ['review', `{ humanInTheLoopHint: 'review' }`],
    ['consequences', `{ humanInTheLoopHint: 'none', readOnlyHint: true, consequentialHint: true }`],
  ])('asks about a tool with %s, and runs what was shown', async (_, annotations) => {
    const page = await open()
    await run(
      page,
      `await tool({ name: 'a', annotations: ${annotations} })
       globalThis.input = { x: 1 }
       void call('a', input)`,
    )
    const { text } = await question(page)
    expect(text).toContain('Allow a?')
    expect(text).toContain('"x": 1')
    expect(await run(page, 'input.x = 2; return [ran, outcome]')).toEqual([[], 'waiting'])
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return ran')).toEqual(['{"x":1}'])
    await page.context().close()
  })

  it('refuses with an error that differs from a failure', async () => {
    const page = await open()
    await run(page, `await tool({ name: 'a' }); void call('a', { x: 1 })`)
    await answer(page, 'Deny')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return [ran, outcome]')).toEqual([
      [],
      'NotAllowedError: a did not run: the user denied it',
    ])
    await page.context().close()
  })

  it('closes the dialog when the call is aborted', async () => {
    const page = await open()
    await run(
      page,
      `await tool({ name: 'a' })
       globalThis.controller = new AbortController()
       void call('a', {}, { signal: controller.signal })`,
    )
    await question(page)
    await run(page, 'controller.abort()')
    await page.waitForFunction(`outcome.startsWith('AbortError')`)
    await page.waitForTimeout(200)
    expect(await questionNow(page)).toBeNull()
    expect(await run(page, 'return ran')).toEqual([])
    await page.context().close()
  })

  it('asks one question at a time', async () => {
    const page = await open()
    await run(page, `await tool({ name: 'a' }); void call('a', { x: 1 }); void call('a', { x: 2 })`)
    expect((await question(page)).text).toContain('"x": 1')
    await answer(page, 'Deny')
    await page.waitForTimeout(300)
    expect((await question(page)).text).toContain('"x": 2')
    await answer(page, 'Allow once')
    await page.waitForFunction('ran.length === 1')
    expect(await run(page, 'return ran')).toEqual(['{"x":2}'])
    await page.context().close()
  })

  it('refuses calls above its limit of pending dialogs', async () => {
    const page = await open()
    const outcome = await run(
      page,
      `await tool({ name: 'a' })
       const calls = Array.from({ length: 20 }, (_, x) => call('a', { x }))
       return Promise.race(calls)`,
    )
    expect(outcome).toMatch(/NotAllowedError: a did not run: too many calls are waiting/)
    await page.context().close()
  })

  it('remembers for this visit, until the tool changes', async () => {
    const page = await open()
    await run(
      page,
      `globalThis.first = new AbortController()
       await tool({ name: 'a', ${REVIEW} }, { signal: first.signal })
       void call('a')`,
    )
    await answer(page, 'Allow on this visit')
    await page.waitForFunction('ran.length === 1')
    await run(page, `await call('a')`)
    expect(await run(page, 'return ran.length')).toBe(2)
    await run(
      page,
      `first.abort()
       await tool({ name: 'a', description: 'Another tool', ${REVIEW} })
       void call('a')`,
    )
    await question(page)
    await page.context().close()
  })

  it.each([
    ['exposedTo', `{}`, `[new URL('https://a.example')]`, `[new URL('https://b.example')]`],
    ['exposedTo', `{}`, `new Set(['https://a.example'])`, `new Set(['https://b.example'])`],
    ['inputSchema', `given`, `new Schema({ title: 'a' })`, `new Schema({ title: 'b' })`],
    ['inputSchema', `given`, `{ title: 'a' }`, `{ title: 'b' }`, `given.title = 'a'`],
  ])('asks again after another %s of %s: %s, %s', async (key, schema, one, two, change = '') => {
    const page = await open()
    await run(
      page,
      `globalThis.Schema = class { #schema; constructor(schema) { this.#schema = schema } toJSON() { return this.#schema } }
       globalThis.register = async (given, change) => {
         globalThis.over?.abort()
         globalThis.over = new AbortController()
         const options = { signal: over.signal, ...('${key}' === 'exposedTo' && { exposedTo: given }) }
         await tool({ name: 'a', inputSchema: ${schema}, ${REVIEW} }, options)
         change(given)
         void call('a')
       }
       await register(${one}, () => {})`,
    )
    await answer(page, 'Allow on this visit')
    await page.waitForFunction('ran.length === 1')
    await run(page, `await register(${two}, (given) => { ${change} })`)
    await question(page)
    expect(await run(page, 'return ran.length')).toBe(1)
    await page.context().close()
  })

  it.each([
    [
      'a getter of Object.prototype',
      `Object.defineProperty(Object.prototype, 'exposedTo', { configurable: true, get() { lower(this) } })`,
    ],
    [
      'Map.prototype.set',
      `const { set } = Map.prototype
       Map.prototype.set = function (key, value) { lower(value); return set.call(this, key, value) }`,
    ],
    [
      'Map.prototype.has',
      `const { has } = Map.prototype
       Map.prototype.has = function (key) { this.forEach(lower); return has.call(this, key) }`,
    ],
  ])('keeps the level that a page would lower by %s', async (_, script) => {
    const page = await open()
    await run(
      page,
      `globalThis.lower = (one) => { if (Object(one?.annotations) === one?.annotations && 'schema' in one) one.annotations.humanInTheLoopHint = 'none' }
       ${script}
       await tool({ name: 'a', annotations: { humanInTheLoopHint: 'confirm' } })
       await tool({ name: 'b' })
       delete Object.prototype.exposedTo
       void call('a')`,
    )
    await question(page)
    expect(await run(page, 'return ran')).toEqual([])
    await page.context().close()
  })

  it('remembers for days, in the browser, and forgets on request', async () => {
    const page = await open()
    const start = `await tool({ name: 'a', ${REVIEW} }); void call('a')`
    await run(page, start)
    await answer(page, 'Allow for 30 days')
    await page.waitForFunction('ran.length === 1')
    await page.reload()
    await run(page, start)
    await page.waitForFunction('ran.length === 1')
    const forgotten = await run(
      page,
      `const { approvals } = await import('/webmcp.mjs')
       const [kept] = await approvals.list()
       await approvals.forget(kept.id)
       const entries = await approvals.audit()
       return [kept.tool, kept.origin, (await approvals.list()).length, entries.map(({ tool, outcome, by }) => [tool, outcome, by])]`,
    )
    expect(forgotten).toEqual([
      'a',
      site.origin,
      0,
      [
        ['a', 'ran', 'person'],
        ['a', 'ran', 'remembered'],
      ],
    ])
    await page.reload()
    await run(page, start)
    await question(page)
    await page.context().close()
  })

  it('stores a decision before the tool runs, which may leave the page', async () => {
    const page = await open()
    await run(page, `await tool({ name: 'a', ${REVIEW} }); void call('a')`)
    await question(page)
    // A transaction that stays open, so that nothing else can be written.
    await run(
      page,
      `const { approvals } = await import('/webmcp.mjs')
       await approvals.list()
       globalThis.holding = true
       const request = indexedDB.open('edgewise-webmcp')
       await new Promise((resolve) => { request.onsuccess = resolve })
       const store = request.result.transaction('approvals', 'readwrite').objectStore('approvals')
       const hold = () => { if (holding) store.get('nothing').onsuccess = hold }
       hold()`,
    )
    await answer(page, 'Allow for 30 days')
    await page.waitForTimeout(500)
    expect(await run(page, 'return ran.length')).toBe(0)
    await run(page, 'holding = false')
    await page.waitForFunction('ran.length === 1')
    await page.context().close()
  })

  it.each([
    ['cannot be undone', '/', `{ humanInTheLoopHint: 'review', consequentialHint: true }`],
    ['are to be confirmed', '/', `{ humanInTheLoopHint: 'confirm' }`],
    ['have no hint', '/', `{}`],
    ['the site has confirmed', '/confirms', `{ humanInTheLoopHint: 'review' }`],
  ])('asks every time about calls that %s', async (_, path, annotations) => {
    const page = await open(path)
    await run(page, `await tool({ name: 'a', annotations: ${annotations} }); void call('a')`)
    const asked = await question(page)
    expect(asked.buttons).toEqual(['Deny', 'Allow once'])
    expect(asked.text).not.toContain('Longer approvals')
    await page.context().close()
  })

  it('shows a notice for each call that an earlier answer allows', async () => {
    const page = await open()
    await run(page, `await tool({ name: 'a', ${REVIEW} }); void call('a')`)
    await answer(page, 'Allow on this visit')
    await page.waitForFunction('ran.length === 1')
    expect(await noticeIn(page)).toBeNull()
    await run(page, `await call('a', { x: 2 })`)
    expect(await run(page, 'return ran')).toEqual(['{}', '{"x":2}'])
    expect(await noticeIn(page)).toContain('is used by an agent.')
    await page.context().close()
  })

  it('works without storage, and asks', async () => {
    const page = await open()
    await run(
      page,
      `IDBFactory.prototype.open = () => { throw new Error('no storage') }
       await tool({ name: 'a', ${REVIEW} })
       void call('a')`,
    )
    await answer(page, 'Allow for 30 days')
    await page.waitForFunction('ran.length === 1')
    await run(page, `void call('a')`)
    await question(page)
    await page.context().close()
  })

  it('ignores invalid values in storage', async () => {
    const page = await open()
    await run(
      page,
      `await new Promise((resolve) => {
         const request = indexedDB.open('edgewise-webmcp')
         request.onupgradeneeded = () => request.result.createObjectStore('approvals')
         request.onsuccess = () => {
           const change = request.result.transaction('approvals', 'readwrite')
           change.objectStore('approvals').put([null, 1, { tool: 'a', until: 'x' }, 'a'], 'decisions')
           change.objectStore('approvals').put('broken', 'audit')
           change.oncomplete = () => { request.result.close(); resolve() }
         }
       })
       await tool({ name: 'a', ${REVIEW} })
       void call('a')`,
    )
    await answer(page, 'Allow for 30 days')
    await page.waitForFunction('ran.length === 1')
    await page.reload()
    await run(page, `await tool({ name: 'a', ${REVIEW} }); await call('a')`)
    expect(await run(page, 'return ran.length')).toBe(1)
    await page.context().close()
  })

  it('is tightened by the site, and by an unknown level', async () => {
    for (const path of ['/strict', '/typo']) {
      const page = await open(path)
      await run(
        page,
        `await tool({ name: 'a', annotations: { humanInTheLoopHint: 'none' } }); void call('a')`,
      )
      await question(page)
      expect(await run(page, 'return ran')).toEqual([])
      await page.context().close()
    }
  })

  it('shows the preview of the tool, and passes it to the call', async () => {
    const page = await open()
    await run(
      page,
      `await tool({ name: 'a', annotations: { humanInTheLoopHint: 'review' }, preview: ({ x }) => { ran.push('preview'); return 'would set ' + x } })
       void call('a', { x: 5 })`,
    )
    expect((await question(page)).text).toContain('would set 5')
    await answer(page, 'Allow once')
    await page.waitForFunction(`outcome !== 'waiting'`)
    expect(await run(page, 'return [ran, JSON.parse(outcome).preview]')).toEqual([
      ['preview', '{"x":5}'],
      'would set 5',
    ])
    await page.context().close()
  })

  it('does not run a call whose preview fails or reports an error', async () => {
    const page = await open()
    await run(
      page,
      `const annotations = { humanInTheLoopHint: 'review' }
       await tool({ name: 'a', annotations, preview: () => ({ isError: true, content: [] }) })
       await tool({ name: 'b', annotations, preview: () => { throw new Error('broken') } })`,
    )
    expect(await run(page, `return call('a')`)).toBe('{"isError":true,"content":[]}')
    expect(await run(page, `return call('b')`)).toMatch(/^UnknownError/)
    expect(await run(page, 'return ran')).toEqual([])
    await page.context().close()
  })

  it('holds calls from a frame of the same origin, which sees the hints of the tool', async () => {
    const page = await open('/framing')
    await run(page, `await tool({ name: 'a', annotations: { humanInTheLoopHint: 'review' } })`)
    const frame = page.frame({ url: `${site.origin}/frame` })
    const hint = await frame?.evaluate(
      `(async () => { void call('a'); return (await document.modelContext.getTools())[0].annotations.humanInTheLoopHint })()`,
    )
    expect(hint).toBe('review')
    await question(page)
    expect(await run(page, 'return ran')).toEqual([])
    await answer(page, 'Deny')
    await frame?.waitForFunction(`outcome.startsWith('NotAllowedError')`)
    await page.context().close()
  })

  it('works on a frozen context that is not an event target', async () => {
    const page = await open('/frozen')
    await run(page, `await tool({ name: 'a' }); void call('a')`)
    await question(page)
    expect(await run(page, 'return ran')).toEqual([])
    await answer(page, 'Allow once')
    await page.waitForFunction('ran.length === 1')
    await page.context().close()
  })

  it('is removed completely', async () => {
    const page = await open('/bare')
    const left = await run(
      page,
      `const { apply, isSupported } = await import('/webmcp.mjs')
       const look = () => [window, document, Document.prototype, window.ModelContext?.prototype ?? {}].map((holder) =>
         Reflect.ownKeys(holder).map((key) => {
           const { value, get } = Reflect.getOwnPropertyDescriptor(holder, key)
           return [key, typeof value === 'function' ? value : typeof value, get]
         }))
       const before = look()
       const undo = apply()
       const inner = apply()
       const during = isSupported()
       inner()
       undo()
       const after = look()
       const changed = before.flatMap((keys, at) => keys.filter(([key, value, get], index) => {
         const [otherKey, other, otherGet] = after[at][index] ?? []
         return key !== otherKey || value !== other || get !== otherGet
       })).map(([key]) => String(key))
       return [during, changed, before.map((keys) => keys.length).join() === after.map((keys) => keys.length).join()]`,
    )
    expect(left).toEqual([true, [], true])
    await page.context().close()
  })

  it('asks once when it is applied twice', async () => {
    const page = await open()
    await run(
      page,
      `const { apply } = await import('/webmcp.mjs')
       apply()
       await tool({ name: 'a' })
       void call('a')`,
    )
    await answer(page, 'Allow once')
    await page.waitForFunction('ran.length === 1')
    await page.context().close()
  })

  it('asks the page’s approver in place of the dialog, and refuses without one', async () => {
    const page = await open('/bare')
    const outcome = await run(
      page,
      `const { apply, setApprover, approvals } = await import('/webmcp.mjs')
       apply()
       const ran = []
       await document.modelContext.registerTool({ name: 'a', description: 'd', annotations: { humanInTheLoopHint: 'review', intentTemplate: 'Set {x}' }, execute: ({ x }) => { ran.push(x) } })
       const [tool] = await document.modelContext.getTools()
       const call = (x) => document.modelContext.executeTool(tool, { x }).then(() => 'ran', (error) => error.name)
       const seen = []
       setApprover(({ tool, intent, input }) => { seen.push([tool, intent.text, input]); return true })
       const outcomes = [await call(1)]
       setApprover(() => 'deny'); outcomes.push(await call(2))
       setApprover(() => { throw new Error('broken') }); outcomes.push(await call(3))
       setApprover(null); outcomes.push(await call(4))
       setApprover(() => 'session'); outcomes.push(await call(5))
       setApprover(null); outcomes.push(await call(6))
       await new Promise((resolve) => setTimeout(resolve, 300))
       const entries = (await approvals.audit()).map(({ outcome, by }) => outcome + ' ' + by)
       return { ran, seen, outcomes, entries }`,
    )
    expect(outcome).toEqual({
      ran: [1, 5, 6],
      seen: [['a', 'Set 1', '{"x":1}']],
      outcomes: ['ran', 'NotAllowedError', 'NotAllowedError', 'NotAllowedError', 'ran', 'ran'],
      entries: [
        'ran approver',
        'denied approver',
        'refused policy',
        'refused policy',
        'ran approver',
        'ran session',
      ],
    })
    await page.context().close()
  })
})
